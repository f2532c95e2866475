/**
 * Checks of the small parts of the two-stream transformer and of its solver.
 *
 * @module
 */
import { clipPositions, rotaryTables, textPositions } from "../../../lib/models/actionworld/positions.ts";
import {
  domainLinear,
  embedTime,
  packLatents,
  unpackLatents,
} from "../../../lib/models/actionworld/transformer/clip_tokens.ts";
import { feedForward } from "../../../lib/models/actionworld/transformer/two_streams.ts";
import { flowSchedule, UniPcSolver } from "../../../lib/models/actionworld/uni_pc.ts";
import { timeSinusoid } from "../../../lib/models/layers/dense.ts";
import {
  add,
  type Device,
  f32,
  matmul,
  mul,
  reshape,
  rmsNorm,
  rope,
  slice,
  tanh,
  type Tensor,
} from "../../../lib/compute/tensor/mod.ts";
import type { Checks } from "../check.ts";
import { asNumber, type Golden, part, swapFirstAxes } from "../golden.ts";
import { ACTION_PATCH_SIZE, actionTransformerConfig, positionConfig } from "../golden_configs.ts";
import { GraphRunner, runGraph } from "../run_graph.ts";

export const actionLayerChecks: Checks = { aw_small, aw_patch, aw_rope, aw_unipc };

async function aw_small(golden: Golden, device: Device): Promise<void> {
  const config = actionTransformerConfig(golden.config);
  const weights = golden.weights();
  const steps = [...golden.input("t").data];
  const width = golden.shapeOf("time_sinusoid")[1];
  const sinusoid = f32([steps.length, width], timeSinusoid(steps.map((t) => t * config.timestepScale), width));
  golden.compare("time_sinusoid", sinusoid.data, 1e-5);
  const inputs = { toy: golden.input("toy"), x: golden.input("x"), sinusoid };
  const got = await runGraph(device, inputs, ({ toy, x, sinusoid }, graph) => {
    const eps = { eps: config.normEps };
    const heads = reshape(x, [x.shape[0], config.numHeads, config.headDim]);
    const domains = weights.get("toy.fc").shape[0];
    const toys = Array.from({ length: domains }, (_, domain) => [
      `toy.domain${domain}`,
      domainLinear(toy, weights.get("toy.fc"), weights.get("toy.bias"), domain),
    ]);
    return {
      ...Object.fromEntries(toys),
      rms: rmsNorm(x, weights.in(graph, "norm"), eps),
      rms_head: reshape(rmsNorm(heads, weights.in(graph, "head_norm"), eps), x.shape),
      mlp: feedForward(x, weights.at("mlp")),
      time_embed: embedTime(sinusoid, weights.at("time_embedder")),
    };
  });
  for (const [name, t] of Object.entries(got)) golden.compare(name, t.data, 1e-5);
}

async function aw_patch(golden: Golden, device: Device): Promise<void> {
  for (const [i] of (golden.config.cases as unknown[]).entries()) {
    const latents = swapFirstAxes(golden.input(`${i}`));
    const [frames, , height, width] = latents.shape;
    const { tokens, unpacked } = await runGraph(device, { latents }, (v) => {
      const tokens = packLatents(v.latents, ACTION_PATCH_SIZE);
      // The known first frame has no velocity.
      const noisy = slice(tokens, { axis: 0, start: tokens.shape[0] / frames });
      return { tokens, unpacked: unpackLatents(noisy, height, width, ACTION_PATCH_SIZE) };
    });
    golden.compare(`${i}.tokens`, tokens.data, 0);
    golden.compare(`${i}.unpacked_noisy`, swapFirstAxes(afterZeros(unpacked)).data, 0);
  }
}

/** [F-1,..] with a first frame of zeros. */
export function afterZeros(noisy: Tensor<"f32">): Tensor<"f32"> {
  const size = noisy.data.length / noisy.shape[0];
  const data = new Float32Array(size + noisy.data.length);
  data.set(noisy.data, size);
  return f32([noisy.shape[0] + 1, ...noisy.shape.slice(1)], data);
}

async function aw_rope(golden: Golden, device: Device): Promise<void> {
  for (const [i, c] of (golden.config.cases as Record<string, unknown>[]).entries()) {
    const config = positionConfig(c);
    const [text, frames, rows, columns, actions, fps] = ["L", "t", "h", "w", "na", "fps"].map((k) => asNumber(k, c[k]));
    const words = textPositions(text);
    const clip = clipPositions({ text, frames, rows, columns, actions, fps }, config);
    const [a, b] = [rotaryTables(words, config), rotaryTables(clip, config)];
    const [cos, sin] = [joinTables(a.cos, b.cos), joinTables(a.sin, b.sin)];
    golden.compare(`${i}.position_ids`, joinPositions(words, clip), 0);
    golden.compare(`${i}.cos`, twice(cos, config.headDim), 1e-5);
    golden.compare(`${i}.sin`, twice(sin, config.headDim), 1e-5);
    if (!golden.has(`in.${i}.x`)) continue;
    const shape = [cos.length * 2 / config.headDim, config.headDim / 2];
    const inputs = { x: golden.input(`${i}.x`), cos: f32(shape, cos), sin: f32(shape, sin) };
    const { rotated } = await runGraph(device, inputs, (v) => ({ rotated: rope(v.x, v.cos, v.sin, "halves") }));
    golden.compare(`${i}.rotated`, rotated.data, 1e-5);
  }
}

/** Positions of text [3,M] beside those of a clip [3,N]. */
export function joinPositions(text: Float32Array, clip: Float32Array): Float32Array {
  const [m, n] = [text.length / 3, clip.length / 3];
  const positions = new Float32Array(text.length + clip.length);
  for (let axis = 0; axis < 3; axis++) {
    positions.set(text.subarray(axis * m, (axis + 1) * m), axis * (m + n));
    positions.set(clip.subarray(axis * n, (axis + 1) * n), axis * (m + n) + m);
  }
  return positions;
}

/** Rows of one table after those of another. */
export function joinTables(a: Float32Array, b: Float32Array): Float32Array {
  const joined = new Float32Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}

/** The files hold every table twice, side by side, as the channels of a head are. */
export function twice(table: Float32Array, headDim: number): Float32Array {
  const half = headDim / 2;
  return Float32Array.from({ length: 2 * table.length }, (_, i) => table[Math.floor(i / headDim) * half + i % half]);
}

async function aw_unipc(golden: Golden, device: Device): Promise<void> {
  const plan = ([steps, shift]: number[]) => flowSchedule(steps, shift);
  (golden.config.schedules as number[][]).forEach((settings, i) => {
    const schedule = plan(settings);
    golden.compare(`schedule${i}.timesteps`, schedule.timesteps, 0);
    golden.compare(`schedule${i}.sigmas`, schedule.sigmas, 1e-6);
  });
  const start = golden.input("x");
  const field = new GraphRunner(device, ({ x, W, t }) => ({
    v: add(mul(tanh(matmul(x, W)), add(mul(t, 0.001), 0.5)), mul(x, 0.1)),
  }));
  for (const [i, settings] of (golden.config.runs as number[][]).entries()) {
    const schedule = plan(settings);
    const velocities = golden.input(`fixed${i}`);
    const traces = { fixed_trace: [] as number[], field_trace: [] as number[] };
    const [fixed, free] = [new UniPcSolver(schedule, start.data), new UniPcSolver(schedule, start.data)];
    for (const [step, timestep] of schedule.timesteps.entries()) {
      fixed.advance(part(velocities, step).data);
      const x = f32(start.shape, free.sample);
      free.advance((await field.run({ x, W: golden.input("W"), t: f32([1], [timestep]) })).v.data);
      traces.fixed_trace.push(...fixed.sample);
      traces.field_trace.push(...free.sample);
    }
    for (const [name, trace] of Object.entries(traces)) golden.compare(`run${i}.${name}`, trace, 2e-5);
  }
  field.dispose();
}
