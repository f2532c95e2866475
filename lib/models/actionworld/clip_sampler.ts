/**
 * Samples the latents of a clip from noise.
 *
 * @module
 */
import { type Device, nextTurn, type Program } from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";
import type { LatentSize } from "../video_vae/latents.ts";
import { ProgramCache } from "../world/program_cache.ts";
import { offerTurn, type Turn } from "../world/turns.ts";
import { type ClipConditions, ClipVelocity } from "./clip_velocity.ts";
import { type ActionTransformerConfig, CAMERA_POSE_NUMBERS } from "./config.ts";
import { needsOneProgram } from "./takes_turns.ts";
import type { TextStream } from "./text_streams.ts";
import { type ClipSize, velocityGraph } from "./transformer/transformer_graphs.ts";
import { type FlowSchedule, UniPcSolver } from "./uni_pc.ts";

/** Number of programs kept: for prompt and empty prompt, and for a second clip length. */
const KEPT_PROGRAMS = 4;

/** A program that takes texts of different lengths takes multiples of this many tokens. */
const SLOT_STEP = 128;

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
  /** Others may have the turn within a pass; it is left to the caller to pass it on between two. */
  readonly turn?: Turn | undefined;
}

/** How far a clip is; programs may be released and compiled again between two steps. */
export class StartedClip {
  readonly solver: UniPcSolver;
  step = 0;
  /** The prediction for the prompt in a step whose other one is still to be made. */
  wanted: Float32Array | undefined;

  constructor({ noise, schedule }: Pick<SamplerClip, "noise" | "schedule">) {
    this.solver = new UniPcSolver(schedule, noise);
  }
}

/** The sampler of one model at one size. */
export class ClipSampler {
  readonly #device: Device;
  readonly #config: ActionTransformerConfig;
  readonly #weights: Weights;
  readonly #size: LatentSize;
  readonly #domain: number;
  readonly #programs = new ProgramCache(KEPT_PROGRAMS);
  readonly #single: boolean;
  /** Text tokens that the single program takes. */
  #slots = 0;

  /**
   * Compiles nothing yet; `size` is that of a latent frame.
   *
   * @param single Whether there is one program at a time, for texts of all lengths; by default where several would have
   * large copies of the weights.
   */
  constructor(
    device: Device,
    config: ActionTransformerConfig,
    weights: Weights,
    size: LatentSize,
    domain: number,
    single: boolean = needsOneProgram(device, config),
  ) {
    this.#single = single;
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
  async sample(request: SamplerClip, options: Omit<SampleClipOptions, "turn"> = {}): Promise<Float32Array> {
    const clip = new StartedClip(request);
    await this.advance(clip, request, options);
    return clip.solver.sample;
  }

  /**
   * Continues a clip, by one pass at least, until others wait for the turn or have had it, and so may have replaced the
   * programs; resolves with whether it is done. Nothing of it is on the device then.
   *
   * @throws as {@linkcode sample}.
   */
  async advance(
    clip: StartedClip,
    request: SamplerClip,
    { signal, onStep, turn }: SampleClipOptions,
  ): Promise<boolean> {
    const { schedule: { timesteps }, guidance } = request;
    const { solver } = clip;
    const longest = Math.max(request.text.length, guidance?.text.length ?? 0);
    let hadTurn = false;
    const between = async (): Promise<void> => {
      if (await offerTurn(turn)) hadTurn = true;
    };
    const run = { signal, ...(turn && !this.#single && { between }) }; // there is no memory for another program
    const leaves = (): boolean => hadTurn || turn?.isWanted === true;
    const passes = [await this.bind(request, request.text, longest)];
    try {
      if (guidance) passes.push(await this.bind(request, guidance.text, longest));
      while (clip.step < timesteps.length) {
        signal?.throwIfAborted();
        const timestep = timesteps[clip.step];
        if (!clip.wanted) {
          onStep?.(clip.step);
          clip.wanted = await passes[0].predict(solver.sample, timestep, run);
          if (guidance && leaves()) return false;
        }
        const other = await passes[1]?.predict(solver.sample, timestep, run);
        solver.advance(other ? guide(clip.wanted, other, guidance!.scale) : clip.wanted);
        clip.wanted = undefined;
        clip.step++;
        if (leaves() && clip.step < timesteps.length) return false;
      }
      return true;
    } finally {
      for (const pass of passes) pass.release();
    }
  }

  /**
   * Predictions for a clip of this length and text; must be released, and before another length is bound.
   *
   * @param longest Tokens of the longest text that is bound at the same time.
   */
  async bind(conditions: ClipConditions, text: TextStream, longest: number = text.length): Promise<ClipVelocity> {
    const actions = conditions.actions.length / CAMERA_POSE_NUMBERS;
    const size = { ...this.#size, frames: actions / this.#config.framesPerLatent + 1 };
    const program = await this.#program(size, text.length, longest);
    return await ClipVelocity.bind(this.#device, program, this.#config, size, text, conditions);
  }

  async #program(size: ClipSize, length: number, longest: number): Promise<Program> {
    if (this.#single) this.#slots = Math.max(this.#slots, Math.ceil(longest / SLOT_STEP) * SLOT_STEP);
    const text = this.#single ? { count: this.#slots, padded: true } : { count: length };
    const key = `${size.frames} ${text.count}`;
    if (this.#single && !this.#programs.has(key)) {
      this.#programs.dispose();
      await nextTurn(); // in which the program that has the weights goes, before another one reads them
    }
    return await this.#programs.get(
      key,
      () => this.#device.compile(velocityGraph(this.#config, this.#weights, size, text, this.#domain)),
    );
  }

  /** Releases the programs; a call that comes later compiles them again. */
  dispose(): void {
    this.#programs.dispose();
  }
}

/** other + scale * (wanted - other) */
export function guide(wanted: Float32Array, other: Float32Array, scale: number): Float32Array {
  return wanted.map((v, i) => other[i] + scale * (v - other[i]));
}
