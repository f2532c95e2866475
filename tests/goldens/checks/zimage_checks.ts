/**
 * Checks of the Z-Image networks.
 *
 * @module
 */
import { decodeImage } from "../../../lib/models/flux2/autoencoder.ts";
import { rotaryTables } from "../../../lib/models/flux2/tokens.ts";
import { eulerStep } from "../../../lib/models/flux2/schedule.ts";
import { timeSinusoid } from "../../../lib/models/layers/dense.ts";
import { qwen3Layers, textPositions as qwen3Positions } from "../../../lib/models/qwen3/text_encoder.ts";
import { PATCH_SIZE, TIME_CHANNELS, type ZImageTransformerConfig } from "../../../lib/models/zimage/config.ts";
import { shiftedLevels } from "../../../lib/models/zimage/zimage_family.ts";
import { imagePositions, textPositions, transformer } from "../../../lib/models/zimage/transformer.ts";
import type { Weights } from "../../../lib/models/checkpoint/weights.ts";
import { add, type Device, div, f32, gather, slice, type Tensor, type Value } from "../../../lib/compute/tensor/mod.ts";
import type { Checks } from "../check.ts";
import type { Golden } from "../golden.ts";
import { GraphRunner, runGraph, type Tensors } from "../run_graph.ts";
import { qwen3Config } from "./image_configs.ts";

export const zimageChecks: Checks = { zimage_transformer, zimage_e2e };

function configOf(golden: Golden): ZImageTransformerConfig {
  const c = golden.config.transformer as Record<string, number & readonly number[]>;
  return {
    hiddenSize: c.dim,
    numHeads: c.n_heads,
    numBlocks: c.n_layers,
    numRefiners: c.n_refiner_layers,
    latentChannels: c.in_channels,
    textChannels: c.cap_feat_dim,
    ropeAxes: c.axes_dims,
    ropeTheta: c.rope_theta,
    normEps: c.norm_eps,
  };
}

/** The inputs of the transformer at a time from 0 to 1. */
function inputsOf(config: ZImageTransformerConfig, latents: Tensor, text: Tensor, time: number): Tensors {
  const [, h, w] = latents.shape;
  const [count] = text.shape;
  const size = { height: h / PATCH_SIZE, width: w / PATCH_SIZE };
  const image = rotaryTables(imagePositions(size, count), config.ropeAxes, config.ropeTheta);
  const words = rotaryTables(textPositions(count), config.ropeAxes, config.ropeTheta);
  const sinusoid = f32([1, TIME_CHANNELS], timeSinusoid([1000 * time], TIME_CHANNELS));
  return { latents, text, sinusoid, ic: image.cos, is: image.sin, tc: words.cos, ts: words.sin };
}

function valuesOf(v: Record<string, Value>, config: ZImageTransformerConfig, weights: Weights) {
  const { latents, text, sinusoid } = v;
  const [imageTables, textTables] = [{ cos: v.ic, sin: v.is }, { cos: v.tc, sin: v.ts }];
  return transformer({ latents, text, sinusoid, imageTables, textTables }, config, weights);
}

async function zimage_transformer(golden: Golden, device: Device): Promise<void> {
  const config = configOf(golden);
  const weights = golden.weights();
  for (const { name, t, cap } of golden.config.cases as { name: string; t: number; cap: number }[]) {
    const all = golden.input("cap");
    const text = f32([cap, all.shape[1]], all.data.slice(0, cap * all.shape[1]));
    const got = await runGraph(device, inputsOf(config, golden.input("latents"), text, t), (v) => {
      const values = valuesOf(v, config, weights);
      const numbered = (prefix: string, list: readonly Value[]) => list.map((x, i) => [`${prefix}.${i}`, x]);
      return {
        temb: values.time,
        x_embed: values.image,
        cap_embed: values.text,
        ...Object.fromEntries(numbered("noise_refiner", values.imageRefiners)),
        ...Object.fromEntries(numbered("context_refiner", values.textRefiners)),
        ...Object.fromEntries(numbered("layer", values.blocks)),
        final: values.final,
        output: values.output,
      };
    });
    for (const [part, { data }] of Object.entries(got)) golden.compare(`${name}.${part}`, data, 5e-4);
  }
}

async function zimage_e2e(golden: Golden, device: Device): Promise<void> {
  const text = await encodePrompt(golden, device);
  golden.compare("prompt_embeds", text.data, 5e-5);
  const config = configOf(golden);
  const weights = golden.weights("transformer.");
  const noise = golden.input("noise");
  const { shift } = golden.config.scheduler as { shift: number };
  const levels = shiftedLevels(golden.number("steps"), shift);
  golden.compare("sigmas", levels, 1e-6);
  const runner = new GraphRunner(device, (v) => ({ output: valuesOf(v, config, weights).output }));
  const x = noise.data.slice();
  const [outputs, latents]: [number[], number[]] = [[], []];
  for (let i = 0; i + 1 < levels.length; i++) {
    const { output } = await runner.run(inputsOf(config, f32(noise.shape, x), text, 1 - levels[i]));
    eulerStep(x, output.data.map((value) => -value), levels[i], levels[i + 1]);
    outputs.push(...output.data);
    latents.push(...x);
  }
  runner.dispose();
  golden.compare("output", outputs, 2e-3);
  golden.compare("latents", latents, 2e-3);
  const c = golden.config.vae as Record<string, number & readonly number[]>;
  const vae = {
    latentChannels: c.latent_channels,
    encoderChannels: c.block_out_channels,
    decoderChannels: c.block_out_channels,
    layersPerBlock: c.layers_per_block,
    normGroups: c.norm_num_groups,
    batchNormEps: 0,
  };
  const { z, decoded } = await runGraph(device, { latents: f32(noise.shape, x) }, (v) => {
    const z = add(div(v.latents, c.scaling_factor), c.shift_factor);
    return { z, decoded: decodeImage(z, vae, golden.weights("vae.")).image };
  });
  golden.compare("z", z.data, 6e-3);
  golden.compare("decoded", decoded.data, 4e-3);
  const pixels = decoded.data.length / 3;
  const bytes = Float32Array.from(decoded.data, (_, i) => {
    const value = decoded.data[(i % 3) * pixels + Math.floor(i / 3)];
    return Math.round(255 * Math.min(1, Math.max(0, value / 2 + 0.5)));
  });
  golden.compare("image", bytes, 1);
}

/** The last hidden state but one, of the real tokens only. */
async function encodePrompt(golden: Golden, device: Device): Promise<Tensor<"f32">> {
  const config = qwen3Config(golden);
  const weights = golden.weights("text_encoder.");
  const ids = golden.stored("ids");
  const [length] = ids.shape;
  const [real] = golden.stored("length").data;
  const inputs = { ids, ...qwen3Positions(config, length, real) };
  const { text } = await runGraph(device, inputs, ({ ids, cos, sin, mask }, g) => {
    const rows = gather(weights.in(g, "model.embed_tokens.weight"), ids);
    const layers = qwen3Layers(rows, { cos, sin, mask }, config, weights, config.numLayers - 1);
    return { text: slice(layers.at(-1)!.output, { axis: 0, end: real }) };
  });
  return text;
}
