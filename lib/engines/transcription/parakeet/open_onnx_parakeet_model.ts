/**
 * Parakeet on ONNX Runtime ("Fast Conformer with Linearly Scalable Attention for Efficient Speech Recognition", Rekesh et
 * al. 2023).
 *
 * @module
 */
import type { ModelFiles } from "../../contract/engine_entry.ts";
import { readModelJson } from "../../files/model_json.ts";
import { type OpenedSession, openSession, type SessionSettings } from "../../onnx_sessions/open_session.ts";
import { NemoFeatures } from "./nemo_features.ts";
import { tensorInputs } from "../speech_decoder.ts";
import { transcribePieces } from "../transcribe_pieces.ts";
import type { TranscriptionModel } from "../../contract/transcription_model.ts";
import { ParakeetRecogniser } from "./parakeet_recogniser.ts";
import { parakeetGraphs, readParakeetProfile, readParakeetVocabulary } from "./parakeet_files.ts";

/** Seconds of the longest piece. */
const MAX_PIECE = 30;

/**
 * Opens a transducer of NeMo: `encoder-model.onnx`, `decoder_joint-model.onnx` and `vocab.txt`, beside a `config.json` that
 * may say `features_size`, `subsampling_factor` and `max_tokens_per_step`.
 *
 * @throws {Error} naming the file that is missing or cannot be used.
 */
export async function openOnnxParakeetModel(files: ModelFiles, settings: SessionSettings): Promise<TranscriptionModel> {
  const profile = await readParakeetProfile(files);
  const graphs = parakeetGraphs(files);
  if (profile === undefined || graphs === undefined) {
    throw new Error("Cannot open the model: its files are not those of Parakeet");
  }
  const config = await readModelJson(files, "config.json") ?? {};
  const number = (key: string, max: number, otherwise: number): number => {
    const value = config[key] ?? otherwise;
    if (Number.isSafeInteger(value) && (value as number) > 0 && (value as number) <= max) return value as number;
    throw new Error(`Cannot use config.json: ${key} is ${JSON.stringify(value)}, expected an integer from 1 to ${max}`);
  };
  const vocabulary = readParakeetVocabulary(new TextDecoder().decode(await files.read("vocab.txt")));
  const subsampling = number("subsampling_factor", 64, 8);
  const maxTokensPerFrame = number("max_tokens_per_step", 100, 10);
  const features = new NemoFeatures(number("features_size", 512, 128));
  const encoder = await open(files, graphs.encoder, ["audio_signal", "length"], settings);
  const decoder = await open(files, graphs.decoder, ["encoder_outputs", "targets", "input_states_1"], settings);
  const recogniser = new ParakeetRecogniser({ encoder, decoder, features, vocabulary, subsampling, maxTokensPerFrame });
  const only = profile.languages.length === 1 ? profile.languages[0] : undefined;
  return {
    profile,
    device: recogniser.device,
    transcribe: (request, signal, listener) => {
      const language = request.language ?? only;
      return transcribePieces(
        { ...request, ...language !== undefined && { language } },
        MAX_PIECE,
        recogniser,
        signal,
        listener,
      );
    },
    close: () => recogniser.close(),
  };
}

async function open(
  files: ModelFiles,
  name: string,
  inputs: readonly string[],
  settings: SessionSettings,
): Promise<OpenedSession> {
  const opened = await openSession(files.path(name), settings);
  const there = tensorInputs(opened.session);
  const missing = inputs.find((input) => !there.has(input));
  if (missing === undefined) return opened;
  await opened.session.release();
  throw new Error(`Cannot use ${name}: its graph has no input "${missing}", expected an export of NeMo`);
}
