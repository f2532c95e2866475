/**
 * Recognises Parakeet among the files of a model.
 *
 * @module
 */
import type { ModelFiles } from "../../contract/engine_entry.ts";
import { readModelJson } from "../../files/model_json.ts";
import type { TranscriptionModelProfile } from "../../contract/transcription_model.ts";

/** Languages of version 3, which detects the spoken one. */
const EUROPEAN = "bg hr cs da nl en et fi fr de el hu it lv lt mt pl pt ro sk sl es sv ru uk".split(" ");

/** Tokens of the vocabulary of version 2, which knows English only. */
const ENGLISH_TOKENS = 1025;

/** Names of its graphs. */
export interface ParakeetGraphs {
  readonly encoder: string;
  readonly decoder: string;
}

/** The graphs, the most quantized of several; undefined when one is missing. */
export function parakeetGraphs({ names }: ModelFiles): ParakeetGraphs | undefined {
  const find = (base: string) =>
    [".int8", ".fp16", ""].map((suffix) => `${base}${suffix}.onnx`)
      .flatMap((name) => [name, `onnx/${name}`])
      .find((name) => names.includes(name));
  const [encoder, decoder] = [find("encoder-model"), find("decoder_joint-model")];
  return encoder === undefined || decoder === undefined ? undefined : { encoder, decoder };
}

/** Reads the profile of a transducer of NeMo; undefined for files of another kind. */
export async function readParakeetProfile(files: ModelFiles): Promise<TranscriptionModelProfile | undefined> {
  if (parakeetGraphs(files) === undefined || !files.names.includes("vocab.txt")) return undefined;
  const { model_type: type } = await readModelJson(files, "config.json") ?? {};
  if (type !== undefined && !/^nemo-conformer-(tdt|rnnt)$/.test(String(type))) return undefined;
  const vocabulary = new TextDecoder().decode(await files.read("vocab.txt"));
  const english = vocabulary.trim().split("\n").length <= ENGLISH_TOKENS;
  return {
    kind: "transcription",
    engine: "onnx-parakeet",
    languages: english ? ["en"] : EUROPEAN,
    translates: false,
    words: true,
    prompts: false,
  };
}
