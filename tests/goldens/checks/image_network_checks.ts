/**
 * Checks of the networks of an image model: text encoder, transformer, autoencoder.
 *
 * @module
 */
import {
  decodeImage,
  denormaliseLatents,
  encodeImage,
  normaliseLatents,
} from "../../../lib/models/flux2/autoencoder.ts";
import type { Flux2TransformerConfig } from "../../../lib/models/flux2/config.ts";
import { transformer } from "../../../lib/models/flux2/transformer.ts";
import { patchifyLatents, rotaryTables, unpatchifyLatents } from "../../../lib/models/flux2/tokens.ts";
import { doubleBlock, modulations, singleBlock } from "../../../lib/models/flux2/transformer_blocks.ts";
import { qwen3Layers, textPositions } from "../../../lib/models/qwen3/text_encoder.ts";
import { rgbPlanes } from "../../../lib/models/images/planes.ts";
import { dense, timeSinusoid } from "../../../lib/models/layers/dense.ts";
import {
  add,
  clamp,
  concat,
  type Device,
  f32,
  gather,
  layerNorm,
  mul,
  reshape,
  rmsNorm,
  silu,
  slice,
  transpose,
  type Value,
} from "../../../lib/compute/tensor/mod.ts";
import type { Checks } from "../check.ts";
import type { Golden } from "../golden.ts";
import { runGraph, type Tensors } from "../run_graph.ts";
import { flux2TransformerConfig, flux2VaeConfig, qwen3Config } from "./image_configs.ts";
import { imageOf } from "./image_math_checks.ts";

export const imageNetworkChecks: Checks = {
  img_qwen3,
  img_transformer_double,
  img_transformer_single,
  img_transformer,
  img_vae_encode,
  img_vae_decode,
};

async function img_qwen3(golden: Golden, device: Device): Promise<void> {
  const config = qwen3Config(golden);
  const weights = golden.weights();
  const states = golden.config.layers as number[];
  for (const prompt of golden.config.prompts as string[]) {
    const ids = golden.stored(`${prompt}.ids`);
    const [length] = ids.shape;
    const [real] = golden.stored(`${prompt}.length`).data;
    const got = await runGraph(
      device,
      { ids, ...textPositions(config, length, real) },
      ({ ids, cos, sin, mask }, g) => {
        const embed = gather(weights.in(g, "model.embed_tokens.weight"), ids);
        const layers = qwen3Layers(embed, { cos, sin, mask }, config, weights, Math.max(...states));
        const [first] = layers;
        return {
          embed,
          after_layer0: first.output,
          "layer0.attn_input": first.attentionInput,
          "layer0.attn": first.attended,
          "layer0.mlp_input": first.feedForwardInput,
          "layer0.mlp": first.fedForward,
          ...Object.fromEntries(states.map((k) => [`hidden.${k}`, layers[k - 1].output])),
          prompt_embeds: concat(states.map((k) => layers[k - 1].output), 1),
        };
      },
    );
    golden.compare(`${prompt}.mask`, Array.from({ length }, (_, i) => i < real ? 1 : 0), 0);
    for (const [name, t] of Object.entries(got)) {
      if (!golden.has(`out.${prompt}.${name}`)) continue;
      golden.compare(`${prompt}.${name}`, t.data, name === "after_layer0" ? 1e-5 : 5e-5);
    }
  }
}

/** Rotary tables of the ids that the golden gives for each part of a sequence. */
function tablesOf(
  golden: Golden,
  { ropeAxes, ropeTheta }: Flux2TransformerConfig,
  ...names: readonly string[]
): Tensors {
  const ids = names.flatMap((name) => Array.from(golden.stored(name).data));
  return { ...rotaryTables(ids, ropeAxes, ropeTheta) };
}

function row(golden: Golden, name: string): Tensors[string] {
  const t = golden.input(name);
  return f32([1, ...t.shape], t.data);
}

async function img_transformer_double(golden: Golden, device: Device): Promise<void> {
  const config = flux2TransformerConfig(golden);
  const weights = golden.weights();
  const inputs = {
    image: golden.input("img"),
    text: golden.input("txt"),
    time: row(golden, "temb"),
    ...tablesOf(golden, config, "txt_ids", "img_ids"),
  };
  const got = await runGraph(device, inputs, ({ image, text, time, cos, sin }) => {
    const mod = {
      image: modulations(time, weights.at("double_stream_modulation_img"), 2),
      text: modulations(time, weights.at("double_stream_modulation_txt"), 2),
    };
    const block = doubleBlock({ text, image }, mod, { cos, sin }, config, weights.at("transformer_blocks.0"));
    const out: Record<string, Value> = {};
    for (const [short, name, x] of [["img", "image", image], ["txt", "text", text]] as const) {
      mod[name].forEach(({ shift, scale, gate }, i) => {
        Object.assign(out, {
          [`mod_${short}.shift${i + 1}`]: shift,
          [`mod_${short}.scale${i + 1}`]: scale,
          [`mod_${short}.gate${i + 1}`]: gate,
        });
      });
      const { attentionInput, attended, feedForwardInput, fedForward, output } = block[name];
      Object.assign(out, {
        [`${short}.norm1`]: layerNorm(x, undefined, undefined, config.normEps),
        [`${short}.attn_input`]: attentionInput,
        [`${short}.attn_out`]: attended,
        [`${short}.ff_input`]: feedForwardInput,
        [`${short}.ff`]: fedForward,
        [`${short}.y`]: output,
      });
    }
    return {
      ...out,
      "joint.q": block.joint.q,
      "joint.k": block.joint.k,
      "joint.v": block.joint.v,
      "joint.attn": block.joint.mixed,
      ...insideOfImageStream(block.image, config, golden),
    };
  });
  for (const [name, t] of Object.entries(got)) golden.compare(name, t.data, 2e-5);
}

/** What the golden shows between our functions. */
function insideOfImageStream(
  { attentionInput, feedForwardInput }: { readonly attentionInput: Value; readonly feedForwardInput: Value },
  config: Flux2TransformerConfig,
  golden: Golden,
): Record<string, Value> {
  const weights = golden.weights().at("transformer_blocks.0");
  const q = dense(attentionInput, weights.at("attn.to_q"));
  const heads = reshape(q, [-1, config.numHeads, config.headDim]);
  const normed = rmsNorm(heads, weights.in(q.graph, "attn.norm_q.weight"), { eps: config.normEps });
  const hidden = dense(feedForwardInput, weights.at("ff.linear_in"));
  const [gate, up] = [0, 1].map((i) =>
    slice(hidden, { axis: 1, start: i * config.feedForwardSize, end: (i + 1) * config.feedForwardSize })
  );
  return {
    "img.q_raw": q,
    "img.q_normed": normed,
    "img.ff_hidden": hidden,
    "img.ff_act": mul(silu(gate), up),
  };
}

async function img_transformer_single(golden: Golden, device: Device): Promise<void> {
  const config = flux2TransformerConfig(golden);
  const weights = golden.weights();
  const inputs = { x: golden.input("x"), time: row(golden, "temb"), ...tablesOf(golden, config, "ids") };
  const got = await runGraph(device, inputs, ({ x, time, cos, sin }) => {
    const [mod] = modulations(time, weights.at("single_stream_modulation"), 1);
    const own = weights.at("single_transformer_blocks.0");
    const { input, attention, gated, merged, output } = singleBlock(x, mod, { cos, sin }, config, own);
    return {
      "mod.shift": mod.shift,
      "mod.scale": mod.scale,
      "mod.gate": mod.gate,
      norm: layerNorm(x, undefined, undefined, config.normEps),
      input,
      fused: dense(input, own.at("attn.to_qkv_mlp_proj")),
      q: attention.q,
      k: attention.k,
      v: attention.v,
      attn: attention.mixed,
      mlp_act: gated,
      attn_mlp_out: merged,
      y: output,
    };
  });
  for (const [name, t] of Object.entries(got)) golden.compare(name, t.data, 2e-5);
}

async function img_transformer(golden: Golden, device: Device): Promise<void> {
  const config = flux2TransformerConfig(golden);
  const weights = golden.weights();
  for (const { name, timestep, refs } of golden.config.cases as { name: string; timestep: number; refs: boolean }[]) {
    const sinusoid = timeSinusoid([timestep], config.timeChannels);
    const ids = ["txt_ids", "img_ids", ...(refs ? ["ref_ids"] : [])];
    const inputs = {
      latents: golden.input("latent_tokens"),
      ...(refs && { references: golden.input("ref_tokens") }),
      text: golden.input("prompt_embeds"),
      sinusoid: f32([1, config.timeChannels], sinusoid),
      ...tablesOf(golden, config, ...ids),
    };
    const got = await runGraph(device, inputs, ({ latents, references, text, sinusoid, cos, sin }) => {
      const image = references ? concat([latents, references], 0) : latents;
      const values = transformer({ image, text }, sinusoid, { cos, sin }, config, weights);
      const velocity = slice(values.output, { axis: 0, end: latents.shape[0] });
      return {
        temb: values.time,
        x_embed: values.embedded.image,
        txt_embed: values.embedded.text,
        ...Object.fromEntries(values.doubles.flatMap(({ image, text }, i) => [
          [`double${i}.img`, image],
          [`double${i}.txt`, text],
        ])),
        ...Object.fromEntries(values.singles.map((x, i) => [`single${i}`, x])),
        norm_out: values.normed,
        output: values.output,
        velocity,
      };
    });
    golden.compare(`${name}.time_sinusoid`, sinusoid, 1.5e-4);
    for (const [part, t] of Object.entries(got)) golden.compare(`${name}.${part}`, t.data, 5e-4);
  }
}

async function img_vae_encode(golden: Golden, device: Device): Promise<void> {
  const config = flux2VaeConfig(golden);
  const weights = golden.weights();
  for (let i = 0; i < golden.number("n"); i++) {
    const picture = imageOf(golden, `${i}.image`);
    const image = f32([3, picture.height, picture.width], rgbPlanes(picture));
    const got = await runGraph(device, { image }, ({ image }) => {
      const { mode, parts } = encodeImage(image, config, weights);
      const patchified = patchifyLatents(mode);
      const latents = normaliseLatents(patchified, weights.at("bn"), config.batchNormEps);
      return { ...Object.fromEntries(parts), mode, patchified, latents };
    });
    compareParts(golden, i, got, (name) => name === "latents" ? 3e-4 : 1e-4);
  }
}

async function img_vae_decode(golden: Golden, device: Device): Promise<void> {
  const config = flux2VaeConfig(golden);
  const weights = golden.weights();
  for (let i = 0; i < golden.number("n"); i++) {
    const got = await runGraph(device, { latents: golden.input(`${i}.latents`) }, ({ latents }) => {
      const denormalised = denormaliseLatents(latents, weights.at("bn"), config.batchNormEps);
      const z = unpatchifyLatents(denormalised);
      const { image, parts } = decodeImage(z, config, weights);
      const bytes = transpose(clamp(add(mul(image, 127.5), 127.5), 0, 255), [1, 2, 0]);
      return { ...Object.fromEntries(parts), denormalised, z, image, image_u8: bytes };
    });
    golden.compare(`${i}.image_u8`, got.image_u8.data.map(Math.round), 1);
    compareParts(golden, i, got, () => 1e-4);
  }
}

/** Compares what the golden has of the parts; parts keep their batch axis of size 1. */
function compareParts(golden: Golden, i: number, got: Tensors, tolerance: (name: string) => number): void {
  const open = new Set(golden.outputs(new RegExp(`^${i}\\.`)));
  for (const [name, { data }] of Object.entries(got)) {
    if (open.has(`${i}.${name}`)) golden.compare(`${i}.${name}`, data, tolerance(name));
  }
}
