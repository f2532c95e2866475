/**
 * Checks of the three attentions of the transformer and of the layer that joins them.
 *
 * @module
 */
import {
  cameraAttention,
  crossAttention,
  embedContext,
  keysValues,
  windowAttention,
} from "../../../lib/models/arworld/transformer/attention.ts";
import { causalBlock, layerModulation, splitModulation } from "../../../lib/models/arworld/transformer/causal_block.ts";
import { cameraTensors, windowRope } from "../../../lib/models/arworld/transformer/window_inputs.ts";
import { cameraMatrices } from "../../../lib/models/arworld/camera.ts";
import type { Device } from "../../../lib/compute/tensor/mod.ts";
import type { Checks } from "../check.ts";
import { type Golden, part } from "../golden.ts";
import { transformerConfig } from "../golden_configs.ts";
import { runGraph } from "../run_graph.ts";
import { BlockWindow } from "../block_window.ts";
import { gridOf, intrinsicsOf, padRows } from "../transformer_inputs.ts";

export const attentionChecks: Checks = { dit_self_attn_window, dit_cam_attn, dit_cross_attn, dit_block };

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
          past: context,
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
