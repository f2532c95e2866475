/**
 * The navigation graph: the current state of a session, and every state it can return to.
 *
 * @module
 */
import { Checkpoints } from "./checkpoints.ts";
import type { Edge } from "./edge.ts";
import type { Scene } from "../scene/scene.ts";
import { INITIAL_STATE, type SessionState } from "./session_state.ts";
import { RetainedEdges } from "./retained_edges.ts";
import type { WorldFiles } from "../world_files.ts";
import type { ChainModel } from "../../../models/world/world_model.ts";

/** How much a session keeps. */
export interface NavigationLimits {
  /** Maximum number of replayable edges, over all paths; 64 by default. */
  readonly maxRetainedEdges?: number | undefined;
  /** Maximum number of checkpoints; 32 by default. */
  readonly maxCheckpoints?: number | undefined;
}

/** Options of {@linkcode Navigation}. */
export interface NavigationOptions extends NavigationLimits {
  readonly model: ChainModel;
  readonly files: WorldFiles;
}

/** The current state of a session with its edges and checkpoints; whatever becomes unreachable is released. */
export class Navigation {
  readonly edges: RetainedEdges;
  readonly checkpoints: Checkpoints;
  #state: SessionState = INITIAL_STATE;

  constructor({ model, files, maxRetainedEdges = 64, maxCheckpoints = 32 }: NavigationOptions) {
    const release = async (modelState: number | undefined): Promise<void> => {
      if (modelState !== undefined) await model.release(modelState);
    };
    this.edges = new RetainedEdges(maxRetainedEdges, async ({ modelState, folder }) => {
      await Promise.all([release(modelState), files.remove(folder)]);
    });
    this.checkpoints = new Checkpoints(maxCheckpoints, async ({ modelState, framePath }) => {
      await Promise.all([release(modelState), files.remove(framePath)]);
    });
  }

  /** The current state. */
  get state(): SessionState {
    return this.#state;
  }

  /** Moves to a state of the same world. */
  async goTo(state: SessionState): Promise<void> {
    // An edge before one that is no longer kept can never be replayed, and would hold its image for ever.
    this.#state = { ...state, edges: this.#within(state) };
    await this.edges.keepOnly(new Set(this.reachable.flatMap(({ edges }) => edges.map((edge) => edge.id))));
  }

  /** Leaves the world and drops all its checkpoints. */
  async leaveFor(state: SessionState): Promise<void> {
    await this.checkpoints.clear();
    await this.goTo(state);
  }

  /** Jobs whose terminal frame is shown here or at a state that can be returned to. */
  shownJobs(): Set<string> {
    return new Set(this.#scenes().flatMap(({ frame }) => frame?.jobId ?? []));
  }

  /** Paths of the files and folders without which a state that can be returned to would not be shown or replayed. */
  neededFiles(): Set<string> {
    const edges = this.reachable.flatMap(({ edges }) => edges);
    return new Set([
      ...this.#scenes().flatMap(({ frame }) => frame?.path ?? []),
      ...edges.flatMap(({ id }) => this.edges.get(id)?.folder ?? []),
      ...this.checkpoints.list().map(({ framePath }) => framePath),
    ]);
  }

  /** What is shown here and at every state that can be returned to. */
  #scenes(): Scene[] {
    return this.reachable.flatMap((state) => [state, ...this.#within(state).map((edge) => edge.source)]);
  }

  /** The edges of a state as far back as they are kept. */
  #within({ edges }: SessionState): readonly Edge[] {
    return edges.slice(edges.findLastIndex(({ id }) => !this.edges.get(id)) + 1);
  }

  /** The current state, then all others that the session can return to. */
  get reachable(): SessionState[] {
    return [this.#state, ...this.checkpoints.list().map((checkpoint) => checkpoint.state)];
  }
}
