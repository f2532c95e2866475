import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promptAccess } from "./prompt_access.ts";
import type { ServedPage } from "../../lib/http/page_routes.ts";
import type { AnswerRecord } from "../../lib/http/router.ts";
import type { DescribeStart } from "../../lib/world/http/start_routes.ts";
import { createWorldApp } from "../../lib/world/http/world_app.ts";
import { pathPolicy } from "../../lib/platform/files/path_policy.ts";
import { stateFiles } from "../../lib/world/host/state_files.ts";
import { writeNewFile } from "../../lib/platform/files/atomic_write.ts";
import type { ModelRoots, ModelStart } from "../../lib/world/protocol/model_files.ts";
import type { BackendName } from "../../lib/world/protocol/wire.ts";
import type { CameraMotion, JobRecord } from "../../lib/world/protocol/job_record.ts";
import { MOTION_TABLE } from "../../lib/world/protocol/motion_table.ts";
import { toWire, type Wire } from "../../lib/json/wire_form.ts";
import type { SessionMemory } from "../../lib/world/session/session_memory.ts";
import type { WorldFiles } from "../../lib/world/session/world_files.ts";
import { actionworldBackend } from "../../lib/world/backends/actionworld_backend.ts";
import { arworldBackend, type ArworldBackendOptions } from "../../lib/world/backends/arworld_backend.ts";
import type { DeliverChunk } from "../../lib/world/session/moves/chunk_publisher.ts";
import type { SessionLimits, WorldSessionOptions } from "../../lib/world/session/session_options.ts";
import { Worlds } from "../../lib/world/session/worlds.ts";
import { WorldSession } from "../../lib/world/session/world_session.ts";
import { assertDescribed } from "./api_description.ts";
import { FakeClipModel } from "./fake_clip_model.ts";
import { FakeMedia } from "./fake_media.ts";
import { FakeWorldModel } from "./fake_world_model.ts";

/** A log entry of a session. */
type SessionEntry = Parameters<NonNullable<WorldSessionOptions["onEvent"]>>[0];

/** Settings of {@link worldHarness}. */
export interface HarnessOptions {
  /** An arworld when omitted. */
  readonly backend?: BackendName;
  /** What the model says it was made for. */
  readonly madeFor?: string;
  readonly apiKey?: string;
  readonly allowOrigins?: readonly string[];
  readonly defaults?: ModelRoots["defaults"];
  readonly rootsError?: Error;
  readonly memory?: SessionMemory;
  readonly page?: ServedPage;
  readonly start?: () => Promise<ModelStart>;
  readonly describe?: DescribeStart;
  /** Waits between keepalives of event streams. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Writes a new file; as a server does, safe against a loss of power, when omitted. */
  readonly write?: (path: string, bytes: Uint8Array) => Promise<void>;
  readonly onChunk?: DeliverChunk;
  readonly maxWorlds?: number;
  /** The time by which answers of repeated requests are kept. */
  readonly now?: () => number;
  /** Whether holds can be undone, as in a world of a program. */
  readonly undoesHolds?: boolean;
  readonly limits?: SessionLimits & Pick<ArworldBackendOptions, "sceneMemory" | "early">;
}

/** A session with fakes around it, its files in a folder of their own. */
export interface WorldHarness {
  readonly session: WorldSession;
  readonly worlds: Worlds;
  readonly model: FakeWorldModel;
  /** The model of an actionworld. */
  readonly clips: FakeClipModel;
  readonly media: FakeMedia;
  readonly files: WorldFiles;
  /** The state directory. */
  readonly folder: string;
  /** A folder outside everything that clients may name. */
  readonly outside: string;
  readonly events: SessionEntry[];
  readonly errors: unknown[];
  /** What the handler has reported of its answers. */
  readonly answers: AnswerRecord[];
  /** Fails the write of every path that matches, with this error. */
  disk: { fails?: { path: RegExp; error: Error } };
  /** The HTTP handler. */
  readonly app: (request: Request, peer: string) => Promise<Response>;
  /** Calls the HTTP handler from this machine; fails when the API description does not have the answer. */
  call(method: string, path: string, init?: CallInit): Promise<Response>;
  /** Starts a rollout and gives its first record. */
  rollout(body?: Record<string, unknown>): Promise<JobRecord>;
  /** The record of a job, of the session or of an answer, after it has ended. */
  ended(job: Pick<JobRecord, "jobId"> | Pick<Wire<JobRecord>, "job_id">): Promise<JobRecord>;
  /** A rollout from start to end. */
  walk(body?: Record<string, unknown>): Promise<JobRecord>;
  /** A transition from start to end. */
  move(motion: CameraMotion, body?: Record<string, unknown>): Promise<JobRecord>;
  /** Ends event streams, as a server does that stops. */
  stop(): void;
  close(): Promise<void>;
}

/** Parts of a request. */
export interface CallInit {
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** Sent as JSON. */
  readonly json?: unknown;
  readonly peer?: string;
}

/** A rollout of two blocks that is right in every field. */
export const ROLLOUT = { prompt: "a corridor", action_seq: ["w", "l"], num_output_frames: 6, width: 64, height: 32 };

/** A transition of one block in 64x32; opposite motions undo each other exactly. */
export function transition(motion: CameraMotion): Record<string, unknown> {
  const { translation = [0, 0, 0], rotation = [0, 0, 0] } = MOTION_TABLE[motion];
  const camera = {
    motion,
    translationMeters: translation.map((units) => units * 0.5),
    rotationDegrees: rotation.map((units) => units * 15),
  };
  return { prompt: "a corridor", camera, num_frames: 9, width: 64, height: 32 };
}

/** A fresh session and its handler. */
export async function worldHarness(options: HarnessOptions = {}): Promise<WorldHarness> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "svc-test-")));
  const folder = join(root, "state");
  const outside = join(root, "outside");
  await mkdir(folder);
  await mkdir(outside);
  const model = new FakeWorldModel();
  const clips = new FakeClipModel();
  const media = new FakeMedia();
  const events: SessionEntry[] = [];
  const errors: unknown[] = [];
  const answers: AnswerRecord[] = [];
  const disk: WorldHarness["disk"] = {};
  const { write = writeNewFile } = options;
  const waiting = new Map<string, () => void>();
  const files = stateFiles(folder, {
    policy: pathPolicy([folder], folder),
    write: (path, bytes) => disk.fails?.path.test(path) ? Promise.reject(disk.fails.error) : write(path, bytes),
  });
  let time = 0;
  let ids = 0;
  const newId = () => `00000000-0000-4000-8000-${String(++ids).padStart(12, "0")}`;
  const roots: ModelRoots = { id: "fake", path: "/fake", basePath: "/fake", defaults: options.defaults ?? {} };
  const openSession = (model: FakeWorldModel, files: WorldFiles): WorldSession =>
    new WorldSession({
      backend: options.backend === "actionworld"
        ? actionworldBackend({ model: clips })
        : arworldBackend({ model, sceneMemory: options.limits?.sceneMemory, early: options.limits?.early ?? false }),
      record: {
        ...{ id: "fake", device: "auto", dtype: "auto" },
        ...(options.madeFor !== undefined && { madeFor: options.madeFor }),
      },
      memory: options.memory,
      roots: () => options.rootsError ? Promise.reject(options.rootsError) : Promise.resolve(roots),
      media,
      files,
      clock: () => new Date(++time),
      newId,
      ...options.onChunk && { onChunk: options.onChunk },
      ...options.limits,
      undoesHolds: options.undoesHolds,
      onEvent: (event) => {
        events.push(event);
        queueMicrotask(() => waiting.get(String(event.detail["job_id"]))?.());
      },
    });
  const session = openSession(model, files);
  const head = (id: string) => ({
    id,
    backend: options.backend ?? "arworld",
    created_at: new Date(++time).toISOString(),
  });
  const worlds = new Worlds({
    first: { session, head: head(newId()), remove: () => Promise.resolve() },
    maxWorlds: options.maxWorlds,
    newId,
    clock: () => new Date(++time),
    open: async (head) => {
      const own = join(folder, "worlds", head.id);
      await mkdir(own, { recursive: true });
      const opened = openSession(new FakeWorldModel(), stateFiles(own, { policy: pathPolicy([own], own) }));
      return { session: opened, head, remove: () => rm(own, { recursive: true, force: true }) };
    },
  });
  const app = createWorldApp({
    now: () => options.now?.() ?? 0,
    worlds,
    access: promptAccess(options),
    version: "1.2.3",
    newId,
    ...(options.page && { page: options.page }),
    ...(options.start && { start: options.start }),
    ...(options.describe && { describe: options.describe }),
    ...(options.wait && { wait: options.wait }),
    onError: (error) => errors.push(error),
    onAnswer: (answer) => answers.push(answer),
  });
  const harness: WorldHarness = {
    session,
    worlds,
    model,
    clips,
    media,
    files,
    folder,
    outside,
    events,
    errors,
    answers,
    disk,
    app,
    async call(method, path, { headers = {}, body, json, peer = "127.0.0.1" } = {}) {
      const given = json === undefined ? body : JSON.stringify(json);
      const request = new Request(`http://localhost:8791${path}`, {
        method,
        headers: { ...(json !== undefined && { "content-type": "application/json" }), ...headers },
        ...(given !== undefined && { body: given }),
      });
      const response = await app(request, peer);
      await assertDescribed(method, path, response);
      return response;
    },
    stop: () => void worlds.close(),
    rollout: (body = {}) => session.startRollout({ ...ROLLOUT, ...toWire(body) }),
    async ended(job) {
      const id = "jobId" in job ? job.jobId : job.job_id;
      if (!session.job(id).active) return session.job(id).record();
      await new Promise<void>((resolve) => waiting.set(id, resolve));
      return session.job(id).record();
    },
    async walk(body) {
      return await harness.ended(await harness.rollout(body));
    },
    async move(motion, body = {}) {
      return await harness.ended(await session.startTransition({ ...transition(motion), ...toWire(body) }));
    },
    async close() {
      await worlds.close();
      await rm(root, { recursive: true, force: true });
    },
  };
  return harness;
}

/** The error object of a response. */
export async function errorOf(
  response: Response,
): Promise<{ message: string; type: string; code: string; param?: string }> {
  return (await response.json()).error;
}

/** A promise and what settles it. */
export function deferred<T = void>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((r) => resolve = r);
  return { promise, resolve };
}
