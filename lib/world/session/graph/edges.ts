/**
 * Edges of the navigation graph that can be replayed in reverse: what they are, which move undoes one, and what replaying
 * them needs, while it is kept.
 *
 * @module
 */
import type { Scene } from "../scene/scene.ts";
import type { CameraRecord, TransitionReceipt } from "../../protocol/job_record.ts";
import { oppositeMotion } from "../../protocol/motion_table.ts";
import type { Geometry } from "../../../models/world/world_model.ts";

/** Maximum sum of two components that cancel each other, in meters or degrees. */
const TOLERANCE = 1e-4;

/** A generated transition between two states. */
export interface Edge {
  /** Id of the state that it leads to. */
  readonly id: string;
  readonly camera: CameraRecord;
  readonly geometry: Geometry;
  readonly fps: number;
  /** Frames as requested. */
  readonly numFrames: number;
  /** Seed as requested. */
  readonly seed: bigint;
  /** The fields that the receipt of a replay adds. */
  readonly replayReceipt: Partial<TransitionReceipt>;
  /** The state that it came from. */
  readonly source: Scene;
}

/** The inverse of an edge as a request asks for it; undefined where the request leaves a value open. */
interface InverseMove {
  readonly camera: CameraRecord;
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly fps: number | undefined;
  readonly numFrames: number | undefined;
}

/**
 * Whether a move is the exact inverse of an edge: the opposite motion, every component of translation and rotation
 * cancelled within 1e-4, and size, rate and length equal or omitted.
 */
export function isInverseMove(edge: Edge, move: InverseMove): boolean {
  const same = <T>(asked: T | undefined, is: T) => asked === undefined || asked === is;
  return isOpposite(edge.camera, move.camera) && same(move.width, edge.geometry.width) &&
    same(move.height, edge.geometry.height) && same(move.fps, edge.fps) && same(move.numFrames, edge.numFrames);
}

/**
 * Whether two camera moves undo each other. A hold has no opposite.
 *
 * @example
 * ```ts
 * import { isOpposite } from "./edges.ts";
 * const out = { motion: "yawLeft", translationMeters: [0, 0, 0], rotationDegrees: [0, -15, 0] } as const;
 * const back = { motion: "yawRight", translationMeters: [0, 0, 0], rotationDegrees: [0, 15, 0] } as const;
 * console.assert(isOpposite(out, back) && !isOpposite(out, out));
 * ```
 */
export function isOpposite(a: CameraRecord, b: CameraRecord): boolean {
  const cancel = (x: readonly number[], y: readonly number[]) => x.every((n, i) => Math.abs(n + y[i]) <= TOLERANCE);
  return oppositeMotion(a.motion) === b.motion && cancel(a.translationMeters, b.translationMeters) &&
    cancel(a.rotationDegrees, b.rotationDegrees);
}

/** Frames of one block in one file: 8-bit RGB, frame after frame. */
export interface KeptFrames {
  readonly path: string;
  readonly count: number;
}

/** What the replay of an edge needs. */
export interface RetainedEdge {
  /** The model's snapshot of the source state; undefined when the source has no chain. */
  readonly modelState: number | undefined;
  /** Folder of the frames. */
  readonly folder: string;
  /** The frames of every block, in the order they were shown. */
  readonly frames: readonly KeptFrames[];
}

/**
 * A bounded store by edge id. The model's snapshots share what the chain has not overwritten since, so an edge costs
 * the blocks that it generated and its frames on disk.
 */
export class RetainedEdges {
  readonly #limit: number;
  readonly #drop: (edge: RetainedEdge) => Promise<void>;
  readonly #edges = new Map<string, RetainedEdge>();

  /**
   * @param limit Maximum number of edges; the oldest is dropped first.
   * @param drop Releases what an edge holds.
   */
  constructor(limit: number, drop: (edge: RetainedEdge) => Promise<void>) {
    this.#limit = limit;
    this.#drop = drop;
  }

  /** The edge, if it is still kept. */
  get(id: string): RetainedEdge | undefined {
    return this.#edges.get(id);
  }

  /** All of them, the oldest first. */
  list(): { readonly id: string; readonly edge: RetainedEdge }[] {
    return [...this.#edges].map(([id, edge]) => ({ id, edge }));
  }

  /** Takes an edge over from an earlier process. */
  restore(id: string, edge: RetainedEdge): void {
    this.#edges.set(id, edge);
  }

  /** Adds an edge and drops the oldest ones beyond the limit. */
  async add(id: string, edge: RetainedEdge): Promise<void> {
    this.#edges.set(id, edge);
    const surplus = [...this.#edges.keys()].slice(0, Math.max(0, this.#edges.size - this.#limit));
    await this.#dropAll(surplus);
  }

  /** Drops the edges that no state can reach any more. */
  async keepOnly(ids: ReadonlySet<string>): Promise<void> {
    await this.#dropAll([...this.#edges.keys()].filter((id) => !ids.has(id)));
  }

  async #dropAll(ids: readonly string[]): Promise<void> {
    const dropped = ids.map((id) => this.#edges.get(id)!);
    for (const id of ids) this.#edges.delete(id);
    // What is already gone, with its model or from the disk, needs no release.
    await Promise.allSettled(dropped.map((edge) => this.#drop(edge)));
  }
}
