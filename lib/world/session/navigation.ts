/**
 * The navigation graph: where a session stands, and everything it can go back to.
 *
 * @module
 */
import { Checkpoints } from "./checkpoints.ts";
import { INITIAL_STATE, type SessionState } from "./session_state.ts";
import { RetainedEdges } from "./retained_edges.ts";
import type { WorldFiles } from "./world_files.ts";
import type { ChainModel } from "../../models/world/world_model.ts";

/** How much a session keeps. */
export interface NavigationLimits {
  /** Edges that can be walked back, over all paths; 64 when omitted. */
  readonly maxRetainedEdges?: number | undefined;
  /** Locks at the same time; 32 when omitted. */
  readonly maxCheckpoints?: number | undefined;
}

/** Options of {@linkcode Navigation}. */
export interface NavigationOptions extends NavigationLimits {
  readonly model: ChainModel;
  readonly files: WorldFiles;
}

/** The place of a session with its edges and locks; what nothing leads to any more is released. */
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

  /** Where the session stands. */
  get state(): SessionState {
    return this.#state;
  }

  /** Moves to a place of the same world. */
  async goTo(state: SessionState): Promise<void> {
    this.#state = state;
    await this.edges.keepOnly(new Set(this.#reachable().flatMap(({ edges }) => edges.map((edge) => edge.id))));
  }

  /** Leaves the world with all its locks. */
  async leaveFor(state: SessionState): Promise<void> {
    await this.checkpoints.clear();
    await this.goTo(state);
  }

  /** Jobs whose terminal frame is shown here or at a state that can be returned to. */
  shownJobs(): Set<string> {
    const scenes = this.#reachable().flatMap((state) => [state, ...state.edges.map((edge) => edge.source)]);
    return new Set(scenes.flatMap(({ frame }) => frame?.jobId ?? []));
  }

  /** Everywhere the session can go back to. */
  #reachable(): SessionState[] {
    return [this.#state, ...this.checkpoints.list().map((checkpoint) => checkpoint.state)];
  }
}
