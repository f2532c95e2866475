import { test } from "node:test";
import assert from "node:assert/strict";
import { parseActionworldConfig } from "../../../lib/models/actionworld/parse_config.ts";
import {
  actionTransformerShapes,
  usedTransformerShapes,
  visionShapes,
} from "../../../lib/models/actionworld/config.ts";
import type { TensorShapes } from "../../../lib/models/checkpoint/weights.ts";
import { diffusersVaeName, vaeShapes } from "../../../lib/models/video_vae/vae_config.ts";
import { sizeOf } from "../../../lib/compute/tensor/mod.ts";
import golden from "../../goldens/data/vae_name_map.json" with { type: "json" };
import { tinyTransformerConfig, tinyVaeConfig } from "../../support/tiny_actionworld.ts";

// The configuration of the published model of this shape.
const published = parseActionworldConfig({
  root: {
    vision_config: {
      hidden_size: 1152,
      intermediate_size: 4304,
      num_hidden_layers: 27,
      num_channels: 3,
      num_patches: 256,
      patch_size: 16,
    },
    projector_config: {
      input_hidden_size: 1152,
      merger_intermediate_size: 11520,
      out_hidden_size: 2048,
      spatial_merge_size: 2,
      use_postshuffle_norm: false,
    },
  },
  transformer: {
    ...tinyTransformerConfig,
    hidden_size: 2048,
    intermediate_size: 9216,
    num_hidden_layers: 28,
    num_attention_heads: 16,
    num_key_value_heads: 8,
    head_dim: 128,
    rope_axes_dim: [24, 20, 20],
    vocab_size: 131072,
    latent_channel: 48,
    patch_latent_dim: 192,
    action_dim: 64,
    num_embodiment_domains: 32,
  },
  vae: {
    ...tinyVaeConfig,
    base_dim: 160,
    decoder_base_dim: 256,
    z_dim: 48,
    dim_mult: [1, 2, 4, 4],
    num_res_blocks: 2,
    latents_mean: new Array(48).fill(0),
    latents_std: new Array(48).fill(1),
  },
});

function countsOf(shapes: TensorShapes): [tensors: number, parameters: number] {
  return [shapes.size, [...shapes.values()].reduce((n, shape) => n + sizeOf(shape), 0)];
}

test("actionTransformerShapes() has the tensors and parameters of the published model", () => {
  assert.deepEqual(countsOf(actionTransformerShapes(published.config.transformer)), [549, 3_369_657_024]);
});

test("vaeShapes() has the tensors and parameters of the published model's video autoencoder", () => {
  assert.deepEqual(countsOf(vaeShapes(published.config.vae)), [196, 704_688_668]);
});

test("visionShapes() makes the published snapshot as large as it is", () => {
  const parts = [actionTransformerShapes(published.config.transformer), vaeShapes(published.config.vae)];
  const [, vision] = countsOf(visionShapes(published.vision));
  const total = parts.reduce((n, shapes) => n + countsOf(shapes)[1], vision);
  assert.equal((total / 1e9).toFixed(2), "4.56");
});

test("usedTransformerShapes() omits the language and action heads", () => {
  const { transformer } = published.config;
  const all = [...actionTransformerShapes(transformer).keys()];
  const used = usedTransformerShapes(transformer);
  assert.deepEqual(all.filter((name) => !used.has(name)), [
    "lm_head.weight",
    "norm.weight",
    "action_proj_out.fc.weight",
    "action_proj_out.bias.weight",
  ]);
});

test("diffusersVaeName() gives the published names, one for each weight", () => {
  const shapes = vaeShapes({
    zDim: 8,
    dim: 4,
    decDim: 6,
    dimMult: [1, 2, 4, 4],
    numResBlocks: 1,
    temporalDownsample: [false, true, true],
  });
  const ours = Object.fromEntries([...shapes.keys()].map((name) => [diffusersVaeName(name), name]));
  assert.deepEqual(ours, golden.map);
});
