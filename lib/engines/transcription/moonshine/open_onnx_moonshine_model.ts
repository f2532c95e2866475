/**
 * Moonshine on ONNX Runtime ("Moonshine: Speech Recognition for Live Transcription and Voice Commands", Jeffries et al.
 * 2024).
 *
 * @module
 */
import { readTokenTable } from "../../constrained_decoding/token_table.ts";
import type { ModelFiles } from "../../contract/engine_entry.ts";
import { readModelJson } from "../../files/model_json.ts";
import { openSession, type SessionSettings } from "../../onnx_sessions/open_session.ts";
import { chooseGraph } from "../../onnx_sessions/onnx_file.ts";
import { SpeechDecoder } from "../speech_decoder.ts";
import { transcribePieces } from "../transcribe_pieces.ts";
import type { TranscriptionModel } from "../../contract/transcription_model.ts";
import { PACKAGE_FILES, readBinTokenizer, readMoonshineProfile } from "./moonshine_files.ts";
import { MoonshineRecogniser } from "./moonshine_recogniser.ts";

/** Seconds of the longest piece; it was trained with up to 30. */
const MAX_PIECE = 24;

/**
 * Opens Moonshine in the files of the package `moonshine-voice` or in the layout of Hugging Face.
 *
 * @throws {Error} naming the file that is missing or cannot be used.
 */
export async function openOnnxMoonshineModel(
  files: ModelFiles,
  settings: SessionSettings,
): Promise<TranscriptionModel> {
  const profile = await readMoonshineProfile(files);
  if (profile === undefined) throw new Error("Cannot open the model: its files are not those of Moonshine");
  const recogniser = await openMoonshine(files, settings);
  return {
    profile,
    device: recogniser.device,
    transcribe: (request, signal, listener) =>
      transcribePieces({ ...request, language: request.language ?? "en" }, MAX_PIECE, recogniser, signal, listener),
    close: () => recogniser.close(),
  };
}

/** Opens only its networks. */
export async function openMoonshine(files: ModelFiles, settings: SessionSettings): Promise<MoonshineRecogniser> {
  const config = await readModelJson(files, "config.json") ?? {};
  const number = (key: string, otherwise: number) => typeof config[key] === "number" ? config[key] : otherwise;
  const graph = (packaged: string, name: string) => {
    const found = files.names.includes(packaged) ? packaged : chooseGraph(files.names, name);
    if (found !== undefined) return found;
    throw new Error(`Cannot open the model: it has no onnx/${name}.onnx, add the file to its folder`);
  };
  const heads = number("decoder_num_attention_heads", 8);
  const sizes = { heads, headSize: number("hidden_size", 288) / heads };
  const decoderFile = { first: graph(PACKAGE_FILES.decoder, "decoder_model_merged") };
  const encoderFile = graph(PACKAGE_FILES.encoder, "encoder_model");
  const text = await readText(files);
  const encoder = await openSession(files.path(encoderFile), settings);
  const decoder = await SpeechDecoder.open(files, decoderFile, sizes, settings);
  return new MoonshineRecogniser({
    encoder,
    decoder,
    text,
    start: number("decoder_start_token_id", 1),
    end: number("eos_token_id", 2),
  });
}

/** Turns tokens into text: spaces are written as ▁. */
async function readText(files: ModelFiles): Promise<(ids: readonly number[]) => string> {
  let bytesOf: (id: number) => Uint8Array;
  if (files.names.includes(PACKAGE_FILES.tokenizer)) {
    const tokens = readBinTokenizer(await files.read(PACKAGE_FILES.tokenizer));
    bytesOf = (id) => tokens[id] ?? new Uint8Array();
  } else {
    const json = await readModelJson(files, "tokenizer.json");
    if (json === undefined) {
      throw new Error("Cannot open the model: it has no tokenizer.json, add the file to its folder");
    }
    const table = readTokenTable(json);
    bytesOf = (id) => table.isSpecial(id) ? new Uint8Array() : table.bytesOf(id);
  }
  return (ids) => {
    const bytes = Uint8Array.from(ids.flatMap((id) => [...bytesOf(id)]));
    return new TextDecoder().decode(bytes).replaceAll("▁", " ").trim();
  };
}
