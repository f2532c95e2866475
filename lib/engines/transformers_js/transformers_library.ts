/**
 * The parts of `@huggingface/transformers` that the engine uses, loaded on demand. The package is not installed from
 * the start.
 *
 * @module
 */
import { loadOnnxRuntime } from "../../compute/onnx/load_onnxruntime.ts";

/** Name and version, as `npm install` takes them. */
export const TRANSFORMERS_PACKAGE = "@huggingface/transformers@4.3.1";

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

/** A model whose tokens have three positions each. */
interface ThreePositions {
  _get_text_only_rope_index(ids: LibraryTensor, mask: LibraryTensor): [positions: LibraryTensor, deltas: LibraryTensor];
}

/**
 * Makes the tokens of an answer follow those of the prompt. A delta says how far the next position is from the number of
 * tokens (Wang et al. 2024, "Qwen2-VL", section 2.1): 0 for a text. The library, up to 4.3.1 at least, adds the number of
 * tokens where it has to subtract it, so that answers to texts would begin at three times the length of their prompts.
 */
export function mendTextPositions(
  { Tensor }: TransformersLibrary,
  model: LibraryModel & Partial<ThreePositions>,
): void {
  const positionsOf = model._get_text_only_rope_index?.bind(model);
  if (positionsOf === undefined) return;
  model._get_text_only_rope_index = (ids, mask) => [
    positionsOf(ids, mask)[0],
    new Tensor("int64", BigInt64Array.of(0n), [1, 1]),
  ];
}
