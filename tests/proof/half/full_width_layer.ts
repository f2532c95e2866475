/**
 * One layer of the causal transformer at the widths of the published 5B world, with random weights that keep the size of
 * numbers.
 *
 * @module
 */
import { type Device, f32, sizeOf, type Tensor } from "../../../lib/compute/tensor/mod.ts";
import { BlockSampler } from "../../../lib/models/arworld/sampling/block_sampler.ts";
import { TimeTables } from "../../../lib/models/arworld/sampling/time_tables.ts";
import { transformerShapes } from "../../../lib/models/arworld/config.ts";
import { textCacheGraph } from "../../../lib/models/arworld/transformer/transformer_graphs.ts";
import { cameraTensors } from "../../../lib/models/arworld/transformer/window_inputs.ts";
import { Weights } from "../../../lib/models/checkpoint/weights.ts";
import { normalNoise } from "../../../lib/models/noise/philox.ts";
import { type BlockCache, cacheOutputs } from "../../../lib/models/world/device_state.ts";
import { blockViews } from "../../eval/eval_scenes.ts";
import { dreamx } from "../../support/published_worlds.ts";
import { seededRandom } from "../../support/random.ts";
import { namesOf, type WeightNames } from "./graph_layers.ts";

/** Of a latent frame. */
const SIZE = { width: 16, height: 8 };

/** Samples two blocks with one layer; the device is released. */
export async function sampleFullWidth(device: Device): Promise<WeightNames> {
  const config = { ...dreamx().transformer, numLayers: 1 };
  const shapes = transformerShapes(config);
  const random = seededRandom(1);
  const weight = (name: string, shape: readonly number[]): Tensor => {
    const [centre, scale] = /norm.*weight$/.test(name)
      ? [1, 0.125]
      : [0, shape.length === 1 ? 0.0625 : name.endsWith("modulation") ? 0.25 : 1.7 / Math.sqrt(sizeOf(shape.slice(1)))];
    return f32(shape, Float32Array.from({ length: sizeOf(shape) }, () => centre + scale * (2 * random() - 1)));
  };
  const weights = new Weights(new Map([...shapes].map(([name, shape]) => [name, weight(name, shape)])));
  const program = await device.compile(textCacheGraph(config, weights));
  const rows = normalNoise(1n, 9, config.textLen * config.textDim);
  const outputs = await program.run({ text: f32([config.textLen, config.textDim], rows) });
  program.dispose();
  const text = cacheOutputs("text", config.numLayers, outputs);
  const sampler = new BlockSampler(device, config, weights, await TimeTables.compute(device, config, weights), SIZE);
  const length = 3 * config.zDim * SIZE.width * SIZE.height;
  const context: BlockCache[] = [];
  for (const [i, views] of blockViews(["w", "d"]).entries()) {
    const noise = (step: number) => normalNoise(BigInt(i), step, length);
    const block = await sampler.sample({ context: [...context], text, cameras: cameraTensors(views), noise });
    block.latents.release();
    context.push(block.cache);
  }
  sampler.dispose();
  device.dispose();
  return namesOf(weights, shapes);
}
