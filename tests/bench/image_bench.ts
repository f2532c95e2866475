/**
 * Images: the transformer of FLUX.2 klein 4B at its full shape, and a tiny pipeline of the same kind.
 *
 * @module
 */
import { parseFlux2Config } from "../../lib/models/flux2/parse_config.ts";
import { ImagePipeline } from "../../lib/models/image_pipeline/image_pipeline.ts";
import { openFlux2 } from "../../lib/models/flux2/flux2_family.ts";
import { flux2TransformerShapes } from "../../lib/models/flux2/config.ts";
import { transformerGraph, Velocity } from "../../lib/models/flux2/transformer.ts";
import { Weights } from "../../lib/models/checkpoint/weights.ts";
import { byteSource, type Device, f32, graphCost, sizeOf, type Tensor } from "../../lib/compute/tensor/mod.ts";
import type { ModelFiles } from "../fixtures/tiny_models/model_files.ts";
import { medianMilliseconds } from "./stopwatch.ts";

/** The sizes of the released model. */
const klein = parseFlux2Config({
  index: { _class_name: "Flux2KleinPipeline", is_distilled: true },
  textEncoder: {
    vocab_size: 151936,
    hidden_size: 2560,
    intermediate_size: 9728,
    num_hidden_layers: 36,
    num_attention_heads: 32,
    num_key_value_heads: 8,
    head_dim: 128,
    rms_norm_eps: 1e-6,
    rope_theta: 1e6,
  },
  transformer: {
    attention_head_dim: 128,
    num_attention_heads: 24,
    num_layers: 5,
    num_single_layers: 20,
    in_channels: 128,
    joint_attention_dim: 7680,
    axes_dims_rope: [32, 32, 32, 32],
    rope_theta: 2000,
    guidance_embeds: false,
  },
  vae: { block_out_channels: [128, 256, 512, 512] },
  scheduler: { use_dynamic_shifting: true },
});

/** One pass of the transformer. */
export interface KleinPass {
  readonly flops: number;
  readonly seconds: number;
}

/**
 * One transformer pass for an image of 512x512 with its 512 text tokens. All blocks of a kind share the weights of one,
 * so that it fits into 8 GB of memory; the work is that of the whole model.
 *
 * @param blocks Double and single blocks; default all.
 */
export async function kleinPass(device: Device, blocks: readonly [number, number] = [5, 20]): Promise<KleinPass> {
  const [numDoubleBlocks, numSingleBlocks] = blocks;
  const config = { ...klein.transformer, numDoubleBlocks, numSingleBlocks };
  const shared = new Map<string, Tensor>();
  const weights = new Map<string, Tensor>();
  for (const [name, shape] of flux2TransformerShapes(config)) {
    const kind = name.replace(/\.\d+\./, ".");
    const weight = shared.get(kind) ?? f32(shape, wave(sizeOf(shape), Math.sqrt(2 / (shape[1] ?? 1))));
    shared.set(kind, weight);
    weights.set(name, weight);
  }
  const image = { width: 32, height: 32 };
  const { textLength } = klein;
  const graph = transformerGraph(config, new Weights(weights), { image, references: [], textLength });
  const { flops } = graphCost(graph);
  const program = await device.compile(graph);
  const velocity = new Velocity(device, program, config, { image, references: [], textLength });
  const text = device.upload(f32([textLength, config.textChannels], wave(textLength * config.textChannels, 1)));
  const start = performance.now();
  const result = await velocity.predict(wave(config.latentChannels * image.width * image.height, 1), 1, text);
  const seconds = (performance.now() - start) / 1000;
  if (!result.every(Number.isFinite)) throw new Error("Cannot measure klein: its result is not finite");
  text.release();
  velocity.release();
  program.dispose();
  return { flops, seconds };
}

/** Numbers without a pattern that a sum would notice. */
function wave(length: number, size: number): Float32Array {
  const out = new Float32Array(length);
  let x = 1;
  for (let i = 0; i < length; i++) {
    x = Math.imul(x, 1664525) + 1013904223 | 0;
    out[i] = x * 2 ** -31 * size;
  }
  return out;
}

/** The image that the tiny pipelines make. */
export const TINY_IMAGE = { prompt: "a blue corridor with red doors", width: 256, height: 256, steps: 4 } as const;

/** Milliseconds of a whole image with the tiny model, its prompt new each time; programs are there. */
export async function tinyImageBench(device: Device, files: ModelFiles): Promise<number> {
  const root = { name: "tiny-image", open: (file: string) => Promise.resolve(files[file] && byteSource(files[file])) };
  const pipeline = new ImagePipeline({ files: await openFlux2(root), device });
  let seed = 0n;
  const milliseconds = await medianMilliseconds(() => {
    seed++;
    return pipeline.generate({ ...TINY_IMAGE, prompt: `${TINY_IMAGE.prompt} ${seed}`, seed });
  });
  pipeline.dispose();
  return milliseconds;
}
