import { join } from "node:path";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { journalFile, stateStore } from "../../lib/world/host/journal_files.ts";
import { stateFiles } from "../../lib/world/host/state_files.ts";
import { pathPolicy } from "../../lib/platform/files/path_policy.ts";
import { actionworldBackend } from "../../lib/world/backends/actionworld_backend.ts";
import { arworldBackend } from "../../lib/world/backends/arworld_backend.ts";
import type { CameraMotion, JobRecord } from "../../lib/world/protocol/job_record.ts";
import { KeptChain } from "../../lib/world/session/journal/kept_chain.ts";
import { openKeeper } from "../../lib/world/session/journal/open_keeper.ts";
import type { SessionKeeper } from "../../lib/world/session/journal/session_keeper.ts";
import type { WorldHead } from "../../lib/world/session/journal/session_image.ts";
import type { JournalFile } from "../../lib/world/session/journal/world_journal.ts";
import type { SharedMemory } from "../../lib/world/session/session_memory.ts";
import { WorldSession } from "../../lib/world/session/world_session.ts";
import { FakeClipModel } from "./fake_clip_model.ts";
import { FakeMedia, text } from "./fake_media.ts";
import { FakeWorldModel } from "./fake_world_model.ts";
import { transition } from "./world_harness.ts";
import { toWire } from "../../lib/json/wire_form.ts";

/** Settings of {@link keptWorld}. */
export interface KeptWorldOptions {
  readonly backend?: "arworld" | "actionworld";
  /** What stands for the weights and the version. */
  readonly origin?: string;
  readonly replaySeconds?: number;
  readonly keepFiles?: number;
  /** The memory that worlds share. */
  readonly memory?: SharedMemory;
  /** The journal of the world, in another form. */
  readonly journal?: (file: JournalFile) => JournalFile;
}

/** A session that is kept in a folder, with fakes around it. */
export interface KeptWorld {
  readonly session: WorldSession;
  readonly keeper: SessionKeeper;
  readonly model: FakeWorldModel;
  readonly clips: FakeClipModel;
  readonly head: WorldHead;
  readonly events: string[];
  /** Uploads a picture. */
  begin(): Promise<void>;
  /** Makes a move; fails when it fails. */
  move(motion: CameraMotion, body?: Record<string, unknown>): Promise<JobRecord>;
  ended(job: Pick<JobRecord, "jobId">): Promise<JobRecord>;
  /** All that a client can see. */
  known(): unknown;
}

/** Opens the world of a folder; whatever had it open before is as good as killed. */
export async function keptWorld(folder: string, options: KeptWorldOptions = {}): Promise<KeptWorld> {
  const { backend: kind = "arworld", origin = "one", replaySeconds, journal = (file) => file } = options;
  mkdirSync(folder, { recursive: true });
  const [model, clips, media] = [new FakeWorldModel(), new FakeClipModel(), new FakeMedia()];
  const states = stateStore(folder);
  const inner = kind === "arworld" ? model : clips;
  // deno-lint-ignore no-explicit-any -- a chain of either kind
  const chain = new KeptChain<any, any>(inner, { files: states, replaySeconds });
  const backend = kind === "arworld" ? arworldBackend({ model: chain }) : actionworldBackend({ model: chain });
  const files = stateFiles(folder, {
    policy: pathPolicy([folder], folder),
    write: (path, bytes) => {
      writeFileSync(path, bytes, { flag: "wx" });
      return Promise.resolve();
    },
  });
  const events: string[] = [];
  const common = { clock: () => new Date(), newId: () => crypto.randomUUID() };
  const { head, keeper } = await openKeeper({
    ...common,
    file: journal(journalFile(folder)),
    states,
    files,
    decodeImage: (bytes) => media.decodeImage(bytes),
    chain,
    head: { id: common.newId(), backend: kind, created_at: new Date().toISOString() },
    backend: kind,
    model: () => Promise.resolve(origin),
    onEvent: ({ event }) => events.push(event),
  });
  const session: WorldSession = new WorldSession({
    memory: options.memory?.for(() => session),
    ...common,
    backend,
    record: { id: "fake", device: "auto", dtype: "auto" },
    roots: () => Promise.resolve({ id: "fake", path: "/fake", basePath: "/fake", defaults: {} }),
    media,
    files,
    keeper,
    keepFiles: options.keepFiles,
    onEvent: ({ event }) => events.push(event),
  });
  const world: KeptWorld = {
    session,
    keeper,
    model,
    clips,
    head,
    events,
    async begin() {
      await session.setSource(text("image 64 32 7"));
    },
    async move(motion, body = {}) {
      const job = await world.ended(await session.startTransition({ ...transition(motion), seed: 3, ...toWire(body) }));
      if (job.status !== "completed") throw new Error(JSON.stringify(job.error));
      return job;
    },
    async ended({ jobId: id }) {
      while (session.job(id).active || session.phase === "generating") {
        await new Promise<void>((resolve) => {
          const stop = session.events.subscribe(() => {
            stop();
            resolve();
          });
        });
      }
      return session.job(id).record();
    },
    known() {
      const { phase: _phase, model: _model, keepsModelsWarm: _warm, continuity: _continuity, ...rest } = session
        .snapshot();
      const checkpoints = kind === "arworld" && session.snapshot().checkpointCount ? session.checkpoints() : [];
      return structuredClone({ ...rest, checkpoints });
    },
  };
  return world;
}

/** Bytes of the journal of a folder. */
export function journalOf(folder: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(join(folder, "journal", "world.journal")));
}
