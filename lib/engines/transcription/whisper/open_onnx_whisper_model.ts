/**
 * Whisper on ONNX Runtime.
 *
 * @module
 */
import { readTokenTable } from "../../constrained_decoding/token_table.ts";
import { readTokenizer } from "../../files/tokenizer_files.ts";
import type { ModelFiles } from "../../contract/engine_entry.ts";
import { type JsonObject, readModelJson } from "../../files/model_json.ts";
import { openSession, type SessionSettings } from "../../onnx_sessions/open_session.ts";
import { WhisperFeatures } from "./whisper_features.ts";
import { SpeechDecoder } from "../speech_decoder.ts";
import { SPEECH_RATE, type TranscriptionModel } from "../../contract/transcription_model.ts";
import { readWhisperProfile, readWhisperTokens, whisperGraphs } from "./whisper_files.ts";
import { transcribeWindows } from "./transcribe_windows.ts";
import type { WhisperNetwork } from "./decode_window.ts";
import type { AttentionHead } from "./word_alignment.ts";
import { isObject } from "../../../json/json_text.ts";

/**
 * Opens a Whisper model in the layout of Hugging Face: `onnx/encoder_model.onnx` with `onnx/decoder_model_merged.onnx`,
 * or with `onnx/decoder_model.onnx` and `onnx/decoder_with_past_model.onnx`.
 *
 * @throws {Error} naming the file that is missing or cannot be used.
 */
export async function openOnnxWhisperModel(files: ModelFiles, settings: SessionSettings): Promise<TranscriptionModel> {
  const profile = await readWhisperProfile(files);
  if (profile === undefined) throw new Error("Cannot open the model: its files are not those of Whisper");
  const tokens = await readWhisperTokens(files);
  const tokenizer = await readTokenizer(files);
  const table = readTokenTable(await readModelJson(files, "tokenizer.json"));
  const utf8 = new TextDecoder();
  const text = (ids: readonly number[]) => utf8.decode(Uint8Array.from(ids.flatMap((id) => [...table.bytesOf(id)])));
  const network = await openWhisperNetwork(files, settings);
  const heads = await alignmentHeads(files, network.decoder.attentions.length);
  const parts = {
    network,
    tokens,
    heads,
    text,
    encode: (prompt: string) => tokenizer.encode(prompt, { add_special_tokens: false }).ids,
  };
  return {
    profile,
    device: network.encoder.device,
    transcribe: (request, signal, listener) => transcribeWindows(parts, request, signal, listener),
    close: async () => {
      await network.encoder.session.release();
      await network.decoder.close();
    },
  };
}

/** Opens only its networks. */
export async function openWhisperNetwork(files: ModelFiles, settings: SessionSettings): Promise<WhisperNetwork> {
  const config = await readModelJson(files, "config.json") ?? {};
  const front = await readModelJson(files, "preprocessor_config.json") ?? {};
  const graphs = whisperGraphs(files);
  const heads = size("config.json", config, "decoder_attention_heads", 64, 8);
  const width = size("config.json", config, "d_model", 16_384, 512);
  const hop = size("preprocessor_config.json", front, "hop_length", 4096, 160);
  // Two frames of the spectrogram become one of the encoder.
  const frames = 2 * size("config.json", config, "max_source_positions", 6000, 1500);
  const features = new WhisperFeatures({
    mels: size("config.json", config, "num_mel_bins", 512, 80),
    windowSamples: frames * hop,
    sampleRate: SPEECH_RATE,
    points: size("preprocessor_config.json", front, "n_fft", 4096, 400),
    hop,
  });
  const encoder = await openSession(files.path(graphs.encoder), settings);
  const decoder = await SpeechDecoder.open(files, graphs.decoder, { heads, headSize: width / heads }, settings);
  return { encoder, decoder, features, context: size("config.json", config, "max_target_positions", 65_536, 448) };
}

/** The heads that the files name; all of the upper half of the layers where they name none. */
async function alignmentHeads(files: ModelFiles, layers: number): Promise<readonly AttentionHead[]> {
  const config = await readModelJson(files, "config.json") ?? {};
  const { alignment_heads: listed } = await readModelJson(files, "generation_config.json") ?? {};
  const count = size("config.json", config, "decoder_attention_heads", 64, 8);
  const fits = (pair: unknown): pair is AttentionHead =>
    Array.isArray(pair) && pair.length === 2 && Number.isSafeInteger(pair[0]) && Number.isSafeInteger(pair[1]) &&
    pair[0] >= 0 && pair[0] < layers && pair[1] >= 0 && pair[1] < count;
  const named = Array.isArray(listed) ? listed.filter(fits) : [];
  if (named.length > 0) return named;
  return Array.from({ length: layers - (layers >> 1) }, (_, i) => i + (layers >> 1))
    .flatMap((layer) => Array.from({ length: count }, (_, head): AttentionHead => [layer, head]));
}

function size(file: string, config: JsonObject, key: string, max: number, otherwise: number): number {
  const value = isObject(config) ? config[key] ?? otherwise : otherwise;
  if (Number.isSafeInteger(value) && (value as number) > 0 && (value as number) <= max) return value as number;
  throw new Error(`Cannot use ${file}: ${key} is ${JSON.stringify(value)}, expected an integer from 1 to ${max}`);
}
