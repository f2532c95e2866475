/**
 * Decoders that attend to encoded sound, with a cache of keys and values.
 *
 * @module
 */
import type { InferenceSession, Tensor } from "onnxruntime-node";
import type { OnnxRuntimeModule } from "../../compute/onnx/load_onnxruntime.ts";
import type { ModelFiles } from "../contract/engine_entry.ts";
import { type OpenedSession, openSession, type SessionSettings } from "../onnx_sessions/open_session.ts";
import { floatToHalf, toFloat32 } from "../../compute/tensor/half.ts";
import { tensor } from "../../compute/tensor/tensor.ts";

/** The graphs of a decoder: one for all steps, or one for the first and one for the others. */
export interface DecoderFiles {
  readonly first: string;
  /** Undefined for a merged graph. */
  readonly next?: string;
}

/** Sizes of keys and values, for graphs that do not say them. */
interface DecoderHeads {
  readonly heads: number;
  readonly headSize: number;
}

/** Keys and values by the names under which they go in again. */
type DecoderCache = Readonly<Record<string, Tensor>>;

/** What a step gives. */
interface DecodedStep {
  /** One array a token. */
  readonly logits: readonly Float32Array[];
  readonly cache: DecoderCache;
}

/** Attention of a layer to the sound: [heads, tokens, frames]. */
export interface CrossAttention {
  readonly data: Float32Array;
  readonly dims: readonly number[];
}

const ATTENTION = /^cross_attentions\.(\d+)$/;

/** Runs a decoder for one recording at a time. */
export class SpeechDecoder {
  readonly device: string;
  /** Layers that return their attention. */
  readonly attentions: readonly string[];
  readonly #first: OpenedSession;
  readonly #next: OpenedSession;
  readonly #runtime: OnnxRuntimeModule;
  readonly #heads: DecoderHeads;

  private constructor(first: OpenedSession, next: OpenedSession, heads: DecoderHeads) {
    this.device = first.device;
    this.#first = first;
    this.#next = next;
    this.#runtime = first.runtime;
    this.#heads = heads;
    this.attentions = first.session.outputNames.filter((name) => ATTENTION.test(name))
      .sort((a, b) => Number(ATTENTION.exec(a)?.[1]) - Number(ATTENTION.exec(b)?.[1]));
  }

  /** @throws {Error} when a file is missing or damaged, or no decoder with a cache. */
  static async open(
    files: ModelFiles,
    { first, next }: DecoderFiles,
    heads: DecoderHeads,
    settings: SessionSettings,
  ): Promise<SpeechDecoder> {
    const opened = await openSession(files.path(first), settings);
    const further = next === undefined ? opened : await openSession(files.path(next), settings);
    const decoder = new SpeechDecoder(opened, further, heads);
    const inputs = tensorInputs(further.session);
    const outputs = opened.session.outputNames;
    const missing = ["input_ids", "past_key_values.0.decoder.key"].find((name) => !inputs.has(name)) ??
      ["logits", "present.0.decoder.key"].find((name) => !outputs.includes(name));
    if (missing === undefined) return decoder;
    await decoder.close();
    throw new Error(`Cannot use ${next ?? first}: its graph has no "${missing}", expected a decoder with a cache`);
  }

  /** Reads the first tokens after the sound; `extra` are further inputs, such as a mask of the sound. */
  async start(sound: Tensor, tokens: readonly number[], extra: Readonly<Record<string, Tensor>>): Promise<DecodedStep> {
    const { session } = this.#first;
    const outputs = session.outputNames.filter((name) => name === "logits" || name.startsWith("present."));
    const results = await session.run(this.#startFeeds(sound, tokens, extra), outputs);
    const cache = Object.fromEntries(
      outputs.filter((name) => name !== "logits").map((name) => [pastName(name), results[name]]),
    );
    return { logits: perToken(results.logits), cache };
  }

  /** Reads one more token. */
  async step(
    sound: Tensor,
    token: number,
    cache: DecoderCache,
    extra: Readonly<Record<string, Tensor>>,
  ): Promise<DecodedStep> {
    const { session } = this.#next;
    const inputs = tensorInputs(session);
    const feeds: Record<string, Tensor> = {
      input_ids: integerTensor(this.#runtime, inputs.get("input_ids")?.type, [token], [1, 1]),
    };
    for (const [name, input] of inputs) {
      if (name in cache) feeds[name] = cache[name];
      else if (name === "encoder_hidden_states") feeds[name] = castFloats(this.#runtime, input.type, sound);
      else if (name === "use_cache_branch") feeds[name] = new this.#runtime.Tensor("bool", [true], [1]);
      else if (name in extra) feeds[name] = extra[name];
    }
    // Keys and values of the sound stay as they were; merged graphs give empty ones here.
    const outputs = session.outputNames.filter((name) => name === "logits" || /^present\.\d+\.decoder\./.test(name));
    const results = await session.run(feeds, outputs);
    const grown = outputs.filter((name) => name !== "logits").map((name) => [pastName(name), results[name]] as const);
    return { logits: perToken(results.logits), cache: { ...cache, ...Object.fromEntries(grown) } };
  }

  /** Reads tokens at once, and gives their logits and what each layer attends to. */
  async attend(
    sound: Tensor,
    tokens: readonly number[],
  ): Promise<{ readonly logits: readonly Float32Array[]; readonly attentions: readonly CrossAttention[] }> {
    const results = await this.#first.session.run(
      this.#startFeeds(sound, tokens, {}),
      ["logits", ...this.attentions],
    );
    const attentions = this.attentions.map((name) => ({
      data: floats(results[name]),
      dims: results[name].dims.slice(1),
    }));
    return { logits: perToken(results.logits), attentions };
  }

  async close(): Promise<void> {
    await this.#first.session.release();
    if (this.#next !== this.#first) await this.#next.session.release();
  }

  #startFeeds(
    sound: Tensor,
    tokens: readonly number[],
    extra: Readonly<Record<string, Tensor>>,
  ): Record<string, Tensor> {
    const feeds: Record<string, Tensor> = {};
    for (const [name, input] of tensorInputs(this.#first.session)) {
      if (name === "input_ids") feeds[name] = integerTensor(this.#runtime, input.type, tokens, [1, tokens.length]);
      else if (name === "encoder_hidden_states") feeds[name] = castFloats(this.#runtime, input.type, sound);
      else if (name === "use_cache_branch") feeds[name] = new this.#runtime.Tensor("bool", [false], [1]);
      else if (name in extra) feeds[name] = extra[name];
      else if (name.startsWith("past_key_values.")) feeds[name] = this.#emptyPast(input);
    }
    return feeds;
  }

  #emptyPast({ type, shape }: TensorMetadata): Tensor {
    const size = (axis: number, otherwise: number) => typeof shape[axis] === "number" ? shape[axis] : otherwise;
    const dims = [1, size(1, this.#heads.heads), 0, size(3, this.#heads.headSize)];
    return floatTensor(this.#runtime, type, new Float32Array(), dims);
  }
}

function pastName(present: string): string {
  return present.replace("present.", "past_key_values.");
}

function perToken(logits: Tensor): Float32Array[] {
  const data = floats(logits);
  const [, count, width] = logits.dims;
  return Array.from({ length: count }, (_, i) => data.subarray(i * width, (i + 1) * width));
}

/** What an input or output is. */
export type TensorMetadata = InferenceSession.TensorValueMetadata;

/** Inputs of a session by name. */
export function tensorInputs(session: InferenceSession): ReadonlyMap<string, TensorMetadata> {
  return new Map(session.inputMetadata.flatMap((input) => input.isTensor ? [[input.name, input]] : []));
}

/** Floats in the type of an input. */
export function floatTensor(
  runtime: OnnxRuntimeModule,
  type: string | undefined,
  data: Float32Array,
  dims: readonly number[],
): Tensor {
  if (type !== "float16") return new runtime.Tensor("float32", data, dims);
  return new runtime.Tensor("float16", Uint16Array.from(data, floatToHalf), dims);
}

/** Integers in the type of an input. */
export function integerTensor(
  runtime: OnnxRuntimeModule,
  type: string | undefined,
  data: readonly number[],
  dims: readonly number[],
): Tensor {
  if (type === "int32") return new runtime.Tensor("int32", Int32Array.from(data), dims);
  return new runtime.Tensor("int64", BigInt64Array.from(data, BigInt), dims);
}

/** A float tensor in another float type, or the same one where it has it already. */
function castFloats(runtime: OnnxRuntimeModule, type: string | undefined, value: Tensor): Tensor {
  return type === undefined || value.type === type ? value : floatTensor(runtime, type, floats(value), value.dims);
}

/** The elements of a float tensor. */
export function floats({ type, data, dims }: Tensor): Float32Array {
  if (data instanceof Float32Array) return data;
  if (type !== "float16") {
    throw new TypeError(`Cannot read an output: its type is ${type}, expected float32 or float16`);
  }
  // Some runtimes give 16-bit floats as such, others their bits.
  const { buffer, byteOffset, length } = data as Uint16Array;
  return toFloat32(tensor("f16", dims, new Uint16Array(buffer, byteOffset, length)));
}
