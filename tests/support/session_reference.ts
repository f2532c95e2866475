import type { CameraMotion } from "../../lib/world/protocol/job_record.ts";

/** A state of the graph in the reference. */
export interface ReferenceState {
  /** What the server calls it, once it has said so. */
  readonly id: string;
  /** Everything that has led here, in words; the same words are the same world. */
  readonly history: string;
  readonly latents: number;
  readonly depth: number;
}

/** An edge that may be walked back. */
export interface ReferenceEdge {
  readonly motion: CameraMotion;
  readonly frames: number;
  /** Where it leads to. */
  readonly to: string;
}

/** The session at one point: path and the edges at its end. */
export interface ReferenceSession {
  readonly path: readonly ReferenceState[];
  /** The edge into each state of the path; undefined where it cannot be walked back. */
  readonly edges: readonly (ReferenceEdge | undefined)[];
  readonly transitions: number;
}

/** A checkpoint. */
export interface ReferenceCheckpoint {
  readonly id: string;
  readonly name: string;
  readonly state: ReferenceSession;
}

const INITIAL_STATE: ReferenceSession = { path: [], edges: [], transitions: 0 };

/** The state machine of the contract, written a second time and as simply as possible: it generates nothing. */
export class SessionReference {
  readonly maxEdges: number;
  readonly maxCheckpoints: number;
  loaded = false;
  state: ReferenceSession = INITIAL_STATE;
  checkpoints: ReferenceCheckpoint[] = [];
  /** Ids of states whose edge is kept, oldest first. */
  #kept: string[] = [];

  constructor(maxEdges: number, maxCheckpoints: number) {
    this.maxEdges = maxEdges;
    this.maxCheckpoints = maxCheckpoints;
  }

  get current(): ReferenceState | undefined {
    return this.state.path.at(-1);
  }

  /** The edge that an exact inverse would walk back now. */
  get inverseMove(): ReferenceEdge | undefined {
    const edge = this.state.edges.at(-1);
    return edge && this.#kept.includes(edge.to) ? edge : undefined;
  }

  /** Ids of the states that can be returned to without generating. */
  get retained(): Set<string> {
    return new Set(
      [this.state, ...this.checkpoints.map((checkpoint) => checkpoint.state)].flatMap(({ path, edges }) => {
        const ids: string[] = [];
        for (let i = path.length - 1; i >= 0; i--) {
          ids.push(path[i].id);
          if (!edges[i] || !this.#kept.includes(edges[i]!.to)) break;
        }
        return ids;
      }),
    );
  }

  startAt(id: string, picture: string): void {
    this.#leave({ path: [{ id, history: picture, latents: 0, depth: 0 }], edges: [undefined], transitions: 0 });
  }

  reset(): void {
    this.#leave(INITIAL_STATE);
  }

  /** The model goes, and the chain with it; `id` is the new root where there was a chain. */
  unload(id: string | undefined, picture: string): void {
    this.loaded = false;
    const { transitions } = this.state;
    const { latents = 0 } = this.current ?? {};
    if (latents === 0) return this.#leave(this.state);
    const root = { id: id!, history: `picture of ${picture}`, latents: 0, depth: 0 };
    this.#leave({ path: [root], edges: [undefined], transitions });
  }

  /** A move that generates. */
  move(id: string, words: string, blocks: number, edge: Omit<ReferenceEdge, "to"> | undefined): void {
    const { history, latents, depth } = this.current!;
    const state = { id, history: `${history} > ${words}`, latents: latents + 3 * blocks, depth: depth + 1 };
    const kept = edge && { ...edge, to: id };
    this.state = {
      path: [...this.state.path, state],
      edges: kept ? [...this.state.edges, kept] : [...this.state.edges.map(() => undefined), undefined],
      transitions: this.state.transitions + 1,
    };
    if (kept) this.#kept = [...this.#kept, id].slice(-this.maxEdges);
    this.#forget();
  }

  walkBack(): void {
    const { path, edges, transitions } = this.state;
    this.state = { path: path.slice(0, -1), edges: edges.slice(0, -1), transitions: transitions + 1 };
    this.#forget();
  }

  checkpoint(id: string, name: string): void {
    this.checkpoints.push({ id, name, state: this.state });
  }

  restore(checkpoint: ReferenceCheckpoint): void {
    this.state = checkpoint.state;
    this.#forget();
  }

  deleteCheckpoint(checkpoint: ReferenceCheckpoint): void {
    this.checkpoints = this.checkpoints.filter((other) => other !== checkpoint);
    this.#forget();
  }

  #leave(state: ReferenceSession): void {
    this.checkpoints = [];
    this.state = state;
    this.#forget();
  }

  #forget(): void {
    const sessions = [this.state, ...this.checkpoints.map((checkpoint) => checkpoint.state)];
    const used = new Set(sessions.flatMap(({ edges }) => edges.map((edge) => edge?.to)));
    this.#kept = this.#kept.filter((id) => used.has(id));
  }
}
