/**
 * Checks of the whole two-stream transformer.
 *
 * @module
 */
import {
  type ActionTransformerConfig,
  CAMERA_POSE_DOMAIN,
  TIME_CHANNELS,
} from "../../../lib/models/actionworld/config.ts";
import { clipPositions, rotaryTables, textPositions } from "../../../lib/models/actionworld/positions.ts";
import {
  clipTokens,
  embedActions,
  embedTime,
  patchesOf,
} from "../../../lib/models/actionworld/transformer/clip_tokens.ts";
import {
  generationStream,
  noisyRows,
  textStream,
  velocityOf,
} from "../../../lib/models/actionworld/transformer/transformer_graphs.ts";
import { embeddingRows } from "../../../lib/models/checkpoint/stored_weight.ts";
import type { Weights } from "../../../lib/models/checkpoint/weights.ts";
import { timeSinusoid } from "../../../lib/models/layers/dense.ts";
import { type Device, f32, slice, type Tensor, type Value } from "../../../lib/compute/tensor/mod.ts";
import type { Checks } from "../check.ts";
import { type Golden, swapFirstAxes } from "../golden.ts";
import { actionTransformerConfig } from "../golden_configs.ts";
import { runGraph } from "../run_graph.ts";
import { afterZeros, joinPositions, joinTables, twice } from "./action_layer_checks.ts";

export const actionModelChecks: Checks = { aw_step };

/** Tolerances of layers and attention, and of the velocity. */
const [LAYER, VELOCITY] = [6e-5, 1e-4];

async function aw_step(golden: Golden, device: Device): Promise<void> {
  const config = actionTransformerConfig(golden.config);
  const weights = golden.weights();
  const latents = swapFirstAxes(golden.input("latent"));
  const actions = golden.input("actions");
  const ids = golden.stored("ids").data;
  const [frames, , height, width] = latents.shape;
  const words = textPositions(ids.length);
  const clip = clipPositions({
    text: ids.length,
    frames,
    rows: patchesOf(height, config.patchSize),
    columns: patchesOf(width, config.patchSize),
    actions: actions.shape[0],
    fps: golden.number("fps"),
  }, config);
  const [textTables, clipTables] = [rotaryTables(words, config), rotaryTables(clip, config)];
  golden.compare("position_ids", joinPositions(words, clip), 0);
  golden.compare("cos", twice(joinTables(textTables.cos, clipTables.cos), config.headDim), 1e-5);
  golden.compare("sin", twice(joinTables(textTables.sin, clipTables.sin), config.headDim), 1e-5);

  const pairs = config.headDim / 2;
  const table = (t: Float32Array) => f32([t.length / pairs, pairs], t);
  const rows = embeddingRows(weights.get("embed_tokens.weight"), ids, ids.length);
  golden.compare("und_embed", rows.data, 0);
  const run = async (timestep: number, domain: number) => {
    const inputs = {
      rows,
      textCos: table(textTables.cos),
      textSin: table(textTables.sin),
      latents,
      actions,
      sinusoid: f32([1, TIME_CHANNELS], timeSinusoid([timestep * config.timestepScale], TIME_CHANNELS)),
      cos: table(clipTables.cos),
      sin: table(clipTables.sin),
    };
    const got = await runGraph(device, inputs, (v) => wholeStep(v, domain, config, weights));
    return { ...got, velocity: swapFirstAxes(afterZeros(got.velocity)) };
  };
  const steps = golden.config.timesteps as number[];
  for (const [i, timestep] of steps.entries()) {
    const got: Record<string, Tensor> = await run(timestep, CAMERA_POSE_DOMAIN);
    for (const name of golden.outputs(i === 0 ? /^(?!s\d|velocity)/ : /^$/)) {
      golden.compare(name, got[name].data, LAYER);
    }
    for (const name of golden.outputs(new RegExp(`^s${i}\\.`))) {
      const field = name.slice(name.indexOf(".") + 1);
      golden.compare(name, got[field].data, field === "velocity" ? VELOCITY : LAYER);
    }
  }
  for (const name of golden.outputs(/^velocity_domain\d+$/)) {
    const got = await run(steps[0], Number(name.slice("velocity_domain".length)));
    golden.compare(name, got.velocity.data, VELOCITY);
  }
}

/** Both streams in one graph, without the cache between them, and everything that they compute on their way. */
function wholeStep(
  v: Record<string, Value>,
  domain: number,
  config: ActionTransformerConfig,
  weights: Weights,
): Record<string, Value> {
  const [frames, , height, width] = v.latents.shape;
  const text = textStream(v.rows, { cos: v.textCos, sin: v.textSin }, config, weights);
  const time = embedTime(v.sinusoid, weights.at("time_embedder"));
  const clip = clipTokens(v.latents, time, embedActions(v.actions, domain, weights), config, weights);
  const layers = generationStream(clip.stream, text, { cos: v.cos, sin: v.sin }, config, weights);
  const size = { frames, height, width };
  const noisy = slice(layers[config.numLayers - 1].output, { axis: 0, ...noisyRows(size, config) });
  return {
    time_embed: time,
    vision_proj_in: clip.patches,
    action_embed: clip.actions,
    gen_embed: clip.stream,
    velocity: velocityOf(noisy, size, config, weights),
    ...Object.fromEntries(text.flatMap(({ k, v, mixed, output }, i) => [
      [`text_k_for_gen.${i}`, k],
      [`text_v.${i}`, v],
      [`und_attn.${i}`, mixed],
      [`und_after_${i}`, output],
    ])),
    ...Object.fromEntries(layers.flatMap(({ mixed, output }, i) => [
      [`gen_attn.${i}`, mixed],
      [`gen_after_${i}`, output],
    ])),
  };
}
