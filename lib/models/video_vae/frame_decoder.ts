/**
 * Turns latent frames into images, as one endless stream.
 *
 * @module
 */
import {
  type Device,
  type DeviceTensor,
  f32,
  type Graph,
  type Program,
  type RunOptions,
  type Shape,
  sizeOf,
  type Tensor,
  toFloat32,
} from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { type DecoderHistory, releaseAll } from "../world/device_state.ts";
import {
  decoderGraph,
  decoderParts,
  FRAME,
  FRAMES,
  hasDecoderParts,
  hasOneDecoder,
  latentsPerRun,
} from "./decoder_graphs.ts";
import type { StreamPlace } from "./frame_history.ts";
import type { LatentSize } from "./latents.ts";
import { StreamPrograms } from "./stream_programs.ts";
import { pixelsPerLatent, type VideoVae } from "./vae_config.ts";

const LATENTS = "latents";

/** Images of the latents of one call. */
export interface DecodedFrames {
  /** RGB, 0 to 255 and not rounded, [count,H,W,3]. */
  readonly frames: Float32Array;
  /** How many. */
  readonly count: number;
  /** What the next call needs; belongs to the caller. */
  readonly history: DecoderHistory;
}

/** How a {@linkcode FrameDecoder} is compiled; by default as its device and the memory that it takes demand. */
export interface FrameDecoderOptions {
  /** How many latents a program decodes. */
  readonly perRun?: number | undefined;
  /** Whether the program for the start of a stream and that for the rest take turns, so that one has its weights. */
  readonly single?: boolean | undefined;
  /** Whether it decodes in parts, see {@linkcode decoderParts}. */
  readonly inParts?: boolean | undefined;
}

/** Options of {@linkcode FrameDecoder.stream}. */
export interface StreamOptions extends RunOptions {
  /**
   * Called with the images of each program's run, [count,H,W,3] as in {@linkcode DecodedFrames}, which are there until
   * it returns.
   */
  readonly onFrames: (frames: Float32Array) => void;
}

/** The decoder of one model at one size, for the same number of latents in every call. */
export class FrameDecoder {
  /** Shape of the latents of a call, [N,z,h,w]. */
  readonly shape: Shape;
  /** Shapes of what a stream remembers between two calls. */
  readonly historyShapes: ReadonlyMap<string, Shape>;
  readonly #device: Device;
  readonly #pixels: number;
  readonly #group: number;
  readonly #programs: StreamPrograms;
  readonly #isLarge: boolean;
  /** What turns each frame of the first programs into an image, one after another. */
  readonly #parts: readonly Graph[];
  /** Those of the parts that are compiled, in the same order. */
  #compiled: Program[] = [];
  /** Where images are read to; absent while a stream uses it. New memory for each would cost more than the copy. */
  #scratch: Float32Array | undefined;

  /** A decoder for `count` latents of this size a call; compiles nothing yet. */
  constructor(
    device: Device,
    config: VideoVae,
    weights: Weights,
    size: LatentSize,
    count: number,
    {
      inParts = device.kind === "cpu" && hasDecoderParts(config, weights, size),
      single = device.kind === "cpu" && hasOneDecoder(config, weights, size),
      perRun,
    }: FrameDecoderOptions = {},
  ) {
    const shape = [count, config.vae.zDim, size.height, size.width];
    const group = inParts ? 1 : perRun ?? latentsPerRun(config, weights, shape, device);
    const { latent, frame } = inParts
      ? decoderParts(config, weights, size)
      : { latent: (place: StreamPlace) => decoderGraph(config, weights, [group, ...shape.slice(1)], place), frame: [] };
    const remembered = [latent("later"), ...frame].flatMap(({ inputs }) => [...inputs])
      .filter(([name]) => name !== LATENTS && name !== FRAME);
    this.#device = device;
    this.#pixels = pixelsPerLatent(config.vae);
    this.shape = shape;
    this.#group = group;
    this.historyShapes = new Map(remembered.map(([name, { shape }]) => [name, shape]));
    this.#programs = new StreamPrograms(device, latent, single);
    this.#isLarge = inParts || single;
    this.#parts = frame;
  }

  /** A decoder that is {@linkcode prepare}d. */
  static async compile(...given: ConstructorParameters<typeof FrameDecoder>): Promise<FrameDecoder> {
    const decoder = new FrameDecoder(...given);
    await decoder.prepare();
    return decoder;
  }

  /** Compiles what the first call needs, or nothing where that fails. */
  async prepare(): Promise<void> {
    try {
      await this.#programs.prepare();
      for (let i = 0; i < this.#parts.length; i++) await this.#part(i);
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /** Decodes as {@linkcode stream} does, and returns all images at once. */
  async decode(
    latents: Tensor | DeviceTensor,
    history: DecoderHistory | undefined,
    options: RunOptions = {},
  ): Promise<DecodedFrames> {
    const images: Float32Array[] = [];
    const next = await this.stream(latents, history, { ...options, onFrames: (frames) => images.push(frames.slice()) });
    const [, , height, width] = this.shape;
    return { ...joinFrames(images, sizeOf([height, width, this.#pixels ** 2, 3])), history: next };
  }

  /**
   * Decodes latents [N,z,h,w]: 4N - 3 frames without a history, at the start of a stream, and 4N with one. Each tensor
   * of the history loses an owner as soon as it is not needed any more, also when this fails: a caller that needs it
   * later retains it.
   *
   * @param options Those of each run, and who takes the frames. Others may replace programs meanwhile, so `between` is
   * not called where there is no memory for two of them.
   * @returns what the next call needs; belongs to the caller.
   * @throws the signal's reason when it aborts before the last part has begun.
   */
  async stream(
    latents: Tensor | DeviceTensor,
    history: DecoderHistory | undefined,
    { signal, between, onFrames }: StreamOptions,
  ): Promise<DecoderHistory> {
    const [count, ...frame] = this.shape;
    const memory = new Map(history);
    const run = { signal, onFrames, ...(between && !this.#isLarge && { between }) };
    try {
      if (this.#group === count) await this.#decode(latents, memory, run);
      else {
        const data = toFloat32("dtype" in latents ? latents : await latents.read());
        const length = sizeOf(frame) * this.#group;
        for (let at = 0; at < data.length; at += length) {
          if (at > 0) await run.between?.();
          await this.#decode(f32([this.#group, ...frame], data.subarray(at, at + length)), memory, run);
        }
      }
    } catch (error) {
      releaseAll(memory.values());
      throw error;
    }
    return memory;
  }

  /** Gives out the images of what one program takes; `memory` becomes what comes after it. */
  async #decode(
    latents: Tensor | DeviceTensor,
    memory: Map<string, DeviceTensor>,
    options: StreamOptions,
  ): Promise<void> {
    const program = await this.#programs.at(memory.size > 0 ? "later" : "first");
    const { [FRAMES]: whole, ...frames } = await this.#run(program, { latents }, memory, options);
    const found = whole ? [whole] : Object.values(frames);
    try {
      while (found.length > 0) {
        for (let i = 0; i < this.#parts.length; i++) {
          const given = found[0];
          const { [FRAME]: next, [FRAMES]: last } = await this.#run(
            await this.#part(i),
            { [FRAME]: given },
            memory,
            options,
          );
          found[0] = next ?? last;
          given.release();
        }
        const length = sizeOf(found[0].shape);
        const images = this.#scratch?.length === length ? this.#scratch : new Float32Array(length);
        this.#scratch = undefined;
        await found[0].read(images);
        found.shift()!.release();
        options.onFrames(images);
        this.#scratch = images;
      }
    } finally {
      releaseAll(found);
    }
  }

  async #part(i: number): Promise<Program> {
    return this.#compiled[i] ??= await this.#device.compile(this.#parts[i]);
  }

  /** Runs a program with what it remembers; what it remembers next takes the place of that at once. */
  async #run(
    program: Program,
    given: Record<string, Tensor | DeviceTensor>,
    memory: Map<string, DeviceTensor>,
    options: RunOptions,
  ): Promise<Record<string, DeviceTensor>> {
    const feeds = { ...given };
    for (const [name, { shape }] of program.inputs) {
      feeds[name] ??= memory.get(name) ?? f32(shape, new Float32Array(sizeOf(shape)));
    }
    const results: Record<string, DeviceTensor> = {};
    for (const [name, tensor] of Object.entries(await program.run(feeds, options))) {
      if (!this.historyShapes.has(name)) results[name] = tensor;
      else {
        memory.get(name)?.release();
        memory.set(name, tensor);
      }
    }
    return results;
  }

  /** Releases the programs; a call that comes later compiles them again. */
  dispose(): void {
    this.#programs.dispose();
    for (const part of this.#compiled) part.dispose();
    this.#compiled = [];
    this.#scratch = undefined;
  }
}

function joinFrames(parts: readonly Float32Array[], length: number): Pick<DecodedFrames, "frames" | "count"> {
  if (parts.length === 1) return { frames: parts[0], count: parts[0].length / length };
  const frames = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) frames.set(part, (at += part.length) - part.length);
  return { frames, count: frames.length / length };
}
