/**
 * The worker of a world in a tab: the session and the HTTP interface of a world server, without a server.
 *
 * @module
 */
import { AccessPolicy } from "../../lib/http/access_policy.ts";
import { parentPort } from "../../lib/platform/workers/parent_port.ts";
import { VERSION } from "../../lib/platform/processes/version.ts";
import { createWorldApp } from "../../lib/world/http/world_app.ts";
import type { WorldHead } from "../../lib/world/session/journal/session_image.ts";
import { WorldSession } from "../../lib/world/session/world_session.ts";
import { Worlds } from "../../lib/world/session/worlds.ts";
import { memoryFiles } from "./memory_files.ts";
import { answerThrough } from "./request_channel.ts";
import type { TabDevice } from "./tab_device.ts";
import { tabMedia } from "./tab_media.ts";
import { tabModel } from "./tab_model.ts";

/** Bytes of videos and pictures to keep; what the walk needs stays anyhow. */
const KEPT_BYTES = 128 * 2 ** 20;

/** Moves that can be undone without generating: each keeps its frames and the state of the model in memory. */
const MAX_RETAINED_EDGES = 32;

const opening = parentPort();
const here = new URL(self.location.href);
const device = (["webgpu", "wasm"] as const).find((name) => name === here.searchParams.get("device")) ?? "auto";
const id = "corridor-nano";
const model = tabModel(
  { id, folder: new URL(`../models/${id}/`, here).href, device: device satisfies TabDevice },
  new URL("model_worker.js", here),
);
// A configuration that cannot be read is reported by the first move.
const madeFor = await model.madeFor().catch(() => undefined);
const clock = (): Date => new Date();
const newId = (): string => crypto.randomUUID();
const openSession = (): WorldSession =>
  new WorldSession({
    backend: model.openBackend(),
    record: { id, device, dtype: "auto", ...(madeFor !== undefined && { madeFor }) },
    roots: model.roots,
    media: tabMedia(),
    files: memoryFiles(Date.now),
    clock,
    newId,
    keepFiles: KEPT_BYTES,
    maxRetainedEdges: MAX_RETAINED_EDGES,
  });
const open = (head: WorldHead) => Promise.resolve({ session: openSession(), head, remove: () => Promise.resolve() });
const first = await open({ id: newId(), backend: "arworld", created_at: clock().toISOString() });
const app = createWorldApp({
  worlds: new Worlds({ first, open, newId, clock }),
  access: new AccessPolicy({}),
  version: VERSION,
  newId,
  now: Date.now,
  start: model.start,
});
answerThrough(await opening, (request) => app(request, "127.0.0.1"));
// Loads the model while the visitor looks; what fails here is said to the first move, which tries again.
void first.session.prepare().catch(() => {});
