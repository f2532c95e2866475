/**
 * Passes of several worlds together beside those of one: what four worlds gain, what the cost of the device said, and
 * whether each has the numbers that it has alone.
 *
 * @module
 */
import type { DeviceTensor, Graph, Program } from "../../../lib/compute/tensor/mod.ts";
import { contextBlocks } from "../../../lib/models/arworld/config.ts";
import { mostWorlds } from "../../../lib/models/arworld/sampling/pass_joiner.ts";
import { joinedPassesGraph, worldName, type WorldPass } from "../../../lib/models/arworld/transformer/joined_passes.ts";
import { denoiseGraph, pastGraph } from "../../../lib/models/arworld/transformer/transformer_graphs.ts";
import { releaseAll } from "../../../lib/models/world/device_state.ts";
import { dreamxTransformer, LATENT, passFeeds, transformerWeights } from "./dreamx_weights.ts";
import { openBest } from "./open_gpu.ts";
import { median, SMALL } from "./part.ts";

const WORLDS = 4;

/** Some layers say what all do: the rest are alike. */
const LAYERS = 6;

/** What was measured. */
export interface JoinedWorlds {
  readonly worlds: number;
  readonly layers: number;
  /** Of one world, with its part of joining the window. */
  readonly aloneMs: number;
  readonly joinedMs: number;
  /** Passes in the time of one. */
  readonly gain: number;
  /** By the cost of the device. */
  readonly expectedGain: number;
  /** Worlds that would share passes by that cost. */
  readonly shared: number;
  /** Whether each has bit for bit the latents that it has alone. */
  readonly same: boolean;
}

/** Measures one world and four, whose weights are on the device once. */
export async function measureWorlds(): Promise<JoinedWorlds> {
  const { device } = await openBest();
  const config = dreamxTransformer(LAYERS);
  const weights = transformerWeights(config);
  const context = contextBlocks(config);
  const passes = Array.from({ length: WORLDS }, (): WorldPass => ({ kind: "denoise", context }));
  const graphs = [
    pastGraph(config, context, LATENT),
    denoiseGraph(config, weights, context, LATENT),
    joinedPassesGraph(config, weights, passes, LATENT),
  ];
  const [past, one, joined] = await Promise.all(graphs.map((graph) => device.compile(graph)));
  const timeOf = (graph: Graph) => device.estimate!(graph).time;
  const [pastTime, oneTime, joinedTime] = graphs.map(timeOf);
  const feeds = passFeeds(device, joined);
  const own = (world: number): Record<string, DeviceTensor> => {
    const begin = worldName(world, "");
    return Object.fromEntries(
      Object.entries(feeds).filter(([name]) => name.startsWith(begin)).map((
        [name, feed],
      ) => [name.slice(begin.length), feed]),
    );
  };
  const only = (program: Program, from: Record<string, DeviceTensor>) =>
    Object.fromEntries(Object.entries(from).filter(([name]) => program.inputs.has(name)));
  const numbers = async (tensor: DeviceTensor) => (await tensor.read()).data;
  const together = await joined.run(feeds);
  let same = true;
  for (let world = 0; world < WORLDS; world++) {
    const window = await past.run(only(past, own(world)));
    const { latents } = await one.run({ ...only(one, own(world)), ...window });
    const [alone, shared] = [await numbers(latents), await numbers(together[worldName(world, "latents")])];
    same &&= alone.every((value, i) => Object.is(value, shared[i]));
    releaseAll([latents, ...Object.values(window)]);
  }
  releaseAll(Object.values(together));
  const windowFeeds = only(past, own(0));
  const window = await past.run(windowFeeds);
  const oneFeeds = { ...only(one, own(0)), ...window };
  const ms = async (program: Program, feeds: Record<string, DeviceTensor>): Promise<number> => {
    const times: number[] = [];
    for (let i = 0; i < (SMALL ? 2 : 12); i++) {
      const begin = performance.now();
      releaseAll(Object.values(await program.run(feeds)));
      await device.idle();
      times.push(performance.now() - begin);
    }
    return median(times.slice(SMALL ? 1 : 3)); // the first runs teach the device its pace
  };
  // A block has five passes.
  const aloneMs = await ms(one, oneFeeds) + await ms(past, windowFeeds) / 5;
  const joinedMs = await ms(joined, feeds);
  releaseAll([...Object.values(window), ...Object.values(feeds)]);
  const shared = mostWorlds(device, dreamxTransformer(30), weights, LATENT);
  device.dispose();
  return {
    ...{ worlds: WORLDS, layers: config.numLayers, aloneMs, joinedMs, gain: WORLDS * aloneMs / joinedMs },
    ...{ expectedGain: WORLDS * (oneTime + pastTime / 5) / joinedTime, shared, same },
  };
}
