/**
 * One layer of the causal transformer and the decoder with half of its blocks at the widths of the published 5B world,
 * against what PyTorch gave for the same weights (`full_width.py` makes what `data/full_width.golden` is packed from).
 *
 * @module
 */
import { readFile } from "node:fs/promises";
import { type Device, f32, openSafetensors, type Shape, sizeOf, type Tensor } from "../../lib/compute/tensor/mod.ts";
import { type TransformerConfig, transformerShapes } from "../../lib/models/arworld/config.ts";
import { BlockSampler } from "../../lib/models/arworld/sampling/block_sampler.ts";
import { TimeTables } from "../../lib/models/arworld/sampling/time_tables.ts";
import { textCacheGraph } from "../../lib/models/arworld/transformer/transformer_graphs.ts";
import { cameraTensors } from "../../lib/models/arworld/transformer/window_inputs.ts";
import { type TensorShapes, Weights } from "../../lib/models/checkpoint/weights.ts";
import { FrameDecoder } from "../../lib/models/video_vae/frame_decoder.ts";
import { vaeShapes } from "../../lib/models/video_vae/vae_config.ts";
import { type BlockCache, cacheOutputs, type DecoderHistory, releaseAll } from "../../lib/models/world/device_state.ts";
import { Golden } from "../goldens/golden.ts";
import { unpackGolden } from "../goldens/packed/packed_golden.ts";
import { dreamx } from "../support/published_worlds.ts";

const SIZE = { width: 8, height: 2 };
const TEXT = 9;

/** In (-scale, scale), the same numbers as in `full_width.py`: 32-bit integers, then one product in 32-bit floats. */
function numbers(name: string, count: number, scale: number): Float32Array {
  let seed = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(name)) seed = Math.imul(seed ^ byte, 0x01000193);
  const factor = Math.fround(scale);
  const out = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    let x = Math.imul(i, 0x9e3779b9) + seed | 0;
    x = Math.imul(x ^ x >>> 16, 0x7feb352d);
    x = Math.imul(x ^ x >>> 15, 0x846ca68b);
    x ^= x >>> 16;
    out[i] = ((x >>> 8) * 2 ** -23 - 1) * factor;
  }
  return out;
}

function weight(name: string, shape: Shape): Tensor {
  const size = sizeOf(shape);
  if (/gamma|norm.*weight$/.test(name)) return f32(shape, numbers(name, size, 0.125).map((x) => 1 + x));
  const scale = shape.length === 1
    ? 0.0625
    : name.endsWith("modulation")
    ? 0.25
    : 1.5 / Math.sqrt(sizeOf(shape.slice(1)));
  return f32(shape, numbers(name, size, scale));
}

function weights(shapes: TensorShapes, names: RegExp): Weights {
  return new Weights(new Map([...shapes].filter(([n]) => names.test(n)).map(([n, shape]) => [n, weight(n, shape)])));
}

/** What PyTorch gave: of the largest tensors a sample, and the means of rows and columns. */
export async function openReference(): Promise<Golden> {
  const packed = await readFile(new URL("./data/full_width.golden", import.meta.url));
  return await Golden.read(await openSafetensors("full_width", unpackGolden(packed)));
}

/** The largest difference from what PyTorch gave; infinite where sizes differ. */
export interface Difference {
  /** As a share of the standard deviation. */
  readonly ofDeviation: number;
  /** As a share of the largest number. */
  readonly ofLargest: number;
}

const NONE: Difference = { ofDeviation: 0, ofLargest: 0 };

function largerOf(a: Difference, b: Difference): Difference {
  // Math.max() keeps what is not a number.
  return { ofDeviation: Math.max(a.ofDeviation, b.ofDeviation), ofLargest: Math.max(a.ofLargest, b.ofLargest) };
}

function difference(reference: Golden, name: string, found: ArrayLike<number>): Difference {
  const { theirs } = reference.kept(name, found);
  const mean = theirs.reduce((sum, x) => sum + x, 0) / theirs.length;
  const deviation = Math.sqrt(theirs.reduce((sum, x) => sum + (x - mean) ** 2, 0) / theirs.length);
  const before = reference.comparisons.length;
  reference.compare(name, found, Infinity);
  const most = Math.max(...reference.comparisons.slice(before).map(({ maxAbs }) => maxAbs));
  const largest = theirs.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  return { ofDeviation: most / deviation, ofLargest: most / largest };
}

/**
 * How far a device is from PyTorch at the most: two blocks of four steps and the pass that fills the caches, with the
 * window of the second.
 */
export async function sampledBlocks(reference: Golden, device: Device): Promise<Difference> {
  const config: TransformerConfig = { ...dreamx().transformer, numLayers: 1 };
  const own = weights(transformerShapes(config), /./);
  const text = await textCache(device, config, own);
  const times = await TimeTables.compute(device, config, own);
  const sampler = new BlockSampler(device, config, own, times, SIZE);
  const shape = [3, config.zDim, SIZE.height, SIZE.width];
  const context: BlockCache[] = [];
  let most = NONE;
  for (const block of [0, 1]) {
    const views = reference.input(`views.${block}`);
    const { latents, cache } = await sampler.sample({
      ...{ context: [...context], text, cameras: cameraTensors(views.data) },
      ...(block === 0 ? { firstFrame: numbers("first", sizeOf(shape.slice(1)), 1.5) } : {}),
      noise: (step) => numbers(`noise ${block} ${step}`, sizeOf(shape), 1.5),
    });
    context.push(cache);
    most = largerOf(most, difference(reference, `latents.${block}`, (await latents.read()).data));
    for (const part of ["k", "v"] as const) {
      const { data } = await cache[0][part].read();
      most = largerOf(most, difference(reference, `${part}.${block}`, data));
    }
  }
  return most;
}

async function textCache(device: Device, config: TransformerConfig, own: Weights): Promise<BlockCache> {
  const program = await device.compile(textCacheGraph(config, own));
  const rows = new Float32Array(config.textLen * config.textDim);
  rows.set(numbers("text", TEXT * config.textDim, 1.5));
  const outputs = await program.run({ text: f32([config.textLen, config.textDim], rows) });
  program.dispose();
  return cacheOutputs("text", config.numLayers, outputs);
}

/** The same for two latents of 2x2 in two calls, the start of a stream and what follows: by the whole decoder, and in parts. */
export async function decodedFrames(reference: Golden, device: Device): Promise<Difference> {
  const vae = { ...dreamx().vae, numResBlocks: 1 };
  const config = { vae, latentsMean: new Array(vae.zDim).fill(0), latentsStd: new Array(vae.zDim).fill(1) };
  const own = weights(vaeShapes(vae), /^(decoder|conv2)\./);
  const size = { width: 2, height: 2 };
  let most = NONE;
  for (const inParts of [false, true]) {
    // One program after the other: each has its own copy of two gigabytes of weights.
    const decoder = await FrameDecoder.compile(device, config, own, size, 1, { inParts, single: true });
    let history: DecoderHistory | undefined;
    for (const call of [0, 1]) {
      const latents = f32(decoder.shape, numbers(`latent ${call}`, sizeOf(decoder.shape), 1.5));
      const decoded = await decoder.decode(latents, history);
      history = decoded.history;
      most = largerOf(most, difference(reference, `frames.${call}`, decoded.frames));
    }
    releaseAll(history!.values());
    decoder.dispose();
  }
  return most;
}
