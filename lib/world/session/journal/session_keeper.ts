/**
 * Keeps a session on the disk, and takes it up again.
 *
 * @module
 */
import { type ArtifactKind, OwnFiles } from "../artifacts.ts";
import type { JobRecord } from "../../protocol/job_record.ts";
import type { MoveKind } from "../../protocol/requests/move_fields.ts";
import type { ModelRecord } from "../../protocol/wire.ts";
import { SvcError } from "../../../errors/svc_error.ts";
import { type ChainNode, lineOf } from "./chain_node.ts";
import type { KeptChain } from "./kept_chain.ts";
import type { Continuity, GraphImage, SessionImage } from "./session_image.ts";
import type { WorldJournal } from "./world_journal.ts";
import type { Origin } from "./read_world.ts";

/** What a {@linkcode SessionKeeper} works with. */
export interface SessionKeeperOptions {
  readonly journal: WorldJournal;
  // deno-lint-ignore no-explicit-any -- it passes requests of either kind of model on
  readonly chain: KeptChain<any, any>;
  /** Version of this program and a fingerprint of the weights. */
  readonly model: () => Promise<string>;
  /** What the session was when its last process ended. */
  readonly restored?: SessionImage | undefined;
  /** What made the states of its chain. */
  readonly origin?: Origin | undefined;
  /** The files that the session has made. */
  readonly own?: OwnFiles | undefined;
}

/** What changes together. */
export interface SessionChange {
  readonly sessionId: string;
  readonly graph: GraphImage;
  readonly jobs: readonly JobRecord[];
  readonly lastNumber: number;
}

/** Writes every change of a session before it takes effect. */
export class SessionKeeper {
  readonly #options: SessionKeeperOptions;
  #origin: Origin | undefined;
  #continuity: Continuity | undefined;
  #resting: Promise<void> = Promise.resolve();

  constructor(options: SessionKeeperOptions) {
    this.#options = options;
    this.#origin = options.origin;
    this.#continuity = options.restored?.continuity;
  }

  /** What the session was when its last process ended. */
  get restored(): SessionImage | undefined {
    return this.#options.restored;
  }

  /** The files in the state directory that earlier processes of the session have made. */
  get own(): OwnFiles {
    return this.#options.own ?? new OwnFiles();
  }

  /** How it continues; undefined in a session that was never restored. */
  get continuity(): Continuity | undefined {
    return this.#continuity;
  }

  /** Whether the model has the state of the session. */
  get isAwake(): boolean {
    return this.#options.chain.isAwake;
  }

  /** Whether the model would have to make its state again. */
  get isAsleep(): boolean {
    const { chain } = this.#options;
    return chain.current !== undefined && !chain.isAwake;
  }

  /** Most frames of the clips that its state is made of again; undefined where it is made of none. */
  get longestClip(): number | undefined {
    return this.#options.chain.longestClip;
  }

  /** A job was accepted. */
  async accepted({ jobId, kind, createdAt }: JobRecord, number: number, output: string): Promise<void> {
    await this.#options.journal.accepted({ job_id: jobId, move: kind, created_at: createdAt, number, output });
  }

  /** An operation that is not a move is about to write a file with this number. */
  async makes(kind: Exclude<ArtifactKind, MoveKind>, number: number): Promise<void> {
    await this.#options.journal.makes(kind, number);
  }

  /**
   * Writes what the session is about to become.
   *
   * @throws {SvcError} `disk_full`, `write_failed`: it stays what it is.
   */
  async save({ graph, ...rest }: SessionChange): Promise<void> {
    const { chain, journal } = this.#options;
    const current = graph.state.depth > 0 ? chain.current : undefined;
    const nodes = needed(graph, current, (id) => chain.node(id));
    const image: SessionImage = {
      ...rest,
      graph,
      lastNode: chain.last,
      ...(current && { chain: current.id }),
      ...(this.#continuity && { continuity: this.#continuity }),
    };
    await journal.commit(image, nodes, nodes.length > 0 ? this.#origin : undefined);
  }

  /** Removes the files of states that a session has no use for any more, now that this is written down. */
  async prune(graph: GraphImage): Promise<void> {
    const { chain } = this.#options;
    const current = graph.state.depth > 0 ? chain.current : undefined;
    await chain.removeOthers(needed(graph, current, (id) => chain.node(id)));
  }

  /** A move has ended: its state gets a file of its own if making it again would take long. */
  rest(): void {
    if (!this.#options.chain.isLong) return;
    // One that cannot be written changes nothing: those before it have files.
    this.#resting = Promise.allSettled([this.#resting, this.#saveState()]).then(() => {});
  }

  /**
   * Gives the model's memory back; the next move makes its state again.
   *
   * @throws what writing its file throws
   */
  async park(): Promise<void> {
    await this.#resting;
    await this.#saveState();
    await this.#options.chain.park();
  }

  /**
   * Brings a loaded model to the state of the session.
   *
   * @param hasState Whether the session has one; one that was walked back to its image starts over.
   * @throws {SvcError} `state_invalid` when it cannot be made here: the session continues from its picture.
   */
  async wake({ device, dtype }: ModelRecord, hasState: boolean, signal?: AbortSignal): Promise<void> {
    const { chain, model } = this.#options;
    if (!hasState) chain.abandon();
    const origin = { model: await model(), device: `${device.replace(/ \(\d+ threads?\)$/, "")} ${dtype}` };
    const before = this.#origin;
    if (chain.hasStates && before && (before.model !== origin.model || before.device !== origin.device)) {
      const message = "Cannot restore the state of a world: it was made by another model, version or device, " +
        "continue from its last image";
      throw new SvcError("state_invalid", message);
    }
    await chain.wake(signal);
    this.#origin = origin;
  }

  /**
   * The model has ended by itself: the next one makes the state again.
   *
   * @param hasState Whether the session has one; a chain that was only begun is given up.
   */
  async leave(hasState: boolean): Promise<void> {
    const { chain } = this.#options;
    if (!hasState) chain.abandon();
    await chain.leave();
  }

  /** The chain could not be taken up: what comes next begins with the picture. */
  fallBack(): void {
    this.#continuity = "picture";
    this.#origin = undefined;
    this.#options.chain.abandon();
  }

  async close(): Promise<void> {
    await this.#resting;
    await this.#options.journal.close();
  }

  async #saveState(): Promise<void> {
    const { chain, journal } = this.#options;
    const saved = await chain.save();
    if (!saved) return;
    await journal.stateSaved(saved.node, saved.file);
    chain.own(saved.file);
  }
}

/** All nodes that a graph needs, each after the one that it came from. */
export function needed(
  { checkpoints, edges }: GraphImage,
  current: ChainNode | undefined,
  find: (id: number) => ChainNode | undefined,
): ChainNode[] {
  const ids = [...checkpoints.map(({ modelState }) => modelState), ...edges.map(({ edge }) => edge.modelState)];
  const ends = [current, ...ids.map((id) => id === undefined ? undefined : find(id))];
  const found = new Set(ends.flatMap((node) => node ? lineOf(node) : []));
  return [...found].sort((a, b) => a.id - b.id);
}
