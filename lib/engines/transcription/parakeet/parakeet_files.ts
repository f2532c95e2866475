/**
 * Recognises Parakeet among the files of a model, and reads the vocabulary of NeMo's recognisers.
 *
 * @module
 */
import type { ModelFiles } from "../../contract/engine_entry.ts";
import { readModelJson } from "../../files/model_json.ts";
import type { TranscriptionModelProfile } from "../../contract/transcription_model.ts";
import type { TranscriptWord } from "../../../protocol/transcription/transcript.ts";

/** Languages of version 3, which detects the spoken one. */
const EUROPEAN = "bg hr cs da nl en et fi fr de el hu it lv lt mt pl pt ro sk sl es sv ru uk".split(" ");

/** Tokens of the vocabulary of version 2, which supports English only. */
const ENGLISH_TOKENS = 1025;

/** Names of its graphs. */
interface ParakeetGraphs {
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

/** Tokens by id; spaces before words are written as ▁. */
export interface ParakeetVocabulary {
  readonly tokens: readonly string[];
  /** The blank token. */
  readonly blank: number;
}

const BLANK = "<blk>";

/** Maximum size of a vocabulary. */
const MAX_TOKENS = 2 ** 17;

/**
 * Reads `vocab.txt`: a token and its id on each line.
 *
 * @throws {Error} if a line is malformed or the blank is missing.
 */
export function readParakeetVocabulary(text: string): ParakeetVocabulary {
  const tokens: string[] = [];
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const at = line.lastIndexOf(" ");
    const id = Number(line.slice(at + 1));
    if (at < 0 || !Number.isSafeInteger(id) || id < 0 || id >= MAX_TOKENS) {
      throw new Error(
        `Cannot use vocab.txt: a line is ${JSON.stringify(line.slice(0, 80))}, expected a token and its id`,
      );
    }
    tokens[id] = line.slice(0, at);
  }
  const blank = tokens.indexOf(BLANK);
  if (blank >= 0) return { tokens, blank };
  throw new Error(`Cannot use vocab.txt: it has no token "${BLANK}", expected a blank token`);
}

/** A token with its time in seconds. */
interface TimedToken {
  readonly id: number;
  readonly start: number;
  readonly end: number;
}

/** The text of tokens, without marks such as `<|en|>`. */
export function tokenText({ tokens }: ParakeetVocabulary, ids: readonly number[]): string {
  return ids.map((id) => tokens[id] ?? "").filter((token) => !/^<[^>]+>$/.test(token)).join("").replaceAll("▁", " ")
    .trim();
}

/** Words with their times: each token with a space before it begins one, marks at the end belong to it. */
export function tokenWords(vocabulary: ParakeetVocabulary, tokens: readonly TimedToken[]): TranscriptWord[] {
  const words: { word: string; start: number; end: number }[] = [];
  for (const { id, start, end } of tokens) {
    const text = vocabulary.tokens[id] ?? "";
    if (/^<[^>]+>$/.test(text)) continue;
    const last = words.at(-1);
    if (text.startsWith("▁") || last === undefined) words.push({ word: text.replaceAll("▁", " ").trim(), start, end });
    else {
      last.word += text;
      // A full stop falls in the pause after its word.
      if (/[\p{L}\p{N}]/u.test(text)) last.end = end;
    }
  }
  return words.filter(({ word }) => word !== "");
}
