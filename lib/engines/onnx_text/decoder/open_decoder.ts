/**
 * Opens decoders on the best device.
 *
 * @module
 */
import type { TriedDevice } from "../../contract/engine_settings.ts";
import type { EngineOptions, ModelFiles } from "../../contract/engine_entry.ts";
import { readModelJson } from "../../files/model_json.ts";
import { firstThatWorks } from "../../onnx_sessions/engine_devices.ts";
import { openSession, sessionDevices } from "../../onnx_sessions/open_session.ts";
import { chooseWeights, type OnnxFile, readOnnxFile } from "../../onnx_sessions/onnx_file.ts";
import { DeviceKv, KEEPING_DEVICE, keptOutputs } from "../kv_places/device_kv.ts";
import { HostKv, type KvPlace } from "../kv_places/kv_place.ts";
import { KvBuffer } from "../kv_places/kv_buffer.ts";
import { TokenEmbedder } from "../token_embedder.ts";
import { Decoder } from "./decoder.ts";
import { type DecoderGraph, describeDecoder } from "./decoder_graph.ts";
import { locateWeights } from "../../onnx_sessions/locate_weights.ts";
import { rewriteDecoderGraph, separateNorms } from "./rewrite_decoder_graph.ts";

/** A decoder with its device. */
interface OpenedDecoder {
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
  const { file, folder } = await locateWeights(separateNorms(await readOnnxFile(files, name)), files, name);
  const graph = describeDecoder(file, name, await readModelJson(files, "config.json") ?? {});
  const embedder = graph.embeddedType && await TokenEmbedder.open(files, graph.embeddedType, options);
  const parts = { folder, name, file, graph, embedder };
  let notKept: string | undefined;
  try {
    if (options.device === KEEPING_DEVICE) return await openTailored(parts, { cut: true, keeps: true }, options);
  } catch (cause) {
    notKept = cause instanceof Error ? cause.message : String(cause);
  }
  try {
    return await openTailored(parts, { cut: true, keeps: false, notKept }, options);
  } catch {
    // If logits are not as expected, all of them are computed. A broken model fails again.
    return await openTailored(parts, { cut: false, keeps: false, notKept }, options).catch(async (error) => {
      await embedder?.close();
      throw error;
    });
  }
}

/** What a decoder is opened from. */
interface DecoderParts {
  /** What the places of its weights are relative to. */
  readonly folder: string;
  readonly name: string;
  readonly file: OnnxFile;
  readonly graph: DecoderGraph;
  readonly embedder: TokenEmbedder | undefined;
}

/** Whether only some logits are computed, and whether keys and values stay on the device; why they do not. */
interface Tailoring {
  readonly cut: boolean;
  readonly keeps: boolean;
  readonly notKept?: string | undefined;
}

async function openTailored(
  { folder, name, file, graph, embedder }: DecoderParts,
  { cut, keeps, notKept }: Tailoring,
  { device, threads, onProgress }: DecoderOptions,
): Promise<Omit<OpenedDecoder, "tried">> {
  const { bytes, ...tailored } = rewriteDecoderGraph(file, graph, cut, keeps);
  try {
    const kept = keeps ? keptOutputs(graph) : undefined;
    const opened = await openSession({ bytes, folder }, { device, threads, keptOutputs: kept });
    onProgress(0.8);
    let place: KvPlace | undefined;
    try {
      place = keeps ? await DeviceKv.open(opened.runtime, graph) : new HostKv(opened.runtime, graph, notKept);
      const decoder = new Decoder({ ...opened, ...tailored, graph, place, embedder });
      return { decoder, device: opened.device, name, width: await tryOut(decoder), embedder };
    } catch (cause) {
      await place?.close();
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
  try {
    await decoder.run({ buffer, lengths: [0], tokens: [[0, 0, 0]], wanted: 1 });
    const [[logits]] = await decoder.run({ buffer, lengths: [3], tokens: [[0]], wanted: 1 });
    await buffer.settle();
    return logits.length;
  } finally {
    buffer.dispose();
  }
}
