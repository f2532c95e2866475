/**
 * Everything of a session that outlives its process.
 *
 * @module
 */
import * as v from "valibot";
import type { Checkpoint } from "../graph/checkpoints.ts";
import type { Edge, RetainedEdge } from "../graph/edges.ts";
import type { PathState, SessionState } from "../graph/session_state.ts";
import type { MemoryEntry } from "../scene/scene_memory.ts";
import type { Scene, ShownFrame } from "../scene/scene.ts";
import { cameraSchema, jobSchema } from "../../protocol/job_schemas.ts";
import type { JobRecord } from "../../protocol/job_record.ts";
import { withMemberNames } from "./image_names.ts";
import { countField, idField, positiveCountField, timeField } from "../../protocol/wire_fields.ts";
import { checkpointSchema } from "../../protocol/wire_schemas.ts";

/** Whether a world continues exactly where it was left, or from the picture that it showed last. */
export type Continuity = "exact" | "picture";

/** The navigation graph. Kept states of the model are named by the numbers of their nodes. */
export interface GraphImage {
  readonly state: SessionState;
  readonly checkpoints: readonly Checkpoint[];
  readonly edges: readonly { readonly id: string; readonly edge: RetainedEdge }[];
}

/** A session between two operations. */
export interface SessionImage {
  readonly sessionId: string;
  readonly graph: GraphImage;
  /** Node of the model's current state; absent while there is no chain. */
  readonly chain?: number;
  /** The last number given to a file or node. */
  readonly lastNumber: number;
  readonly lastNode: number;
  /** Jobs that have ended, the oldest first. */
  readonly jobs: readonly JobRecord[];
  readonly continuity?: Continuity;
}

/** Limits of a path and of what is kept. */
const MOST = { path: 1000, memory: 4096, edges: 1000, checkpoints: 1001, jobs: 2600, chunks: 100_000 } as const;

/** Values in one value, each counted as often as it is named: what is written as JSON has to end. */
const MAX_VALUES = 100_000;

/** Levels of a value. */
const MAX_LEVELS = 16;

const numbers = (count: number) =>
  v.custom<readonly number[]>((list) => Array.isArray(list) && list.length === count && list.every(Number.isFinite));
const pose = numbers(16);
const file = v.pipe(v.string(), v.maxLength(8192));
const side = v.pipe(v.number(), v.integer(), v.minValue(16), v.maxValue(4096), v.multipleOf(16));
const geometry = v.strictObject({ width: side, height: side });
const rate = v.pipe(v.number(), v.minValue(1), v.maxValue(1000));
const list = <T>(item: v.GenericSchema<unknown, T>, most: number) => v.pipe(v.array(item), v.maxLength(most));

/** An object that many others may name: it is looked at once, and stays the one object that it is. */
function shared<T>(schema: v.GenericSchema<unknown, unknown>): v.GenericSchema<unknown, T> {
  const known = new WeakSet<object>();
  return v.custom<T>((value) => {
    if (typeof value !== "object" || value === null) return false;
    if (known.has(value)) return true;
    if (!v.is(schema, value)) return false;
    known.add(value);
    return true;
  });
}

function imageSchema(): v.GenericSchema<unknown, SessionImage> {
  const frame = shared<ShownFrame>(v.strictObject({ path: file, jobId: v.exactOptional(idField) }));
  const entry = shared<MemoryEntry>(v.strictObject({ latent: countField, pose }));
  const memory = shared<Scene["memory"]>(
    v.strictObject({ entries: list(entry, MOST.memory), retrievals: countField, recycled: countField }),
  );
  const scene = {
    frame: v.exactOptional(frame),
    geometry: v.exactOptional(geometry),
    depth: countField,
    pose,
    memory,
  };
  const move = v.strictObject({
    kind: v.picklist(["transition", "rollout"]),
    request: v.exactOptional(v.pipe(v.record(v.string(), v.unknown()), v.check((value) => isSmall(value)))),
    positions: list(numbers(3), 32),
    fps: rate,
    chunks: list(file, MOST.chunks),
  });
  const state = shared<PathState>(v.strictObject({
    state_id: idField,
    parent_state_id: v.exactOptional(idField),
    transition_index: countField,
    depth: countField,
    pose,
    move: v.exactOptional(move),
    sourcePath: v.exactOptional(file),
  }));
  const edge = shared<Edge>(v.strictObject({
    id: idField,
    camera: cameraSchema,
    geometry,
    fps: rate,
    numFrames: positiveCountField,
    seed: v.bigint(),
    replayReceipt: v.record(
      v.picklist(["seed", "action_space", "action_domain", "model_space_actions", "raw_actions"]),
      v.pipe(v.unknown(), v.check((value) => isSmall(value))),
    ),
    source: v.strictObject(scene),
  }));
  const session = shared<SessionState>(v.strictObject({
    ...scene,
    path: list(state, MOST.path),
    edges: list(edge, MOST.path),
    transitions: countField,
  }));
  const checkpoint = shared<Checkpoint>(v.strictObject({
    record: checkpointSchema,
    state: session,
    modelState: v.exactOptional(positiveCountField),
    framePath: file,
  }));
  const retained = v.strictObject({
    id: idField,
    edge: shared<RetainedEdge>(v.strictObject({
      modelState: v.exactOptional(positiveCountField),
      folder: file,
      frames: list(v.strictObject({ path: file, count: positiveCountField }), MOST.chunks),
    })),
  });
  const schema = v.strictObject({
    sessionId: idField,
    graph: v.strictObject({
      state: session,
      checkpoints: list(checkpoint, MOST.checkpoints),
      edges: list(retained, MOST.edges),
    }),
    chain: v.exactOptional(positiveCountField),
    lastNumber: countField,
    lastNode: countField,
    jobs: list(shared<JobRecord>(jobSchema), MOST.jobs),
    continuity: v.exactOptional(v.picklist(["exact", "picture"])),
  });
  return schema as v.GenericSchema<unknown, unknown> as v.GenericSchema<unknown, SessionImage>;
}

/** The image of a session, or undefined when a value is not one. The pictures of its frames are still to be read. */
export function asSessionImage(value: unknown): SessionImage | undefined {
  if (!v.is(imageSchema(), value)) return undefined;
  // The very objects are looked at, which are shared: what the schema would give has copies of them.
  return isConsistent(value as SessionImage) ? withMemberNames(value) as SessionImage : undefined;
}

/** What a journal says of a world besides its session. */
export interface WorldHead {
  readonly id: string;
  readonly backend: "arworld" | "actionworld";
  readonly created_at: string;
  readonly name?: string;
  readonly pool?: string;
}

const name = v.exactOptional(v.pipe(v.string(), v.maxLength(1000)));

/** The schema of a {@linkcode WorldHead}. */
export const headSchema: v.GenericSchema<unknown, WorldHead> = v.strictObject({
  id: idField,
  backend: v.picklist(["arworld", "actionworld"]),
  created_at: timeField,
  name,
  pool: name,
});

/** A state with a chain or a path has a picture, and edges are those at the end of the path. */
function isConsistent({ graph, chain }: SessionImage): boolean {
  const states = [graph.state, ...graph.checkpoints.map(({ state }) => state)];
  return states.every(({ frame, path, edges, depth, geometry }) =>
    (frame !== undefined) === (path.length > 0) && (depth === 0 || geometry !== undefined) &&
    edges.length <= path.length && edges.every(({ source }) => source.frame !== undefined)
  ) && (graph.state.depth === 0 || chain !== undefined);
}

/**
 * Whether a value is small when it is written out. Objects of a journal may name each other, so that a few of them stand
 * for more than any memory holds.
 */
export function isSmall(value: unknown): boolean {
  let left = MAX_VALUES;
  const fits = (value: unknown, depth: number): boolean => {
    if (--left < 0 || depth > MAX_LEVELS) return false;
    if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return true;
    for (const item of Object.values(value)) if (!fits(item, depth + 1)) return false;
    return true;
  };
  return fits(value, 0);
}
