/**
 * The causal transformer of DreamX-World-5B at 512x320: a denoising pass with a full window, of one layer and of all 30,
 * and what it takes of the card's memory beside what was planned.
 *
 * @module
 */
import { graphCost } from "../../../lib/compute/tensor/mod.ts";
import { planProgram } from "../../../lib/compute/webgpu/plan_program.ts";
import { contextBlocks } from "../../../lib/models/arworld/config.ts";
import { denoiseGraph } from "../../../lib/models/arworld/transformer/transformer_graphs.ts";
import { dreamxTransformer, LATENT, passFeeds, transformerWeights } from "./dreamx_weights.ts";
import { DispatchTimes } from "./dispatch_times.ts";
import { measureWorlds } from "./joined_worlds.ts";
import { openBest } from "./open_gpu.ts";
import { log, median, messageOf, type PartResults, runPart, secondsLeft, SMALL } from "./part.ts";
import { peaksOf } from "./peaks.ts";

/** Passes of a block: four steps of denoising, and one that fills the caches. */
const PASSES = SMALL ? 1 : 5;

await runPart("pass", async (results) => {
  let failed = "";
  for (const layers of SMALL ? [30] : [1, 30]) {
    if (secondsLeft() < 8) throw new Error(`no time was left for ${layers} layers`);
    try {
      await measurePass(results, layers);
    } catch (error) {
      failed = messageOf(error);
      results.set(`layers${layers}`, { problem: failed });
      log(`${layers} layers failed: ${error instanceof Error ? error.stack : error}`);
    }
  }
  try {
    if (secondsLeft() < 8) throw new Error("no time was left for passes of four worlds");
    results.set("worlds", await measureWorlds());
  } catch (error) {
    failed = messageOf(error);
    results.set("worlds", { problem: failed });
  }
  log(JSON.stringify(results.data.worlds));
  if (failed) throw new Error(failed);
});

async function measurePass(results: PartResults, layers: number): Promise<void> {
  const opened = await openBest({ timestamps: true });
  const { device, tiles } = opened;
  const dispatchTimes = DispatchTimes.watch(opened.gpu);
  const config = dreamxTransformer(layers);
  const graph = denoiseGraph(config, transformerWeights(config), contextBlocks(config), LATENT);
  const { flops } = graphCost(graph, device.precision === "f16" ? 2 : 4);
  const plan = planProgram(graph, device.precision);
  const start = performance.now();
  const program = await device.compile(graph);
  await device.idle();
  const loadMs = performance.now() - start;
  const programBytes = device.memory().allocated;
  const feeds = passFeeds(device, program);
  const once = async () => (await program.run(feeds)).latents.release();
  const times: number[] = [];
  const until = performance.now() + (SMALL ? 0 : 5000);
  while (times.length < (SMALL ? 2 : 6) || times.length < 25 && performance.now() < until) {
    const begin = performance.now();
    await once();
    await device.idle();
    times.push(performance.now() - begin);
  }
  const begin = performance.now();
  for (let i = 0; i < PASSES; i++) await once();
  await device.idle();
  const passesMs = performance.now() - begin;
  const { latents } = await program.run(feeds);
  const data = (await latents.read()).data as Float32Array;
  latents.release();
  const finite = data.every(Number.isFinite);
  // The first runs teach the device its pace.
  const ms = median(times.length > 4 ? times.slice(3) : times.slice(1));
  const peaks = peaksOf(device.label);
  const peak = peaks && (device.precision === "f16" ? peaks.half : peaks.single);
  const weightBytes = [...plan.constants.values()].reduce((sum, bytes) => sum + bytes, 0);
  results.set(`layers${layers}`, {
    ...{
      layers: config.numLayers,
      precision: device.precision,
      tiles,
      ms,
      firstMs: times[0],
      passes: PASSES,
      passesMs,
      loadMs,
    },
    ...{ tflop: flops / 1e12, tflops: flops / ms / 1e9, ofPeak: peak && flops / ms / 1e9 / peak },
    ...{ dispatches: plan.dispatches, finite },
    rms: Math.sqrt(data.reduce((sum, x) => sum + x * x, 0) / data.length),
    plannedBytes: weightBytes + plan.scratchBytes,
    programBytes,
    peakBytes: device.memory().peak,
  });
  log(JSON.stringify(results.data[`layers${layers}`]));
  results.set(`kernels${layers}`, await dispatchTimes.of(once));
  for (const feed of Object.values(feeds)) feed.release();
  program.dispose();
  device.dispose();
  if (!finite) throw new Error(`a pass of ${config.numLayers} layers gave numbers that are not finite`);
}
