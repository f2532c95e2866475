/**
 * The navigation graph: the current state of a session, and every state it can return to.
 *
 * @module
 */
import { Checkpoints } from "./checkpoints.ts";
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
    this.#state = state;
    await this.edges.keepOnly(new Set(this.#reachable().flatMap(({ edges }) => edges.map((edge) => edge.id))));
  }

  /** Leaves the world and drops all its checkpoints. */
  async leaveFor(state: SessionState): Promise<void> {
    await this.checkpoints.clear();
    await this.goTo(state);
  }

  /** Jobs whose terminal frame is shown here or at a state that can be returned to. */
  shownJobs(): Set<string> {
    const scenes = this.#reachable().flatMap((state) => [state, ...state.edges.map((edge) => edge.source)]);
    return new Set(scenes.flatMap(({ frame }) => frame?.jobId ?? []));
  }

  /** All states that the session can return to. */
  #reachable(): SessionState[] {
    return [this.#state, ...this.checkpoints.list().map((checkpoint) => checkpoint.state)];
  }
}
