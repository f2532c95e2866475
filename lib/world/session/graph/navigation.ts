/**
 * The navigation graph: the current state of a session, and every state it can return to.
 *
 * @module
 */
import { type Checkpoint, Checkpoints } from "./checkpoints.ts";
import { type Edge, type RetainedEdge, RetainedEdges } from "./edges.ts";
import type { Scene } from "../scene/scene.ts";
import type { SettledLimits } from "../session_options.ts";
import { INITIAL_STATE, type SessionState } from "./session_state.ts";
import type { WorldFiles } from "../world_files.ts";
import type { GraphImage } from "../journal/session_image.ts";
import type { ChainModel } from "../../../models/world/world_model.ts";

/** Options of {@linkcode Navigation}. */
export interface NavigationOptions {
  readonly limits: SettledLimits;
  readonly model: ChainModel;
  readonly files: WorldFiles;
  /** Writes down what the graph is about to become; nothing changes when it fails. */
  readonly save?: ((graph: GraphImage) => Promise<void>) | undefined;
  /** The graph to begin with. */
  readonly restored?: GraphImage | undefined;
}

/** The current state of a session with its edges and checkpoints; whatever becomes unreachable is released. */
export class Navigation {
  readonly edges: RetainedEdges;
  readonly checkpoints: Checkpoints;
  readonly #save: (graph: GraphImage) => Promise<void>;
  #state: SessionState = INITIAL_STATE;

  constructor(options: NavigationOptions) {
    const { model, files, limits, save, restored } = options;
    this.#save = save ?? (() => Promise.resolve());
    const release = async (modelState: number | undefined): Promise<void> => {
      if (modelState !== undefined) await model.release(modelState);
    };
    this.edges = new RetainedEdges(limits.maxRetainedEdges, async ({ modelState, folder }) => {
      await Promise.all([release(modelState), files.remove(folder)]);
    });
    this.checkpoints = new Checkpoints(limits.maxCheckpoints, async ({ modelState, framePath }) => {
      await Promise.all([release(modelState), files.remove(framePath)]);
    });
    if (!restored) return;
    this.#state = restored.state;
    for (const checkpoint of restored.checkpoints) this.checkpoints.add(checkpoint);
    for (const { id, edge } of restored.edges) this.edges.restore(id, edge);
  }

  /** The current state. */
  get state(): SessionState {
    return this.#state;
  }

  /** The graph as it is, or as it is about to become. */
  image(next: Partial<GraphImage> = {}): GraphImage {
    return { state: this.#state, checkpoints: this.checkpoints.list(), edges: this.edges.list(), ...next };
  }

  /** Moves to a state of the same world. */
  async goTo(state: SessionState): Promise<void> {
    await this.#save(this.image({ state }));
    await this.arriveAt(state);
  }

  /**
   * Shows a state that has been written down already.
   *
   * @param added The edge that led there.
   */
  async arriveAt(state: SessionState, added?: { readonly id: string; readonly edge: RetainedEdge }): Promise<void> {
    if (added) await this.edges.add(added.id, added.edge);
    // An edge before one that is no longer kept can never be replayed, and would hold its image forever.
    this.#state = { ...state, edges: this.#within(state) };
    await this.edges.keepOnly(new Set(this.reachable.flatMap(({ edges }) => edges.map((edge) => edge.id))));
  }

  /** Shows the state at the end of an edge at once; what is beyond the limits is dropped when it is arrived at. */
  show(state: SessionState, added: { readonly id: string; readonly edge: RetainedEdge }): void {
    this.edges.restore(added.id, added.edge);
    this.#state = { ...state, edges: this.#within(state) };
  }

  /** Leaves the world and drops all its checkpoints. */
  async leaveFor(state: SessionState): Promise<void> {
    await this.#save({ state, checkpoints: [], edges: [] });
    await this.checkpoints.clear();
    await this.arriveAt(state);
  }

  /** Keeps a checkpoint. */
  async addCheckpoint(checkpoint: Checkpoint): Promise<void> {
    await this.#save(this.image({ checkpoints: [...this.checkpoints.list(), checkpoint] }));
    this.checkpoints.add(checkpoint);
  }

  /** Gives a checkpoint up, with all that only it leads to. */
  async removeCheckpoint(checkpoint: Checkpoint): Promise<void> {
    await this.#save(this.image({ checkpoints: this.checkpoints.list().filter((other) => other !== checkpoint) }));
    await this.checkpoints.remove(checkpoint);
    await this.arriveAt(this.#state);
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
