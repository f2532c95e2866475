/**
 * The modulation of the sampler's few timesteps, computed once per model.
 *
 * @module
 */
import { type Device, type DeviceTensor, f32 } from "../../../compute/tensor/mod.ts";
import type { Weights } from "../../checkpoint/weights.ts";
import { timeSinusoid } from "../../layers/dense.ts";
import { releaseAll } from "../../world/device_state.ts";
import type { TransformerConfig } from "../config.ts";
import { LATENTS_PER_BLOCK } from "../trajectory.ts";
import { modulationGraph } from "../transformer/transformer_graphs.ts";
import { CONTEXT_TIMESTEP, SAMPLER_STEPS } from "./sampler_math.ts";

/** Inputs `modulation.*` of the transformer's programs. */
export type ModulationFeeds = Readonly<Record<string, DeviceTensor>>;

/** Modulation by timestep: the four steps with and without a known first frame, and the context pass. */
export class TimeTables {
  readonly #steps: readonly ModulationFeeds[];
  readonly #firstSteps: readonly ModulationFeeds[];
  /** Of the pass that fills the caches. */
  readonly context: ModulationFeeds;

  private constructor(
    steps: readonly ModulationFeeds[],
    firstSteps: readonly ModulationFeeds[],
    context: ModulationFeeds,
  ) {
    this.#steps = steps;
    this.#firstSteps = firstSteps;
    this.context = context;
  }

  /** Computes all tables. */
  static async compute(device: Device, config: TransformerConfig, weights: Weights): Promise<TimeTables> {
    const program = await device.compile(modulationGraph(config, weights));
    const table = async (timesteps: readonly number[]) =>
      await program.run({
        sinusoid: f32([LATENTS_PER_BLOCK, config.freqDim], timeSinusoid(timesteps, config.freqDim)),
      });
    try {
      const steps: ModulationFeeds[] = [];
      const firstSteps: ModulationFeeds[] = [];
      for (const { timestep } of SAMPLER_STEPS) {
        steps.push(await table([timestep, timestep, timestep]));
        // A known frame has no noise at any step, and its timestep says so.
        firstSteps.push(await table([0, timestep, timestep]));
      }
      const context = await table([CONTEXT_TIMESTEP, CONTEXT_TIMESTEP, CONTEXT_TIMESTEP]);
      return new TimeTables(steps, firstSteps, context);
    } finally {
      program.dispose();
    }
  }

  /** Of a denoising step; `first` when the first frame is known. */
  step(step: number, first: boolean): ModulationFeeds {
    return (first ? this.#firstSteps : this.#steps)[step];
  }

  /** Releases all tables. */
  dispose(): void {
    for (const feeds of [...this.#steps, ...this.#firstSteps, this.context]) releaseAll(Object.values(feeds));
  }
}
