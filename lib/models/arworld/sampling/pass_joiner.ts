/**
 * Runs the passes of several worlds together, where the cost of the device says that all gain by it.
 *
 * @module
 */
import type { Device, DeviceTensor, Graph, Program, Tensor } from "../../../compute/tensor/mod.ts";
import { SvcError } from "../../../errors/svc_error.ts";
import type { Weights } from "../../checkpoint/weights.ts";
import type { LatentSize } from "../../video_vae/latents.ts";
import { type BlockCache, cacheOutputs, releaseAll } from "../../world/device_state.ts";
import { contextBlocks, type TransformerConfig } from "../config.ts";
import { joinedPassesGraph, worldName, type WorldPass } from "../transformer/joined_passes.ts";
import { denoiseGraph, pastGraph } from "../transformer/transformer_graphs.ts";
import { contextFeeds, passFeeds, type SamplerBlock } from "./pass_feeds.ts";
import { SAMPLER_STEPS } from "./sampler_math.ts";
import type { TimeTables } from "./time_tables.ts";

/** How far a block is. */
export interface BegunBlock {
  readonly block: SamplerBlock;
  readonly onPass?: ((pass: number) => void) | undefined;
  latents: Tensor | DeviceTensor;
  /** The next pass: 0 to 3 denoise, 4 fills the caches. */
  pass: number;
  /** Set by the last pass. */
  cache?: BlockCache;
}

/** Worlds of one pass. There are programs for 2, 3 and 4 worlds, by how many of them denoise. */
const MOST_WORLDS = 4;

/** Values inside a program of joined passes take no more of a device, which was planned for passes of one world. */
const MOST_BYTES = 256 * 2 ** 20;

/**
 * How many worlds run a pass together: even the mean of moves that are asked for at the same time comes no later then. One
 * after the other, they end after 1, 2, .. n times what one takes; together all end with the last.
 */
export function mostWorlds(
  device: Pick<Device, "estimate">,
  config: TransformerConfig,
  weights: Weights,
  size: LatentSize,
): number {
  if (!device.estimate) return 1;
  const context = contextBlocks(config);
  const estimate = (build: (config: TransformerConfig) => Graph): ReturnType<NonNullable<Device["estimate"]>> => {
    // All layers are alike and use the same memory.
    const few = Math.min(2, config.numLayers);
    const [one, two] = [1, few].map((numLayers) => device.estimate!(build({ ...config, numLayers })));
    return { time: one.time + (config.numLayers - 1) * (two.time - one.time), scratchBytes: two.scratchBytes };
  };
  try {
    const own = estimate((layers) => denoiseGraph(layers, weights, context, size)).time;
    const past = context > 0 ? estimate((layers) => pastGraph(layers, context, size)).time : 0;
    const alone = own + past / (SAMPLER_STEPS.length + 1);
    for (let worlds = 2; worlds <= MOST_WORLDS; worlds++) {
      const joined = Array.from({ length: worlds }, (): WorldPass => ({ kind: "denoise", context }));
      const { time, scratchBytes } = estimate((layers) => joinedPassesGraph(layers, weights, joined, size));
      if (time > alone * (worlds + 1) / 2 || scratchBytes > MOST_BYTES) return worlds - 1;
    }
  } catch (error) {
    if (error instanceof RangeError) return 1;
    throw error;
  }
  return MOST_WORLDS;
}

/** The blocks of one size that wait for their next pass. */
export class PassJoiner {
  readonly #device: Device;
  readonly #config: TransformerConfig;
  readonly #weights: Weights;
  readonly #times: TimeTables;
  readonly #size: LatentSize;
  readonly #programs = new Map<string, Promise<Program>>();
  readonly #resting = new Set<BegunBlock>();
  #most: number | undefined;

  /** Compiles nothing yet. */
  constructor(device: Device, config: TransformerConfig, weights: Weights, times: TimeTables, size: LatentSize) {
    this.#device = device;
    this.#config = config;
    this.#weights = weights;
    this.#times = times;
    this.#size = size;
  }

  /** Whether passes are joined; worked out when first asked, in tenths of a second. */
  get joins(): boolean {
    this.#most ??= mostWorlds(this.#device, this.#config, this.#weights, this.#size);
    return this.#most > 1;
  }

  /** Whether a block's passes can be joined with others, if it is known that any are: all have as long a window. */
  takes({ context }: SamplerBlock): boolean {
    return (this.#most ?? 1) > 1 && context.length === contextBlocks(this.#config);
  }

  /** Waits while others have the turn, who may do passes of the block meanwhile. */
  async rest(begun: BegunBlock, wait: (isServed: () => boolean) => Promise<void>): Promise<void> {
    if (this.takes(begun.block)) this.#resting.add(begun);
    try {
      await wait(() => begun.cache === undefined);
    } finally {
      this.#resting.delete(begun);
    }
  }

  /**
   * The next pass of a block with those of blocks that rest. False where there are none, or the device failed to run them
   * together: each then runs alone.
   */
  async advance(begun: BegunBlock): Promise<boolean> {
    const others = [...this.#resting].filter(({ cache }) => cache === undefined);
    if (others.length === 0) return false;
    const joined = [begun, ...others].slice(0, this.#most)
      .toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)));
    let outputs: Record<string, DeviceTensor>;
    try {
      const program = await this.#program(joined);
      if (joined.some((each) => each !== begun && !this.#resting.has(each))) return await this.advance(begun);
      for (const { onPass, pass } of joined) onPass?.(pass);
      outputs = await program.run(this.#feeds(joined));
    } catch (error) {
      if (error instanceof SvcError && error.code === "device_lost") throw error;
      this.#most = 1; // such as where memory is short
      return false;
    }
    joined.forEach((each, world) => {
      if (each === begun || this.#resting.has(each)) this.#take(each, world, outputs);
      else releaseAll(Object.keys(outputs).filter((name) => isOf(name, world)).map((name) => outputs[name]));
    });
    return true;
  }

  /** Releases the programs. */
  dispose(): void {
    for (const program of this.#programs.values()) void program.then((p) => p.dispose(), () => {});
    this.#programs.clear();
  }

  #take(begun: BegunBlock, world: number, outputs: Readonly<Record<string, DeviceTensor>>): void {
    if (isLast(begun)) {
      begun.cache = cacheOutputs(worldName(world, "own"), this.#config.numLayers, outputs);
      return;
    }
    if ("release" in begun.latents) begun.latents.release();
    begun.latents = outputs[worldName(world, "latents")];
    begun.pass++;
  }

  #feeds(joined: readonly BegunBlock[]): Record<string, Tensor | DeviceTensor> {
    return Object.fromEntries(joined.flatMap(({ block, pass, latents }, world) => {
      const feeds = passFeeds({ ...block, window: contextFeeds(block.context) }, pass, latents, this.#times);
      return Object.entries(feeds).map(([name, feed]) => [worldName(world, name), feed]);
    }));
  }

  #program(joined: readonly BegunBlock[]): Promise<Program> {
    const context = contextBlocks(this.#config);
    const passes = joined.map((begun): WorldPass => ({ kind: isLast(begun) ? "context" : "denoise", context }));
    const key = passes.map(({ kind }) => kind).join();
    let program = this.#programs.get(key);
    if (!program) {
      program = this.#device.compile(joinedPassesGraph(this.#config, this.#weights, passes, this.#size));
      this.#programs.set(key, program);
    }
    return program;
  }
}

function isLast({ pass }: BegunBlock): boolean {
  return pass === SAMPLER_STEPS.length;
}

function isOf(name: string, world: number): boolean {
  return name.startsWith(worldName(world, ""));
}
