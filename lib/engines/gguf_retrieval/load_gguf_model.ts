/**
 * Loads GGUF models that embed or rank texts, with a context that is as long as the longest text so far.
 *
 * @module
 */
import type { LlamaModel } from "node-llama-cpp";
import type { EngineOptions, ModelFiles, OpenModel } from "../contract/engine_entry.ts";
import { type GgufMetadata, readGgufMetadata } from "../gguf_text/gguf_metadata.ts";
import { findGgufFile } from "../gguf_text/gguf_file.ts";
import { openLlama, WITHIN } from "../gguf_text/open_llama.ts";
import { deviceFor, firstThatWorks } from "../onnx_sessions/engine_devices.ts";
import { SvcError } from "../../errors/svc_error.ts";

/** What a model needs of the settings of engines. */
export type RetrievalOptions = Pick<EngineOptions, "device" | "threads" | "missing" | "keepTests" | "onProgress">;

/** Settings of each of its contexts. */
interface TextContextOptions {
  readonly contextSize: number;
  readonly batchSize: number;
  readonly threads: number;
}

/** A loaded model. */
interface LoadedGguf {
  readonly model: LlamaModel;
  readonly metadata: GgufMetadata;
  readonly device: string;
  /** Makes a context of so many tokens; its failure has llama.cpp's reason. */
  readonly context: <C>(make: (options: TextContextOptions) => Promise<C>) => (tokens: number) => Promise<C>;
}

/**
 * Loads the model: on a GPU if one works, else on the CPU.
 *
 * @param check Makes what the model needs at least, so that broken models fail here.
 * @throws {Error} when the package is missing, the file is broken or memory is insufficient.
 */
export async function loadGgufModel<T extends OpenModel>(
  files: ModelFiles,
  options: RetrievalOptions,
  check: (loaded: LoadedGguf) => Promise<T>,
): Promise<T> {
  const name = findGgufFile(files);
  if (name === undefined) throw new Error("Cannot open a GGUF model: it has no .gguf file, expected one");
  const metadata = await readGgufMetadata(files, name);
  const load = async (wanted: string): Promise<T> => {
    const { llama, device, attempt } = await openLlama(wanted, options.missing, options.keepTests);
    const modelPath = files.path(name);
    let model: LlamaModel | undefined;
    try {
      model = await attempt(() => llama.loadModel({ modelPath, onLoadProgress: options.onProgress }));
      const threads = options.threads ?? Math.max(1, llama.cpuMathCores - 1);
      return await check({
        ...{ model, metadata, device },
        // Pooling sees one batch: all of a text must be in it.
        context: (make) => (tokens) => attempt(() => make({ contextSize: tokens, batchSize: tokens, threads })),
      });
    } catch (cause) {
      await model?.dispose();
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`Cannot open ${modelPath}: llama.cpp says "${reason}", ${WITHIN}`, { cause });
    }
  };
  const device = deviceFor("llama", options.device);
  const best = device === "auto" ? (await openLlama(device, options.missing, options.keepTests)).device : device;
  const { value, tried } = await firstThatWorks(device === "auto" && best !== "cpu" ? ["auto", "cpu"] : [device], load);
  return { ...value, tried: tried.map(({ reason }) => ({ device: best, reason })) };
}

/** Tokens before and after every text. */
interface TextFrame {
  readonly open: readonly number[];
  readonly close: readonly number[];
}

/**
 * The frame that the tokenizer of a model puts around a text. node-llama-cpp leaves out the first token of models with
 * unigrams (XLM-RoBERTa), from which their vector is taken.
 */
export function textFrame({ tokens, vocabularyType }: LlamaModel, metadata: GgufMetadata): TextFrame {
  const pieces = String(vocabularyType) === "wpm";
  const opens = pieces || tokens.shouldPrependBosToken;
  const closes = metadata.get("tokenizer.ggml.add_eos_token") ?? (pieces || tokens.shouldAppendEosToken);
  const end = pieces ? tokens.sep ?? tokens.eos : tokens.eos;
  return {
    open: opens && tokens.bos !== null ? [tokens.bos] : [],
    close: closes === true && end !== null ? [end] : [],
  };
}

/** What llama.cpp evaluates texts in. */
interface TextContext {
  dispose(): Promise<void>;
}

const FIRST = 512;

/**
 * Keeps one context. Its buffers grow with the square of its length on some devices, so that a long one is made for
 * long texts only, twice as long each time, and as long as memory allows.
 */
export class GrowingContext<C extends TextContext> {
  readonly #create: (tokens: number) => Promise<C>;
  readonly #max: number;
  #tokens = 0;
  #context: C | undefined;

  /** @param max Of the tokens of a text. */
  constructor(create: (tokens: number) => Promise<C>, max: number) {
    this.#create = create;
    this.#max = max;
  }

  /**
   * The context, for a text of so many tokens. Calls must not overlap, nor may another text be evaluated.
   *
   * @throws {SvcError} `memory_pressure` when memory does not suffice for that length.
   */
  async of(tokens: number): Promise<C> {
    if (this.#context !== undefined && tokens <= this.#tokens) return this.#context;
    let wanted = FIRST;
    while (wanted < tokens) wanted *= 2;
    await this.close();
    const lengths = new Set([Math.min(wanted, this.#max), tokens]);
    let reason: unknown;
    for (const length of lengths) {
      try {
        // Llama.cpp needs a place after the text.
        this.#context = await this.#create(length + 1);
        this.#tokens = length;
        return this.#context;
      } catch (error) {
        reason = error;
      }
    }
    const why = reason instanceof Error ? reason.message : String(reason);
    throw new SvcError(
      "memory_pressure",
      `Cannot evaluate a text of ${tokens} tokens: llama.cpp says "${why}", expected enough memory, send shorter texts ` +
        "or unload other models",
      { cause: reason },
    );
  }

  async close(): Promise<void> {
    const context = this.#context;
    this.#context = undefined;
    await context?.dispose();
  }
}
