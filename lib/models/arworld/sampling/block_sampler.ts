/**
 * Generates one block of latent frames with the four-step sampler and fills the caches for the next block.
 *
 * @module
 */
import {
  type Device,
  type DeviceTensor,
  f32,
  type Graph,
  type Program,
  type RunOptions,
  type Shape,
  type Tensor,
} from "../../../compute/tensor/mod.ts";
import type { Weights } from "../../checkpoint/weights.ts";
import type { LatentSize } from "../../video_vae/latents.ts";
import { type BlockCache, cacheFeeds, cacheOutputs, cacheTensors, releaseAll } from "../../world/device_state.ts";
import { offerTurn, type Turn } from "../../world/turns.ts";
import { contextBlocks, type TransformerConfig } from "../config.ts";
import { LATENTS_PER_BLOCK } from "../trajectory.ts";
import { allPassesGraph, contextGraph, denoiseGraph, pastGraph } from "../transformer/transformer_graphs.ts";
import {
  contextFeeds,
  passFeeds,
  type SamplerBlock,
  startOf,
  unusedStep,
  type WindowedBlock,
  windowSlots,
} from "./pass_feeds.ts";
import { type BegunBlock, PassJoiner } from "./pass_joiner.ts";
import { SAMPLER_STEPS } from "./sampler_math.ts";
import type { TimeTables } from "./time_tables.ts";

/** A generated block; both parts are owned by the caller. */
export interface SampledBlock {
  /** Clean normalised latents [3,z,h,w]. */
  readonly latents: DeviceTensor;
  /** Keys and values for later blocks. */
  readonly cache: BlockCache;
}

/** Options of {@linkcode BlockSampler.sample}. */
export interface SampleOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called before every pass: 0 to 3 denoise, 4 fills the caches. */
  readonly onPass?: ((pass: number) => void) | undefined;
  /** Called with the clean latents, which stay the sampler's, and awaited before the caches are filled. */
  readonly onLatents?: ((latents: DeviceTensor) => Promise<void>) | undefined;
  /** Given to others between two passes, and within one, where they wait for it. */
  readonly turn?: Turn | undefined;
}

/** Transformer passes per block. */
export const PASSES: number = SAMPLER_STEPS.length + 1;

/** What a program computes: a pass, or what all passes of a block see of the committed blocks. */
type ProgramKind = "denoise" | "context" | "past";

/** The sampler of one model at one size. */
export class BlockSampler {
  readonly #device: Device;
  readonly #config: TransformerConfig;
  readonly #weights: Weights;
  readonly #times: TimeTables;
  readonly #size: LatentSize;
  readonly #programs = new Map<string, Promise<Program>>();
  readonly #single: boolean;
  readonly #joiner: PassJoiner;

  /**
   * Compiles nothing yet.
   *
   * @param size That of a latent frame.
   * @param single Whether one program computes both passes after any number of blocks, with empty slots of the window
   * hidden. On the CPU each program has its own copy of the weights; on GPUs they share them, and each pass after each
   * number of blocks has a program that leaves out what it is not for.
   */
  constructor(
    device: Device,
    config: TransformerConfig,
    weights: Weights,
    times: TimeTables,
    size: LatentSize,
    single: boolean = device.kind === "cpu",
  ) {
    this.#single = single;
    this.#device = device;
    this.#config = config;
    this.#weights = weights;
    this.#times = times;
    this.#size = size;
    this.#joiner = new PassJoiner(device, config, weights, times, size);
  }

  /** Whether passes of several worlds run together, once their windows are full. */
  get joins(): boolean {
    return this.#joiner.joins;
  }

  /** Compiles the programs of every length of the window. */
  async prepare(): Promise<void> {
    for (let context = 0; context <= contextBlocks(this.#config); context++) {
      await this.#program("denoise", context);
      await this.#program("context", context);
      if (context > 0) await this.#program("past", context);
    }
  }

  /**
   * Generates a block. Where others with a full window at this size wait for the turn, it does their passes with its own,
   * or they do.
   *
   * @throws the signal's reason when it aborts between two passes, or inside one where the device can be stopped;
   * nothing is kept then.
   */
  async sample(block: SamplerBlock, options: SampleOptions = {}): Promise<SampledBlock> {
    const { signal, onPass, turn } = options;
    const begun: BegunBlock = { block, onPass, latents: f32(this.#shape(), startOf(block)), pass: 0 };
    const company = () => this.#joiner.takes(block) ? turn?.company : undefined;
    let isShown = options.onLatents === undefined;
    const isClean = () => !isShown && begun.pass === SAMPLER_STEPS.length;
    try {
      for (;;) {
        for (let ours = company(); !begun.cache && ours?.isCalling; ours = company()) {
          await this.#joiner.rest(begun, ours.invite);
        }
        signal?.throwIfAborted();
        if (!begun.cache && !(company() && await this.#joiner.advance(begun))) {
          const isAwaited = () => isClean() || turn?.isWanted || company()?.isCalling;
          // Others have the turn without the window, which may be large.
          await this.#withWindow(block, options, (own) => this.#advance(begun, own, options, isAwaited));
        }
        if (isClean()) {
          isShown = true;
          await options.onLatents?.(begun.latents as DeviceTensor);
        }
        if (begun.cache) return { latents: begun.latents as DeviceTensor, cache: begun.cache };
        if (turn?.isWanted) await this.#joiner.rest(begun, turn.pass);
      }
    } catch (error) {
      release(begun.latents);
      if (begun.cache) releaseAll(cacheTensors([begun.cache]));
      throw error;
    }
  }

  /** The passes of a block until all are done, or others wait for the turn, or for the clean latents. */
  async #advance(
    begun: BegunBlock,
    block: WindowedBlock,
    options: SampleOptions,
    isAwaited: () => boolean | undefined,
  ): Promise<void> {
    const { signal, onPass } = options;
    for (let isFirst = true;; isFirst = false) {
      if (!isFirst && isAwaited()) return;
      signal?.throwIfAborted();
      onPass?.(begun.pass);
      if (begun.pass === SAMPLER_STEPS.length) {
        begun.cache = await this.#fillCache(block, begun.latents, options);
        return;
      }
      const next = await this.#denoise(block, begun.pass, begun.latents, options);
      release(begun.latents);
      begun.latents = next;
      begun.pass++;
    }
  }

  /** One pass: latents at the noise level of `step` to that of the next step; the last one is clean. */
  async denoise(
    block: SamplerBlock,
    step: number,
    latents: Tensor | DeviceTensor,
  ): Promise<DeviceTensor> {
    return await this.#withWindow(block, {}, (windowed) => this.#denoise(windowed, step, latents, {}));
  }

  async #denoise(
    block: WindowedBlock,
    step: number,
    latents: Tensor | DeviceTensor,
    options: SampleOptions,
  ): Promise<DeviceTensor> {
    const program = await this.#program("denoise", block.context.length);
    const feeds = passFeeds(block, step, latents, this.#times);
    const { latents: denoised, ...others } = await program.run(feeds, runOptions(options));
    releaseAll(Object.values(others));
    return denoised;
  }

  /** Shapes of the keys and values of a block, by layer. */
  async cacheShapes(): Promise<readonly { readonly k: Shape; readonly v: Shape }[]> {
    const { outputs } = await this.#program("context", 0);
    const shape = (part: string, layer: number): Shape => outputs.get(`own.${part}.${layer}`)!.shape;
    return Array.from(
      { length: this.#config.numLayers },
      (_, layer) => ({ k: shape("k", layer), v: shape("v", layer) }),
    );
  }

  /** Releases the programs. */
  dispose(): void {
    for (const program of this.#programs.values()) void program.then((p) => p.dispose(), () => {});
    this.#programs.clear();
    this.#joiner.dispose();
  }

  async #fillCache(
    block: WindowedBlock,
    latents: Tensor | DeviceTensor,
    options: SampleOptions,
  ): Promise<BlockCache> {
    const program = await this.#program("context", block.context.length);
    const feeds = passFeeds(block, SAMPLER_STEPS.length, latents, this.#times);
    const { latents: unused, ...outputs } = await program.run(
      this.#single ? { ...feeds, ...unusedStep(this.#shape()) } : feeds,
      runOptions(options),
    );
    unused?.release();
    return cacheOutputs("own", this.#config.numLayers, outputs);
  }

  /** Calls `run` with the block's window, which lasts until it has ended. */
  async #withWindow<T>(
    block: SamplerBlock,
    { signal }: SampleOptions,
    run: (block: WindowedBlock) => Promise<T>,
  ): Promise<T> {
    if (this.#single) return await run({ ...block, window: windowSlots(block.context, this.#config, this.#size) });
    const past = await this.#joinPast(block, signal);
    try {
      return await run({ ...block, window: cacheFeeds("past", past) });
    } finally {
      releaseAll(cacheTensors([past]));
    }
  }

  /** Keys and values of the committed blocks as every pass sees them; must be released. */
  async #joinPast({ context }: SamplerBlock, signal: AbortSignal | undefined): Promise<BlockCache> {
    if (context.length === 0) return [];
    signal?.throwIfAborted();
    const program = await this.#program("past", context.length);
    return cacheOutputs("past", this.#config.numLayers, await program.run(contextFeeds(context), { signal }));
  }

  #program(kind: ProgramKind, context: number): Promise<Program> {
    const key = this.#single ? "all" : `${kind} ${context}`;
    let program = this.#programs.get(key);
    if (!program) {
      program = this.#device.compile(this.#build(kind, context));
      this.#programs.set(key, program);
    }
    return program;
  }

  #build(kind: ProgramKind, context: number): Graph {
    if (this.#single) return allPassesGraph(this.#config, this.#weights, this.#size);
    if (kind === "past") return pastGraph(this.#config, context, this.#size);
    const build = kind === "denoise" ? denoiseGraph : contextGraph;
    return build(this.#config, this.#weights, context, this.#size);
  }

  #shape(): number[] {
    return [LATENTS_PER_BLOCK, this.#config.zDim, this.#size.height, this.#size.width];
  }
}

function runOptions({ signal, turn }: SampleOptions): RunOptions {
  return { signal, ...(turn && { between: async () => void await offerTurn(turn) }) };
}

function release(latents: Tensor | DeviceTensor): void {
  if ("release" in latents) releaseAll([latents]);
}
