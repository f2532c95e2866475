/**
 * The navigation graph: where a session stands, and everything it can go back to.
 *
 * @module
 */
import { Checkpoints } from "./checkpoints.ts";
import { NOWHERE, type Place } from "./place.ts";
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
  readonly locks: Checkpoints;
  #place: Place = NOWHERE;

  constructor({ model, files, maxRetainedEdges = 64, maxCheckpoints = 32 }: NavigationOptions) {
    const release = async (modelState: number | undefined): Promise<void> => {
      if (modelState !== undefined) await model.release(modelState);
    };
    this.edges = new RetainedEdges(maxRetainedEdges, async ({ modelState, folder }) => {
      await Promise.all([release(modelState), files.remove(folder)]);
    });
    this.locks = new Checkpoints(maxCheckpoints, async ({ modelState, framePath }) => {
      await Promise.all([release(modelState), files.remove(framePath)]);
    });
  }

  /** Where the session stands. */
  get place(): Place {
    return this.#place;
  }

  /** Moves to a place of the same world. */
  async goTo(place: Place): Promise<void> {
    this.#place = place;
    await this.edges.keepOnly(new Set(this.#places().flatMap(({ edges }) => edges.map((edge) => edge.id))));
  }

  /** Leaves the world with all its locks. */
  async leaveFor(place: Place): Promise<void> {
    await this.locks.clear();
    await this.goTo(place);
  }

  /** Jobs whose terminal frame is shown here or at a state that can be returned to. */
  shownJobs(): Set<string> {
    const scenes = this.#places().flatMap((place) => [place, ...place.edges.map((edge) => edge.source)]);
    return new Set(scenes.flatMap(({ frame }) => frame?.jobId ?? []));
  }

  /** Everywhere the session can go back to. */
  #places(): Place[] {
    return [this.#place, ...this.locks.list().map((lock) => lock.place)];
  }
}
