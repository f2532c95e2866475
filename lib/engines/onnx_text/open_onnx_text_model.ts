/**
 * Opens language models on ONNX Runtime.
 *
 * @module
 */
import type { EngineOptions } from "../process/engine_settings.ts";
import { readTokenizerFile } from "../files/hf_tokenizer.ts";
import type { LanguageModel } from "../text/language_model.ts";
import type { ModelFiles } from "../files/model_files.ts";
import { readModelJson } from "../files/model_json.ts";
import { openVisionModel } from "../onnx_vision/open_vision_model.ts";
import { firstThatWorks } from "../onnx_sessions/first_that_works.ts";
import { openSession, sessionDevices, type TriedDevice } from "../onnx_sessions/open_session.ts";
import { lateTokenTable } from "../constrained_decoding/token_table.ts";
import { chooseWeights } from "./choose_weights.ts";
import { DecodeLoop } from "./decoding/decode_loop.ts";
import { Decoder } from "./decoder/decoder.ts";
import { type DecoderGraph, describeDecoder } from "./decoder/decoder_graph.ts";
import { KvBuffer } from "./packing/kv_buffer.ts";
import { type OnnxFile, readOnnxFile } from "./onnx_file.ts";
import { OnnxTextModel } from "./onnx_text_model.ts";
import { packingPolicy } from "./packing/packing_policy.ts";
import { PrefixCache } from "./decoding/prefix_cache.ts";
import { SnapshotCache } from "./decoding/snapshot_cache.ts";
import { readEndTokens, readOnnxTextProfile, readTemplate } from "./read_onnx_text_profile.ts";
import { separateNorms } from "./decoder/separate_norms.ts";
import { rewriteDecoderGraph } from "./decoder/rewrite_decoder_graph.ts";
import { TokenEmbedder } from "./token_embedder.ts";

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

/** A decoder with its device. */
export interface OpenedDecoder {
  readonly decoder: Decoder;
  readonly device: string;
  /** Better devices, and why they failed. */
  readonly tried: readonly TriedDevice[];
  /** File of the graph: the best for the device. */
  readonly name: string;
  /** Number of logits. */
  readonly width: number;
  /** Undefined for decoders that take tokens. */
  readonly embedder: TokenEmbedder | undefined;
}

/** What a decoder needs of the settings of engines. */
type DecoderOptions = Pick<EngineOptions, "device" | "threads" | "missing" | "onProgress">;

/**
 * Opens the decoder of a model on the best device on which it runs, with the weights that are best there.
 *
 * @param packed Whether keys and values are packed, which those of weights for a GPU are not.
 * @throws {Error} naming the file that cannot be used, and why.
 */
export async function openDecoder(files: ModelFiles, options: DecoderOptions, packed = false): Promise<OpenedDecoder> {
  const open = async (device: string) => {
    const name = chooseWeights(files.names, packed ? "cpu" : device);
    if (name === undefined) throw new Error("Cannot open the model: it has no graph, expected onnx/model.onnx");
    return await openOn(files, name, { ...options, device });
  };
  const { value, tried } = await firstThatWorks(await sessionDevices(options), open);
  return { ...value, tried };
}

async function openOn(files: ModelFiles, name: string, options: DecoderOptions): Promise<Omit<OpenedDecoder, "tried">> {
  const file = separateNorms(await readOnnxFile(files, name));
  const graph = describeDecoder(file, name, await readModelJson(files, "config.json") ?? {});
  const embedder = graph.embeddedType && await TokenEmbedder.open(files, graph.embeddedType, options);
  try {
    return await openTailored(files, name, file, graph, true, embedder, options);
  } catch {
    // If logits are not as expected, all of them are computed. A broken model fails again.
    return await openTailored(files, name, file, graph, false, embedder, options).catch(async (error) => {
      await embedder?.close();
      throw error;
    });
  }
}

async function openTailored(
  files: ModelFiles,
  name: string,
  file: OnnxFile,
  graph: DecoderGraph,
  cut: boolean,
  embedder: TokenEmbedder | undefined,
  { device, threads, onProgress }: DecoderOptions,
): Promise<Omit<OpenedDecoder, "tried">> {
  const { bytes, ...tailored } = rewriteDecoderGraph(file, graph, cut);
  const folder = files.path(name).replace(/[\\/][^\\/]*$/, "");
  try {
    const opened = await openSession({ bytes, folder }, { device, threads });
    onProgress(0.8);
    const decoder = new Decoder({ ...opened, ...tailored, graph, embedder });
    try {
      return { decoder, device: opened.device, name, width: await tryOut(decoder), embedder };
    } catch (cause) {
      await opened.session.release();
      throw cause;
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.replace(/^Cannot open the model: /, "") : String(cause);
    throw new Error(`Cannot open ${name}: ${reason}`, { cause });
  }
}

/** Warms up with the first, slowest steps, and counts the logits. */
async function tryOut(decoder: Decoder): Promise<number> {
  const buffer = new KvBuffer(decoder.graph, 1, 4);
  await decoder.run({ buffer, lengths: [0], tokens: [[0, 0, 0]], wanted: 1 });
  const [[logits]] = await decoder.run({ buffer, lengths: [3], tokens: [[0]], wanted: 1 });
  return logits.length;
}
