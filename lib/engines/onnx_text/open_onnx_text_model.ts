/**
 * Opens language models on ONNX Runtime.
 *
 * @module
 */
import type { EngineOptions, ModelFiles } from "../contract/engine_entry.ts";
import { readTemplate, readTokenizerFile } from "../files/tokenizer_files.ts";
import type { LanguageModel } from "../contract/language_model.ts";
import { openVisionModel } from "./vision/open_vision_model.ts";
import { lateTokenTable } from "../constrained_decoding/token_table.ts";
import { DecodeLoop } from "./decoding/decode_loop.ts";
import { openDecoder } from "./decoder/open_decoder.ts";
import { OnnxTextModel } from "./onnx_text_model.ts";
import { packingPolicy } from "./packing/packing_policy.ts";
import { PrefixCache } from "./decoding/prefix_cache.ts";
import { SnapshotCache } from "./decoding/snapshot_cache.ts";
import { readEndTokens, readOnnxTextProfile } from "./read_onnx_text_profile.ts";

/** Limits of the prefix cache. */
const CACHE = { maxEntries: 16, maxBytes: 512 * 1024 * 1024 };

/**
 * Opens a causal language model in Hugging Face layout.
 *
 * @throws {Error} naming the unusable file, and why.
 *
 * @example
 * ```ts ignore
 * const model = await openOnnxTextModel(openModelFolder(folder, names), options);
 * console.log(model.encode("Hello"), model.device);
 * ```
 */
export async function openOnnxTextModel(files: ModelFiles, options: EngineOptions): Promise<LanguageModel> {
  const profile = await readOnnxTextProfile(files);
  if (profile === undefined) {
    throw new Error(
      "Cannot open the model: its files are not a causal language model in ONNX, expected onnx/model.onnx",
    );
  }
  const { tokenizer, json } = await readTokenizerFile(files);
  const tokens = lateTokenTable(json);
  const template = await readTemplate(files);
  const endTokens = await readEndTokens(files, template, (token) => tokenizer.token_to_id(token));
  options.onProgress(0.1);
  const packed = packingPolicy(options.kvCacheMode);
  const { decoder, device, tried, width, embedder } = await openDecoder(files, options, packed !== undefined);
  const constrainer = options.openConstrainer({
    size: width,
    endTokens: [...endTokens],
    bytesOf: (id) => tokens.bytesOf(id),
    isSpecial: (id) => tokens.isSpecial(id),
  });
  const prefixCache = !options.prefixCache
    ? undefined
    : decoder.rewinds
    ? new PrefixCache(decoder.graph, { ...CACHE, packed })
    : new SnapshotCache(decoder.graph, CACHE);
  const loop = new DecodeLoop(decoder, { endTokens, concurrency: options.concurrency, prefixCache });
  options.onProgress(1);
  const text = new OnnxTextModel({
    profile,
    template,
    device,
    tried,
    tokenizer,
    tokens,
    endTokens,
    decoder,
    loop,
    constrainer,
    prefixCache,
  });
  if (embedder === undefined || !profile.capabilities.features.has("images")) return text;
  return await openVisionModel(files, { text, embedder, tokenizer }, options);
}
