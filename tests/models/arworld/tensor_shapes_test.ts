import { test } from "node:test";
import assert from "node:assert/strict";
import { parseArworldConfig } from "../../../lib/models/arworld/parse_config.ts";
import { textEncoderShapes, transformerShapes } from "../../../lib/models/arworld/config.ts";
import type { TensorShapes } from "../../../lib/models/checkpoint/weights.ts";
import { vaeShapes } from "../../../lib/models/video_vae/vae_config.ts";
import { sizeOf } from "../../../lib/compute/tensor/mod.ts";

// The configuration of the released five-billion-parameter world.
const released = parseArworldConfig({
  vae: {
    z_dim: 48,
    dim: 160,
    dec_dim: 256,
    dim_mult: [1, 2, 4, 4],
    num_res_blocks: 2,
    temperal_downsample: [false, true, true],
  },
  t5: { vocab: 256384, dim: 4096, dim_attn: 4096, dim_ffn: 10240, num_heads: 64, num_layers: 24, num_buckets: 32 },
  latents_mean: Array(48).fill(0),
  latents_std: Array(48).fill(1),
}, {
  dim: 3072,
  ffn_dim: 14336,
  num_heads: 24,
  num_layers: 30,
  freq_dim: 256,
  text_dim: 4096,
  text_len: 512,
  in_dim: 48,
  out_dim: 48,
  attn_compress: 4,
  sink_size: 3,
  local_attn_size: 12,
});

const parameters = (shapes: TensorShapes) => [...shapes.values()].reduce((n, shape) => n + sizeOf(shape), 0);

test("transformerShapes() lists the tensors of the released checkpoint", () => {
  const shapes = transformerShapes(released.transformer);
  assert.equal(shapes.size, 1125);
  assert.equal(parameters(shapes), 5_283_110_592);
  assert.deepEqual(shapes.get("blocks.0.cam_self_attn.q_proj.weight"), [768, 3072]);
});

test("vaeShapes() lists the tensors of the released checkpoint", () => {
  const shapes = vaeShapes(released.vae);
  assert.equal(shapes.size, 196);
  assert.ok(Math.abs(parameters(shapes) - 704.7e6) < 0.1e6, `${parameters(shapes)}`);
});

test("textEncoderShapes() lists the tensors of the released checkpoint", () => {
  const shapes = textEncoderShapes(released.textEncoder);
  assert.equal(shapes.size, 242);
  assert.ok(Math.abs(parameters(shapes) - 5.681e9) < 0.001e9, `${parameters(shapes)}`);
});
