/**
 * Checks of the whole transformer and of the sampler around it.
 *
 * @module
 */

import {
  CONTEXT_TIMESTEP,
  noiseLevel,
  predictClean,
  renoise,
  SAMPLER_STEPS,
} from "../../../lib/models/arworld/sampling/sampler_math.ts";

import { bfloatToFloat, type Device, f32, floatToBfloat } from "../../../lib/compute/tensor/mod.ts";
import type { Checks } from "../check.ts";
import { type Golden, part, swapFirstAxes } from "../golden.ts";
import { transformerConfig } from "../golden_configs.ts";
import { runGraph } from "../run_graph.ts";
import { TransformerPasses } from "../transformer_passes.ts";

export const modelChecks: Checks = { dit_model, sampler_math };

async function dit_model(golden: Golden, device: Device): Promise<void> {
  const config = transformerConfig(golden.config);
  const passes = new TransformerPasses(golden, device, config, golden.weights());
  const { window } = passes;
  const [latent, t, viewmats] = ["latent", "t", "viewmats"].map((name) => golden.input(name));
  const blocks = golden.stored("block").data;
  for (let pass = 0; pass < blocks.length; pass++) {
    window.enter(blocks[pass]);
    const got = await passes.run({
      latents: swapFirstAxes(part(latent, pass)),
      timesteps: [...part(t, pass).data],
      prompt: golden.input("prompt"),
      views: part(viewmats, pass).data,
    });
    const tokens = got["k.0"].shape[0];
    for (const name of golden.outputs(new RegExp(`^${pass}\\.`))) {
      const field = name.slice(name.indexOf(".") + 1);
      const cached = /^([kv])\.(\d+)$/.exec(field);
      if (cached) golden.compare(name, window.cache(Number(cached[2]))[cached[1] as "k" | "v"], 3e-5);
      else if (field === "global_end") golden.compare(name, [(blocks[pass] + 1) * tokens], 0);
      else if (field === "local_end") golden.compare(name, [window.blocks * tokens], 0);
      else golden.compare(name, got[field].data, 1e-4);
    }
  }
  passes.dispose();
}

async function sampler_math(golden: Golden, device: Device): Promise<void> {
  const levels = Array.from({ length: 1000 }, (_, i) => noiseLevel(i));
  golden.compare("timesteps", SAMPLER_STEPS.map((step) => step.timestep), 1e-3);
  golden.compare("sigma", SAMPLER_STEPS.map((step) => step.sigma), 1e-6);
  golden.compare("table_sigma", levels.map((level) => level.sigma), 1e-6);
  golden.compare("table_t", levels.map((level) => level.timestep), 1e-3);
  const inputs = Object.fromEntries(["x", "v", "x0", "noise"].map((name) => [name, golden.input(name)]));
  const x0: number[] = [];
  const renoised: number[] = [];
  for (const [step, { sigma }] of SAMPLER_STEPS.entries()) {
    const got = await runGraph(device, { ...inputs, sigma: f32([1], [sigma]) }, (v) => ({
      x0: predictClean(v.x, v.v, v.sigma),
      renoised: renoise(v.x0, v.noise, v.sigma),
    }));
    x0.push(...got.x0.data);
    if (step > 0) renoised.push(...got.renoised.data);
  }
  golden.compare("x0", x0, 1e-6);
  golden.compare("renoised", renoised, 1e-6);
  golden.compare("bf16_timesteps", SAMPLER_STEPS.map((step) => roundToBfloat(step.timestep)), 1e-3);
  golden.compare("bf16_x0_sigma", SAMPLER_STEPS.map((step) => nearestSigma(roundToBfloat(step.timestep))), 1e-6);
  golden.compare("bf16_context_t", [roundToBfloat(CONTEXT_TIMESTEP)], 1e-3);

  /** The noise level that the released pipeline uses in bfloat16: that of the table's nearest timestep. */
  function nearestSigma(timestep: number): number {
    const distances = levels.map((level) => Math.abs(level.timestep - timestep));
    return levels[distances.indexOf(Math.min(...distances))].sigma;
  }
}

function roundToBfloat(x: number): number {
  return bfloatToFloat(floatToBfloat(x));
}
