/**
 * Checks of the transformer's parts.
 *
 * @module
 */
import { cameraAttention } from "../../../lib/models/arworld/transformer/camera_attention.ts";
import { causalBlock } from "../../../lib/models/arworld/transformer/causal_block.ts";
import { crossAttention, embedContext } from "../../../lib/models/arworld/transformer/cross_attention.ts";
import {
  embedPatches,
  patchifyLatents,
  unpatchifyLatents,
} from "../../../lib/models/arworld/transformer/latent_patches.ts";
import { modulatedNorm } from "../../../lib/models/arworld/transformer/modulated_norm.ts";
import {
  embedTime,
  headModulation,
  layerModulation,
  projectTime,
  splitModulation,
} from "../../../lib/models/arworld/transformer/time_modulation.ts";
import { transformerHead } from "../../../lib/models/arworld/transformer/transformer.ts";
import { keysValues, windowAttention } from "../../../lib/models/arworld/transformer/window_attention.ts";
import { cameraTensors, windowRope } from "../../../lib/models/arworld/transformer/window_inputs.ts";
import { cameraMatrices } from "../../../lib/models/arworld/camera.ts";
import { ropeTables } from "../../../lib/models/arworld/rope.ts";
import { timeSinusoid } from "../../../lib/models/arworld/time_sinusoid.ts";
import { add, type Device, f32, layerNorm, reshape, rmsNorm, rope, slice } from "../../../lib/tensor/mod.ts";
import type { Checks } from "../check.ts";
import { type Golden, part, swapFirstAxes } from "../golden.ts";
import { transformerConfig } from "../golden_configs.ts";
import { runGraph } from "../run_graph.ts";
import { BlockWindow } from "../block_window.ts";
import { gridOf, intrinsicsOf, padRows } from "../transformer_inputs.ts";

export const transformerChecks: Checks = {
  dit_time,
  dit_patch,
  dit_norms,
  dit_rope,
  dit_self_attn_window,
  dit_cam_attn,
  dit_cross_attn,
  dit_block,
  dit_head,
};

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
    const positions = golden.expected(name).shape[0];
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

async function dit_self_attn_window(golden: Golden, device: Device): Promise<void> {
  const config = transformerConfig(golden.config);
  const weights = golden.weights("blocks.0.self_attn.");
  const x = golden.input("x");
  const [blocks, passes, length] = x.shape;
  const window = new BlockWindow(config, 1);
  const outputs: Record<"y" | "k" | "v" | "global_end" | "local_end", number[]> = {
    y: [],
    k: [],
    v: [],
    global_end: [],
    local_end: [],
  };
  for (let block = 0; block < blocks; block++) {
    for (let pass = 0; pass < passes; pass++) {
      window.enter(block);
      const inputs = { x: part(x, block, pass), ...window.feeds() };
      const got = await runGraph(device, inputs, (values, graph) => {
        const own = keysValues(values.x, weights, config.numHeads);
        const context = window.values(values).map((layers) => layers[0]);
        const tables = windowRope(graph, config, context.length, gridOf(golden));
        return { y: windowAttention(values.x, own, context, tables, weights), k: own.k, v: own.v };
      });
      window.keep([{ k: got.k, v: got.v }]);
      const cache = window.cache(0, (config.windowFrames / 3) * length);
      for (const n of got.y.data) outputs.y.push(n);
      for (const n of cache.k) outputs.k.push(n);
      for (const n of cache.v) outputs.v.push(n);
      outputs.global_end.push((block + 1) * length);
      outputs.local_end.push(window.blocks * length);
    }
  }
  golden.compare("y", outputs.y, 2e-5);
  golden.compare("k", outputs.k, 1e-5);
  golden.compare("v", outputs.v, 1e-5);
  golden.compare("global_end", outputs.global_end, 0);
  golden.compare("local_end", outputs.local_end, 0);
}

async function dit_cam_attn(golden: Golden, device: Device): Promise<void> {
  const views = golden.input("viewmats").data;
  const matrices = cameraMatrices(views, intrinsicsOf(golden));
  golden.compare("P", matrices.p, 1e-6);
  golden.compare("P_T", matrices.pTransposed, 1e-6);
  golden.compare("P_inv", matrices.pInverse, 1e-6);
  const weights = golden.weights("blocks.0.cam_self_attn.");
  const matricesOfRows = cameraTensors(views, intrinsicsOf(golden));
  const got = await runGraph(device, { x: golden.input("x"), ...matricesOfRows }, (v) => {
    const cameras = { p: v.p, pTransposed: v.pTransposed, pInverseTransposed: v.pInverseTransposed };
    const all = cameraAttention(v.x, cameras, weights, golden.number("heads"));
    return {
      q: all.q,
      k: all.k,
      v: all.v,
      q_t: all.qMoved,
      k_t: all.kMoved,
      v_t: all.vMoved,
      attn: all.mixed,
      attn_o: all.mixedMoved,
      y: all.output,
    };
  });
  for (const [name, t] of Object.entries(got)) golden.compare(name, t.data, 2e-5);
}

async function dit_cross_attn(golden: Golden, device: Device): Promise<void> {
  const weights = golden.weights();
  const layer = weights.at("blocks.0.cross_attn");
  const textLength = golden.number("text_len");
  const attend = async (prompt: string, query: string) => {
    const rows = padRows(golden.input(prompt), textLength);
    return await runGraph(device, { rows, x: golden.input(query) }, (values) => {
      const context = embedContext(values.rows, weights);
      const text = keysValues(context, layer, golden.number("heads"));
      return { context, k: text.k, v: text.v, y: crossAttention(values.x, text, layer) };
    });
  };
  for (const variant of ["a", "b"]) {
    const got = await attend(`prompt_${variant}`, "x");
    for (const [name, t] of Object.entries(got)) golden.compare(`${variant}.${name}`, t.data, 2e-5);
    if (variant === "a") golden.compare("pad_row", part(got.context, textLength - 1).data, 2e-5);
  }
  golden.compare("b.y2", (await attend("prompt_b", "x2")).y.data, 2e-5);
}

async function dit_block(golden: Golden, device: Device): Promise<void> {
  const config = transformerConfig(golden.config);
  const weights = golden.weights("blocks.0.");
  const window = new BlockWindow(config, 1);
  const blocks = golden.input("x").shape[0];
  for (let block = 0; block < blocks; block++) {
    window.enter(block);
    const inputs = {
      x: part(golden.input("x"), block),
      e0: part(golden.input("e0"), block),
      context: golden.input("context"),
      ...cameraTensors(part(golden.input("viewmats"), block).data, intrinsicsOf(golden)),
      ...window.feeds(),
    };
    const got = await runGraph(device, inputs, (v, graph) => {
      const context = window.values(v).map((layers) => layers[0]);
      const values = causalBlock(
        v.x,
        {
          modulation: splitModulation(layerModulation(v.e0, weights)),
          context,
          text: keysValues(v.context, weights.at("cross_attn"), config.numHeads),
          rope: windowRope(graph, config, context.length, gridOf(golden)),
          cameras: { p: v.p, pTransposed: v.pTransposed, pInverseTransposed: v.pInverseTransposed },
        },
        weights,
        config.numHeads,
      );
      return {
        attn_input: values.attentionInput,
        self_attn: values.selfAttention,
        cam_attn: values.cameraAttention,
        after_attn: values.afterAttention,
        cross_attn: values.crossAttention,
        after_cross: values.afterCross,
        ffn_input: values.ffnInput,
        ffn: values.ffn,
        y: values.output,
        k: values.own.k,
        v: values.own.v,
      };
    });
    const { k, v, ...outputs } = got;
    window.keep([{ k, v }]);
    for (const [name, t] of Object.entries(outputs)) golden.compare(`${block}.${name}`, t.data, 3e-5);
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
