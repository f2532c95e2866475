/**
 * The parts of `@huggingface/transformers` that the engine uses, loaded on demand.
 *
 * @module
 */
import { loadOnnxRuntime } from "../../compute/onnx/load_onnxruntime.ts";
import { TRANSFORMERS_PACKAGE } from "./transformers_package.ts";

/** Numbers with a shape. */
export interface LibraryTensor {
  readonly dims: readonly number[];
  readonly data: ArrayLike<number | bigint>;
  slice(...slices: readonly (readonly [number, number] | number | null)[]): LibraryTensor;
  to(type: "float32"): LibraryTensor;
}

/** Inputs by name, and the cache beside them. */
export type LibraryInputs = Record<string, unknown>;

/** What a step gives: `logits` `[1, tokens, vocabulary]`, and states. */
export type LibraryOutputs = Record<string, unknown> & { logits: LibraryTensor };

/** Keys, values and states of a text. */
export interface LibraryCache {
  dispose(): Promise<void>;
}

/** A language model of the library. */
export interface LibraryModel {
  forward(inputs: LibraryInputs): Promise<LibraryOutputs>;
  generate(options: LibraryInputs): Promise<{ readonly past_key_values: LibraryCache }>;
  dispose(): Promise<unknown>;
}

type OpenModel = { from_pretrained(id: string, options: LibraryInputs): Promise<LibraryModel> };

/** Makes inputs of a text and images. */
export interface LibraryProcessor {
  (...args: readonly unknown[]): Promise<Record<string, unknown>>;
  /** Its part for sounds. */
  readonly feature_extractor?: unknown;
}

/** The module. */
export interface TransformersLibrary {
  readonly env: { allowRemoteModels: boolean; allowLocalModels: boolean; localModelPath: string };
  readonly AutoModelForSeq2SeqLM: OpenModel;
  readonly AutoModelForImageTextToText: OpenModel;
  readonly AutoProcessor: { from_pretrained(id: string, options: LibraryInputs): Promise<LibraryProcessor> };
  readonly DynamicCache: new () => LibraryCache;
  readonly RawImage: new (data: Uint8ClampedArray, width: number, height: number, channels: 3) => unknown;
  readonly StoppingCriteria: new () => object;
  readonly Tensor: new (
    type: "int64" | "float32",
    data: BigInt64Array | Float32Array,
    dims: readonly number[],
  ) => LibraryTensor;
}

/**
 * Loads the library, which then reads local files only.
 *
 * @throws {Error} with the remedy when it is not installed.
 */
export async function loadTransformers(): Promise<TransformersLibrary> {
  // Its sessions are those of our own copy, whose settings come first.
  (await loadOnnxRuntime()).env.logLevel = "fatal";
  let library: TransformersLibrary;
  try {
    library = await import("@huggingface/transformers") as unknown as TransformersLibrary;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split("\n")[0] : String(cause);
    const remedy = `install it with "npm install ${TRANSFORMERS_PACKAGE}"`;
    throw new Error(`Cannot open the model: @huggingface/transformers did not load (${reason}), ${remedy}`, { cause });
  }
  library.env.allowRemoteModels = false;
  library.env.allowLocalModels = true;
  return library;
}
