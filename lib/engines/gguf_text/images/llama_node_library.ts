/**
 * The parts of `@fugood/llama.node` that are used, loaded on demand. It reads images for GGUF models and is not
 * installed from the start.
 *
 * @module
 */
import { importPackage } from "../../../platform/processes/import_package.ts";

/** Name and version, as `npm install` takes them; states of other versions cannot be read. */
export const LLAMA_NODE_PACKAGE = "@fugood/llama.node@1.7.15";

/** A model in memory, with a context of one sequence. */
export interface LibraryContext {
  /** @throws {Error} without a reason; llama.cpp writes it to the standard error. */
  initMultimodal(options: { readonly path: string; readonly use_gpu: boolean }): boolean;
  tokenize(text: string, options: { readonly media_paths: readonly string[] }): Promise<{
    /** -1 for each position of an image. */
    readonly tokens: Int32Array;
    /** Where images, or pieces of images, begin. */
    readonly chunk_pos_media?: readonly number[];
  }>;
  readonly parallel: {
    enable(options: { readonly n_parallel: number; readonly n_batch: number }): Promise<boolean>;
    completion(options: Readonly<Record<string, unknown>>): Promise<{ readonly promise: Promise<unknown> }>;
    disable(): void;
  };
  release(): Promise<void>;
}

/** The module. */
export interface LlamaNodeLibrary {
  /** Whether there is a build for this machine. */
  isLibVariantAvailable(variant: "default"): Promise<boolean>;
  loadModel(options: Readonly<Record<string, unknown>>): Promise<LibraryContext>;
}

/**
 * Loads the library.
 *
 * @param name Of the package, with its version.
 * @throws {Error} with the remedy when it is not installed.
 */
export async function loadLlamaNode(name: string = LLAMA_NODE_PACKAGE): Promise<LlamaNodeLibrary> {
  try {
    const library = await importPackage(name) as LlamaNodeLibrary;
    if (!await library.isLibVariantAvailable("default")) throw new Error("it has no build for this machine");
    return library;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split("\n")[0] : String(cause);
    const remedy = `install it with "npm install ${LLAMA_NODE_PACKAGE}"`;
    throw new Error(`@fugood/llama.node did not load (${reason}), ${remedy}`, { cause });
  }
}
