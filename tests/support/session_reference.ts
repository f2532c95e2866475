import type { CameraMotion } from "../../lib/world/protocol/wire.ts";

/** A state of the graph as the reference knows it. */
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

/** A place: path and the edges at its end. */
export interface ReferencePlace {
  readonly path: readonly ReferenceState[];
  /** The edge into each state of the path; undefined where it cannot be walked back. */
  readonly edges: readonly (ReferenceEdge | undefined)[];
  readonly transitions: number;
}

/** A lock. */
export interface ReferenceLock {
  readonly id: string;
  readonly name: string;
  readonly place: ReferencePlace;
}

const INITIAL_STATE: ReferencePlace = { path: [], edges: [], transitions: 0 };

/** The state machine of the contract, written a second time and as simply as possible: it generates nothing. */
export class SessionReference {
  readonly maxEdges: number;
  readonly maxLocks: number;
  loaded = false;
  place: ReferencePlace = INITIAL_STATE;
  locks: ReferenceLock[] = [];
  /** Ids of states whose edge is kept, oldest first. */
  #kept: string[] = [];

  constructor(maxEdges: number, maxLocks: number) {
    this.maxEdges = maxEdges;
    this.maxLocks = maxLocks;
  }

  get current(): ReferenceState | undefined {
    return this.place.path.at(-1);
  }

  /** The edge that an exact inverse would walk back now. */
  get wayBack(): ReferenceEdge | undefined {
    const edge = this.place.edges.at(-1);
    return edge && this.#kept.includes(edge.to) ? edge : undefined;
  }

  /** Ids of the states that can be returned to without generating. */
  get retained(): Set<string> {
    return new Set([this.place, ...this.locks.map((lock) => lock.place)].flatMap(({ path, edges }) => {
      const ids: string[] = [];
      for (let i = path.length - 1; i >= 0; i--) {
        ids.push(path[i].id);
        if (!edges[i] || !this.#kept.includes(edges[i]!.to)) break;
      }
      return ids;
    }));
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
    const { transitions } = this.place;
    const { latents = 0 } = this.current ?? {};
    if (latents === 0) return this.#leave(this.place);
    const root = { id: id!, history: `picture of ${picture}`, latents: 0, depth: 0 };
    this.#leave({ path: [root], edges: [undefined], transitions });
  }

  /** A move that generates. */
  move(id: string, words: string, blocks: number, edge: Omit<ReferenceEdge, "to"> | undefined): void {
    const { history, latents, depth } = this.current!;
    const state = { id, history: `${history} > ${words}`, latents: latents + 3 * blocks, depth: depth + 1 };
    const kept = edge && { ...edge, to: id };
    this.place = {
      path: [...this.place.path, state],
      edges: kept ? [...this.place.edges, kept] : [...this.place.edges.map(() => undefined), undefined],
      transitions: this.place.transitions + 1,
    };
    if (kept) this.#kept = [...this.#kept, id].slice(-this.maxEdges);
    this.#forget();
  }

  walkBack(): void {
    const { path, edges, transitions } = this.place;
    this.place = { path: path.slice(0, -1), edges: edges.slice(0, -1), transitions: transitions + 1 };
    this.#forget();
  }

  lock(id: string, name: string): void {
    this.locks.push({ id, name, place: this.place });
  }

  restore(lock: ReferenceLock): void {
    this.place = lock.place;
    this.#forget();
  }

  unlock(lock: ReferenceLock): void {
    this.locks = this.locks.filter((other) => other !== lock);
    this.#forget();
  }

  #leave(place: ReferencePlace): void {
    this.locks = [];
    this.place = place;
    this.#forget();
  }

  #forget(): void {
    const places = [this.place, ...this.locks.map((lock) => lock.place)];
    const used = new Set(places.flatMap(({ edges }) => edges.map((edge) => edge?.to)));
    this.#kept = this.#kept.filter((id) => used.has(id));
  }
}
