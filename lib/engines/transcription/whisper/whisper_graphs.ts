/**
 * The graphs of a Whisper model.
 *
 * @module
 */
import type { ModelFiles } from "../../contract/engine_entry.ts";
import { chooseGraph } from "../../onnx_sessions/onnx_file.ts";
import type { DecoderFiles } from "../speech_decoder.ts";

/** Names of its files. */
export interface WhisperGraphs {
  readonly encoder: string;
  readonly decoder: DecoderFiles;
}

/**
 * Finds the encoder, and the decoder as one graph or as two.
 *
 * @throws {Error} naming the file that is missing.
 */
export function whisperGraphs({ names }: ModelFiles): WhisperGraphs {
  const find = (base: string) => chooseGraph(names, base);
  const need = (base: string) => {
    const found = find(base);
    if (found !== undefined) return found;
    throw new Error(`Cannot open the model: it has no onnx/${base}.onnx, add the file to its folder`);
  };
  const merged = find("decoder_model_merged");
  const encoder = need("encoder_model");
  if (merged !== undefined) return { encoder, decoder: { first: merged } };
  return { encoder, decoder: { first: need("decoder_model"), next: need("decoder_with_past_model") } };
}
