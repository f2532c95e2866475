/**
 * Reads texts with images by llama.cpp's own library for them.
 *
 * @module
 */
import { readFile, rm } from "../../../platform/files/file_system.ts";
import { writeParts } from "../../../platform/files/atomic_write.ts";
import type { LibraryContext, LlamaNodeLibrary } from "./llama_node_library.ts";
import type { Evaluation, MarkedText, ReaderSettings, ReadText, ReadTokens } from "./reader_service.ts";
import { readSequenceState } from "./sequence_state.ts";

/** Initial number of tokens of the context. */
const FIRST = 4096;

/** Contexts are a whole number of steps long. */
const STEP = 256;

/** What is generated after a text, only to have its state. */
const BEHIND = 2;

/** A model with its projector. Texts are read one at a time. */
export class MtmdReader {
  readonly #library: LlamaNodeLibrary;
  readonly #settings: ReaderSettings;
  #context: LibraryContext | undefined;
  #size = 0;

  constructor(library: LlamaNodeLibrary, settings: ReaderSettings) {
    this.#library = library;
    this.#settings = settings;
  }

  async tokenize({ text, images }: MarkedText): Promise<ReadTokens> {
    const context = this.#context ?? await this.#open(FIRST);
    const { tokens, chunk_pos_media: starts = [] } = await context.tokenize(text, { media_paths: images });
    return { tokens, starts };
  }

  /** @throws {Error} when the text does not fit into the largest context, or cannot be evaluated. */
  async evaluate(request: Evaluation): Promise<ReadText> {
    const { file, sequences, ids } = request;
    const state = readSequenceState(await this.#evaluated(request));
    await writeParts(file, state.parts(sequences, ids));
    return { positions: state.positions, cells: state.cells };
  }

  /** The state of a text. An image may take more places than positions: where it does not fit, the context grows. */
  async #evaluated({ text, images: media_paths, file, ids }: Evaluation): Promise<Uint8Array> {
    for (let size = this.#sizeFor(ids.length + BEHIND);; size = this.#sizeFor(2 * size)) {
      const context = size <= this.#size && this.#context || await this.#open(size);
      const written = `${file}.new`;
      await context.parallel.enable({ n_parallel: 1, n_batch: this.#settings.batch });
      try {
        const options = { prompt: text, media_paths, n_predict: 1, temperature: 0, save_prompt_state_path: written };
        await (await context.parallel.completion(options)).promise;
      } finally {
        context.parallel.disable();
      }
      const bytes = await readFile(written).catch(() => undefined);
      await Promise.all([written, `${written}.meta`].map((one) => rm(one, { force: true })));
      if (bytes !== undefined) return bytes;
      if (this.#size >= this.#sizeFor(Infinity)) throw new Error("it could not evaluate the text");
    }
  }

  #sizeFor(tokens: number): number {
    const most = Math.ceil((this.#settings.context + BEHIND) / STEP) * STEP;
    let size = FIRST;
    while (size < tokens && size < most) size *= 2;
    return Math.min(size, most);
  }

  /** The library cannot grow a context: the model is opened again, whose weights are in the system's cache by then. */
  async #open(size: number): Promise<LibraryContext> {
    const { device } = this.#settings;
    await this.#context?.release();
    this.#context = undefined;
    try {
      this.#context = await this.#load(size, device);
    } catch (error) {
      if (device === "cpu") throw error;
      this.#context = await this.#load(size, "cpu");
    }
    this.#size = size;
    return this.#context;
  }

  async #load(size: number, device: string): Promise<LibraryContext> {
    const { model, projector, lora, threads, kvType, batch } = this.#settings;
    const gpu = device !== "cpu";
    const context = await this.#library.loadModel({
      model,
      n_ctx: size,
      n_batch: batch,
      n_ubatch: batch,
      n_parallel: 1,
      n_threads: threads,
      ctx_shift: false,
      // The weights stay those of the file, which the engine has in memory too.
      use_mmap: true,
      no_extra_bufts: true,
      n_gpu_layers: gpu ? -1 : 0,
      flash_attn_type: kvType === "f16" ? "auto" : "on",
      cache_type_k: kvType,
      cache_type_v: kvType,
      ...device === "cuda" || device === "vulkan" ? { lib_variant: device } : {},
      ...lora === undefined ? {} : { lora },
    });
    try {
      if (context.initMultimodal({ path: projector, use_gpu: gpu })) return context;
      throw new Error("Failed to initialize multimodal context");
    } catch (error) {
      await context.release();
      throw error;
    }
  }
}
