/**
 * What replaying edges needs, while it is kept.
 *
 * @module
 */

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
