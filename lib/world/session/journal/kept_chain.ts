/**
 * A model's chain that outlives its model: any of its states can be made again, bit for bit.
 *
 * @module
 */
import type { RgbFrames, RgbImage } from "../../../media/images/rgb_image.ts";
import type {
  ChainModel,
  Geometry,
  PortableChain,
  PrepareOptions,
  WorldModelInfo,
} from "../../../models/world/world_model.ts";
import { SvcError } from "../../../errors/svc_error.ts";
import { longestClip, replayLimit, ReplayMeter, type ReplayOptions } from "./replay_limits.ts";
import {
  type ChainNode,
  lineOf,
  pixelHash,
  readState,
  sha256,
  type StateFile,
  type StateFiles,
  stateLost,
} from "./chain_node.ts";

/** A model of either kind. */
interface Generator<Request, Options> extends PortableChain {
  generate(request: Request, options?: Options): Promise<RgbFrames>;
}

/** Options of a {@linkcode KeptChain}. */
export interface KeptChainOptions {
  readonly files: StateFiles;
  /** Seconds that making a state again may take before it gets a file of its own. */
  readonly replaySeconds?: number | undefined;
  /** The largest frames of a state that is read. */
  readonly largest?: Geometry | undefined;
  /** A monotonic clock, in milliseconds; that of the process by default. */
  readonly now?: (() => number) | undefined;
}

/** How long a return to a state may take where nothing else is said, in seconds. */
const REPLAY_SECONDS = 3;

interface Kept {
  readonly node: ChainNode;
  owners: number;
}

/**
 * Passes calls on to a model and remembers what its states came from. A state is made again when it is next needed: from
 * the newest file before it, by the requests since then, whose pictures must be those of the first time.
 *
 * Kept states are named by the numbers of their nodes, which a journal may write down.
 */
export class KeptChain<Request, Options extends ReplayOptions> implements ChainModel {
  readonly #inner: Generator<Request, Options>;
  readonly #files: StateFiles;
  readonly #replaySeconds: number;
  readonly #largest: Geometry | undefined;
  readonly #now: () => number;
  readonly #kept = new Map<number, Kept>();
  /** States that the model keeps too, by the numbers of their nodes. */
  readonly #real = new Map<number, number>();
  #current: ChainNode | undefined;
  /** Where the model itself is. */
  #live: ChainNode | undefined;
  /** Files of its states. */
  readonly #names = new Set<string>();
  #last = 0;
  #saving: Promise<void> = Promise.resolve();

  /** A chain without any state. */
  constructor(inner: Generator<Request, Options>, options: KeptChainOptions) {
    this.#inner = inner;
    this.#files = options.files;
    this.#replaySeconds = options.replaySeconds ?? REPLAY_SECONDS;
    this.#largest = options.largest;
    this.#now = options.now ?? (() => performance.now());
  }

  /** The current state. */
  get current(): ChainNode | undefined {
    return this.#current;
  }

  /** Whether there is any state. */
  get hasStates(): boolean {
    return this.#current !== undefined || this.#kept.size > 0;
  }

  /** Whether the model has the current state. */
  get isAwake(): boolean {
    return this.#live !== undefined && this.#live === this.#current;
  }

  /** The node of a kept state. */
  node(id: number): ChainNode | undefined {
    return this.#kept.get(id)?.node;
  }

  /** The number of its newest state. */
  get last(): number {
    return this.#last;
  }

  /** Takes over states that were kept by another process; kept ones have one owner for each mention. */
  adopt(current: ChainNode | undefined, kept: readonly ChainNode[], last: number): void {
    this.#forget();
    this.#current = current;
    this.#last = last;
    for (const node of kept) this.#keep(node);
    for (const node of current ? [current, ...kept] : kept) {
      const name = lineOf(node).at(-1)?.file?.name;
      if (name !== undefined) this.#names.add(name);
    }
  }

  /** Gives the current state up; kept ones stay. */
  abandon(): void {
    this.#current = this.#live = undefined;
  }

  get isGone(): boolean {
    return this.#inner.isGone ?? false;
  }

  lose(): void {
    this.#live = undefined;
    this.#real.clear();
  }

  prepare(options?: PrepareOptions): Promise<WorldModelInfo> {
    return this.#inner.prepare(options);
  }

  async begin(image: RgbImage, geometry: Geometry): Promise<void> {
    this.#live = undefined;
    await this.#inner.begin(image, geometry);
    const node: ChainNode = { id: ++this.#last, seconds: 0 };
    node.file = await this.#write(node, await this.#inner.exportState());
    this.own(node.file);
    this.#live = this.#current = node;
  }

  distance(image: RgbImage): Promise<number | undefined> {
    return this.#inner.distance(image);
  }

  async generate(request: Request, options?: Options): Promise<RgbFrames> {
    await this.wake(options?.signal);
    const parent = this.#current;
    const start = this.#now();
    this.#live = undefined; // a save meanwhile would keep a state under the number of another
    const frames = await this.#inner.generate(request, options).catch((error) => {
      if (options?.signal?.aborted) this.#live = parent;
      throw error;
    });
    const seconds = (this.#now() - start) / 1000;
    const node: ChainNode = { id: ++this.#last, parent, request, seconds, pixels: await pixelHash(frames) };
    this.#live = this.#current = node;
    return frames;
  }

  /**
   * Brings the model to the current state. It stops between two steps of the model.
   *
   * @throws {SvcError} `state_invalid` when that state cannot be made again, or takes far longer than the first time.
   */
  async wake(signal?: AbortSignal): Promise<void> {
    const current = this.#current;
    if (!current || this.#live === current) return;
    this.#live = undefined;
    const real = (node: ChainNode): number | undefined => this.#real.get(node.id);
    const line = lineOf(current);
    const known = line.findIndex((node) => real(node) !== undefined);
    const [start, ...rest] = line.slice(0, known < 0 ? line.length : known + 1).reverse();
    if (known >= 0) await this.#inner.restore(real(start)!);
    else await this.#inner.importState(await readState(this.#files, start), this.#largest);
    const meter = new ReplayMeter(this.#now, replayLimit(rest), signal);
    for (const node of rest) {
      const frames = await meter.during((options) => this.#inner.generate(node.request as Request, options as Options))
        .catch((error) => {
          if (error instanceof SvcError || signal?.aborted) throw error;
          throw stateLost("its moves cannot be made again");
        });
      if (await pixelHash(frames) !== node.pixels) throw stateLost("its pictures come out differently here");
    }
    this.#live = current;
  }

  async snapshot(): Promise<number> {
    const node = this.#current;
    if (!node) throw new Error("Cannot keep the state: there is no chain");
    if (this.#live === node && !this.#real.has(node.id)) this.#real.set(node.id, await this.#inner.snapshot());
    this.#keep(node);
    return node.id;
  }

  async restore(id: number): Promise<void> {
    const kept = this.#kept.get(id);
    if (!kept) throw new Error(`Cannot restore state ${id}: it was not kept or is released`);
    const real = this.#real.get(id);
    if (real !== undefined) {
      this.#live = undefined;
      await this.#inner.restore(real);
      this.#live = kept.node;
    }
    this.#current = kept.node;
  }

  async release(id: number): Promise<void> {
    const kept = this.#kept.get(id);
    if (!kept) throw new Error(`Cannot release state ${id}: it was not kept or is released already`);
    if (--kept.owners > 0) return;
    this.#kept.delete(id);
    const real = this.#real.get(id);
    this.#real.delete(id);
    if (real !== undefined) await this.#inner.release(real);
  }

  async unload(): Promise<void> {
    this.#forget();
    await this.#saving;
    await this.#inner.unload();
  }

  /** Gives the model's memory back and forgets nothing: the next call makes the state again, {@linkcode save} it first. */
  async park(): Promise<void> {
    this.lose();
    await this.#inner.drop();
  }

  /** Gives the model up and forgets nothing. */
  async leave(): Promise<void> {
    this.lose();
    await this.#saving;
    await this.#inner.unload();
  }

  /** Most frames of the clips that {@linkcode wake} would make; undefined where it makes none. */
  get longestClip(): number | undefined {
    return this.#current && !this.isAwake ? longestClip(lineOf(this.#current).slice(0, -1)) : undefined;
  }

  /** Whether making the current state again would take long. */
  get isLong(): boolean {
    const line = this.#current ? lineOf(this.#current) : [];
    return line.reduce((sum, node) => sum + node.seconds, 0) > this.#replaySeconds;
  }

  /** Writes the current state into a file of its own; undefined when it has one, or the model has not that state. */
  async save(): Promise<{ readonly node: ChainNode; readonly file: StateFile } | undefined> {
    const node = this.#current;
    if (!node || node.file || this.#live !== node) return undefined;
    const id = await this.#inner.snapshot();
    const write = async (): Promise<StateFile> => {
      try {
        return await this.#write(node, await this.#inner.exportState(id));
      } finally {
        await this.#inner.release(id).catch(() => {}); // an unloaded model has lost it
      }
    };
    const written = write();
    this.#saving = Promise.allSettled([this.#saving, written]).then(() => {});
    return { node, file: await written };
  }

  /** A file is named by a journal: from now on it goes when nothing needs it. */
  own({ name }: StateFile): void {
    this.#names.add(name);
  }

  /** Removes the files of states that none of these needs. */
  async removeOthers(needed: readonly ChainNode[]): Promise<void> {
    const names = new Set(needed.flatMap(({ file }) => file?.name ?? []));
    // Chosen before anything is awaited: a file that is named meanwhile is not one of them.
    const others = [...this.#names].filter((name) => !names.has(name));
    for (const name of others) this.#names.delete(name);
    for (const name of others) await this.#files.remove(name);
  }

  async #write({ id }: ChainNode, bytes: Uint8Array): Promise<StateFile> {
    const name = `chain-${String(id).padStart(6, "0")}.state`;
    await this.#files.write(name, bytes);
    return { name, bytes: bytes.length, sha256: await sha256(bytes) };
  }

  #keep(node: ChainNode): void {
    const kept = this.#kept.get(node.id) ?? { node, owners: 0 };
    kept.owners++;
    this.#kept.set(node.id, kept);
  }

  #forget(): void {
    this.#current = this.#live = undefined;
    this.#kept.clear();
    this.#real.clear();
  }
}
