/**
 * Samples the latents of a clip from noise.
 *
 * @module
 */
import type { Device } from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { ProgramCache } from "../world/program_cache.ts";
import type { LatentSize } from "../video_vae/latent_size.ts";
import { type ClipConditions, ClipVelocity } from "./clip_velocity.ts";
import { type ActionTransformerConfig, CAMERA_POSE_NUMBERS } from "./config.ts";
import type { TextStream } from "./text/text_streams.ts";
import { velocityGraph } from "./transformer/transformer_graphs.ts";
import { type FlowSchedule, UniPcSolver } from "./uni_pc.ts";

/** Number of programs kept: for prompt and empty prompt, and for a second clip length. */
const KEPT_PROGRAMS = 4;

/** A clip to be sampled. */
export interface SamplerClip extends ClipConditions {
  /** Conditions of the clip. */
  readonly text: TextStream;
  /** Standard normal numbers for all frames but the first, [F-1,C,h,w]. */
  readonly noise: Float32Array;
  /** Noise levels of the steps. */
  readonly schedule: FlowSchedule;
  /** Guidance scale and the second text (classifier-free guidance, Ho and Salimans 2022). */
  readonly guidance?: { readonly scale: number; readonly text: TextStream } | undefined;
}

/** Options of {@linkcode ClipSampler.sample}. */
export interface SampleClipOptions {
  /** Stops the work between two passes, or inside one where the device can be stopped. */
  readonly signal?: AbortSignal | undefined;
  /** Called before every step. */
  readonly onStep?: ((step: number) => void) | undefined;
}

/** The sampler of one model at one size. */
export class ClipSampler {
  readonly #device: Device;
  readonly #config: ActionTransformerConfig;
  readonly #weights: Weights;
  readonly #size: LatentSize;
  readonly #domain: number;
  readonly #programs = new ProgramCache(KEPT_PROGRAMS);

  /** Compiles nothing yet; `size` is that of a latent frame. */
  constructor(
    device: Device,
    config: ActionTransformerConfig,
    weights: Weights,
    size: LatentSize,
    domain: number,
  ) {
    this.#device = device;
    this.#config = config;
    this.#weights = weights;
    this.#size = size;
    this.#domain = domain;
  }

  /**
   * The clean normalized latents of all frames but the first, [F-1,C,h,w].
   *
   * @throws the signal's reason when it aborts before the last part of a pass; nothing is kept then.
   */
  async sample(request: SamplerClip, { signal, onStep }: SampleClipOptions = {}): Promise<Float32Array> {
    const { schedule, guidance } = request;
    const solver = new UniPcSolver(schedule, request.noise);
    const passes = [await this.bind(request, request.text)];
    try {
      if (guidance) passes.push(await this.bind(request, guidance.text));
      for (const [step, timestep] of schedule.timesteps.entries()) {
        signal?.throwIfAborted();
        onStep?.(step);
        const [wanted, other] = [
          await passes[0].predict(solver.sample, timestep, signal),
          await passes[1]?.predict(solver.sample, timestep, signal),
        ];
        solver.advance(other ? guide(wanted, other, guidance!.scale) : wanted);
      }
      return solver.sample;
    } finally {
      for (const pass of passes) pass.release();
    }
  }

  /** Predictions for a clip of this length and text; must be released. */
  async bind(conditions: ClipConditions, text: TextStream): Promise<ClipVelocity> {
    const actions = conditions.actions.length / CAMERA_POSE_NUMBERS;
    const size = { ...this.#size, frames: actions / this.#config.framesPerLatent + 1 };
    const program = await this.#programs.get(
      `${size.frames} ${text.length}`,
      () => this.#device.compile(velocityGraph(this.#config, this.#weights, size, text.length, this.#domain)),
    );
    return new ClipVelocity(this.#device, program, this.#config, size, text, conditions);
  }

  /** Releases the programs. */
  dispose(): void {
    this.#programs.dispose();
  }
}

/** other + scale * (wanted - other) */
export function guide(wanted: Float32Array, other: Float32Array, scale: number): Float32Array {
  return wanted.map((v, i) => other[i] + scale * (v - other[i]));
}
