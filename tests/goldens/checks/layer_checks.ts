/**
 * Checks of the small parts of the transformer.
 *
 * @module
 */
import {
  embedPatches,
  patchifyLatents,
  transformerHead,
  unpatchifyLatents,
} from "../../../lib/models/arworld/transformer/transformer.ts";
import {
  embedTime,
  headModulation,
  modulatedNorm,
  projectTime,
} from "../../../lib/models/arworld/transformer/causal_block.ts";
import { ropeTables } from "../../../lib/models/arworld/transformer/window_inputs.ts";
import { timeSinusoid } from "../../../lib/models/layers/dense.ts";
import { add, type Device, f32, layerNorm, reshape, rmsNorm, rope, slice } from "../../../lib/compute/tensor/mod.ts";
import type { Checks } from "../check.ts";
import { type Golden, swapFirstAxes } from "../golden.ts";
import { runGraph } from "../run_graph.ts";

export const layerChecks: Checks = { dit_time, dit_patch, dit_norms, dit_rope, dit_head };

async function dit_time(golden: Golden, device: Device): Promise<void> {
  const steps = [...golden.input("t").data];
  const width = golden.number("freq_dim");
  const sinusoid = f32([steps.length, width], timeSinusoid(steps, width));
  golden.compare("sinusoid", sinusoid.data, 2e-6);
  for (const name of golden.outputs(/^sinusoid_\d+$/)) {
    golden.compare(name, timeSinusoid(steps, Number(name.slice("sinusoid_".length))), 2e-6);
  }
  const weights = golden.weights();
  const { e, e0 } = await runGraph(device, { sinusoid }, (values) => {
    const embedding = embedTime(values.sinusoid, weights);
    return { e: embedding, e0: projectTime(embedding, weights) };
  });
  golden.compare("e", e.data, 2e-5);
  golden.compare("e0", e0.data, 2e-5);
}

async function dit_patch(golden: Golden, device: Device): Promise<void> {
  const latent = swapFirstAxes(golden.input("latent"));
  const inputs = { latent, ramp: swapFirstAxes(golden.input("ramp_latent")), tokens: golden.input("ramp_tokens") };
  const [frames, , height, width] = latent.shape;
  const got = await runGraph(device, inputs, (values) => ({
    embedded: embedPatches(values.latent, golden.weights("patch_embedding.")),
    order: patchifyLatents(values.ramp),
    back: unpatchifyLatents(values.tokens, frames, height, width),
  }));
  golden.compare("tokens", got.embedded.data, 2e-5);
  golden.compare("order_tokens", got.order.data, 0);
  golden.compare("unpatchified", swapFirstAxes(got.back).data, 0);
}

async function dit_norms(golden: Golden, device: Device): Promise<void> {
  const weights = golden.weights("blocks.0.");
  const inputs = { x: golden.input("x"), shift: golden.input("shift"), scale: golden.input("scale") };
  const got = await runGraph(device, inputs, ({ x, shift, scale }, graph) => {
    const frames = [shift.shape[0], 1, shift.shape[1]];
    return {
      rms: rmsNorm(x, weights.in(graph, "self_attn.norm_q.weight")),
      ln: layerNorm(x),
      ln_affine: layerNorm(x, weights.in(graph, "norm3.weight"), weights.in(graph, "norm3.bias")),
      modulated: modulatedNorm(x, reshape(add(scale, 1), frames), reshape(shift, frames)),
    };
  });
  for (const [name, t] of Object.entries(got)) golden.compare(name, t.data, 1e-5);
}

async function dit_rope(golden: Golden, device: Device): Promise<void> {
  const [rows, columns] = [golden.number("gh"), golden.number("gw")];
  const rotate = async (input: string, frames: readonly number[]) => {
    const x = golden.input(input);
    const length = frames.length * rows * columns;
    const { cos, sin } = ropeTables(x.shape[2], frames, rows, columns);
    const shape = [length, x.shape[2] / 2];
    const tables = { cos: f32(shape, cos), sin: f32(shape, sin) };
    const { y } = await runGraph(device, { x, ...tables }, (v) => ({
      y: rope(slice(v.x, { axis: 0, end: length }), v.cos, v.sin),
    }));
    return y.data;
  };
  for (const name of golden.outputs(/\.angles_pos0_\d+$/)) {
    const width = golden.number(`dh_${name.slice(0, name.indexOf("."))}`);
    const positions = golden.shapeOf(name)[0];
    // The pairs of a position come from a token whose frame, row and column are all that position.
    const table = new Float32Array(positions * width);
    for (let p = 0; p < positions; p++) {
      const { cos, sin } = ropeTables(width, [p], p + 1, p + 1);
      const at = cos.length - width / 2;
      for (let j = 0; j < width / 2; j++) table.set([cos[at + j], sin[at + j]], p * width + 2 * j);
    }
    golden.compare(name, table, 2e-6);
  }
  for (const name of golden.outputs(/\.q(_\d+)+$/)) {
    const [variant, frames] = name.split(".q_");
    golden.compare(name, await rotate(`${variant}.q`, frames.split("_").map(Number)), 2e-6);
  }
  for (const name of golden.outputs(/\.k_0to\d+$/)) {
    const [variant, count] = name.split(".k_0to");
    golden.compare(name, await rotate(`${variant}.k`, Array.from({ length: Number(count) }, (_, i) => i)), 2e-6);
  }
}

async function dit_head(golden: Golden, device: Device): Promise<void> {
  const weights = golden.weights("head.");
  const e = golden.input("e");
  const inputs = { x: golden.input("x"), e };
  const [height, width] = [golden.number("h"), golden.number("w")];
  const got = await runGraph(device, inputs, (v) => {
    const tokens = transformerHead(v.x, headModulation(v.e, weights), weights);
    return { tokens, latent: unpatchifyLatents(tokens, e.shape[0], height, width) };
  });
  golden.compare("tokens", got.tokens.data, 2e-5);
  golden.compare("latent", swapFirstAxes(got.latent).data, 2e-5);
}
