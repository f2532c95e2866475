/**
 * Checks of the text encoder.
 *
 * @module
 */
import {
  encodeText,
  positionBias,
  relativePositionBucket,
  textLayer,
} from "../../../lib/models/arworld/text/text_encoder.ts";
import { type Device, f32, gather, type Tensor } from "../../../lib/compute/tensor/mod.ts";
import type { Checks } from "../check.ts";
import type { Golden } from "../golden.ts";
import { textEncoderConfig } from "../golden_configs.ts";
import { runGraph } from "../run_graph.ts";

export const textChecks: Checks = { t5_bucket, t5_layer, t5_encoder };

async function t5_bucket(golden: Golden, device: Device): Promise<void> {
  const [lo, hi] = [golden.number("lo"), golden.number("hi")];
  const buckets = golden.number("buckets");
  const deltas = Array.from({ length: hi - lo + 1 }, (_, i) => lo + i);
  golden.compare("bucket", deltas.map((delta) => relativePositionBucket(delta, buckets)), 0);
  const table = golden.weights("blocks.0.pos_embedding.");
  const config = { vocab: 1, dim: 1, dimAttn: 1, dimFfn: 1, numHeads: 1, numLayers: 1, numBuckets: buckets };
  for (const length of golden.config.lengths as number[]) {
    const { bias } = await runGraph(device, {}, (_, graph) => ({ bias: positionBias(graph, length, config, table) }));
    golden.compare(`bias_${length}`, bias.data, 0);
  }
}

async function t5_layer(golden: Golden, device: Device): Promise<void> {
  const config = textEncoderConfig(golden.config);
  const weights = golden.weights("blocks.0.");
  for (const variant of ["nomask", "mask"]) {
    const inputs = { x: golden.input("x"), mask: keyMask(golden.input("mask").data) };
    const got = await runGraph(device, inputs, ({ x, mask }) => {
      const { normed, attended, fedForward, output } = textLayer(
        x,
        config,
        weights,
        variant === "mask" ? mask : undefined,
      );
      return { norm1: normed, attn: attended, ffn: fedForward, y: output };
    });
    for (const [name, t] of Object.entries(got)) golden.compare(`${variant}.${name}`, t.data, 2e-5);
  }
}

async function t5_encoder(golden: Golden, device: Device): Promise<void> {
  const config = textEncoderConfig(golden.config);
  const weights = golden.weights();
  const ids = golden.stored("ids") as Tensor<"i32">;
  const [length] = golden.stored("length").data;
  const encode = async (shown: Tensor<"i32">, mask?: Tensor) => {
    const { y } = await runGraph(device, { ids: shown, ...(mask && { mask }) }, (values, graph) => {
      const rows = gather(weights.in(graph, "token_embedding.weight"), values.ids);
      return { y: encodeText(rows, config, weights, values.mask) };
    });
    return y.data;
  };
  golden.compare("unpadded", await encode({ dtype: "i32", shape: [length], data: ids.data.slice(0, length) }), 3e-5);
  const real = Float32Array.from(ids.data, (_, i) => i < length ? 1 : 0);
  golden.compare("mask", real, 0);
  const padded = await encode(ids, keyMask(real));
  golden.compare("padded", padded, 3e-5);
  golden.compare("context", padded.map((x, i) => i < length * config.dim ? x : 0), 3e-5);
}

/** 1/0 for each key -> what is added to the logits, [1,1,L]. */
function keyMask(real: Float32Array): Tensor {
  return f32([1, 1, real.length], real.map((r) => r ? 0 : -1e9));
}
