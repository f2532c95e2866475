/**
 * What the files of a Whisper model say: its profile, its graphs and its special tokens.
 *
 * @module
 */
import type { ModelFiles } from "../../contract/engine_entry.ts";
import { type JsonObject, readModelJson } from "../../files/model_json.ts";
import { chooseGraph, readOnnxFile } from "../../onnx_sessions/onnx_file.ts";
import type { TranscriptionModelProfile } from "../../contract/transcription_model.ts";
import type { DecoderFiles } from "../speech_decoder.ts";
import type { WhisperTokens } from "./whisper_tokens.ts";
import { isObject } from "../../../json/json_text.ts";

/**
 * Reads the profile of a Whisper model; undefined for files of another kind.
 *
 * @throws {Error} naming the file that is missing or cannot be used.
 */
export async function readWhisperProfile(files: ModelFiles): Promise<TranscriptionModelProfile | undefined> {
  const config = await readModelJson(files, "config.json");
  if (config?.model_type !== "whisper") return undefined;
  const tokens = await readWhisperTokens(files);
  const { outputs } = await readOnnxFile(files, whisperGraphs(files).decoder.first);
  const multilingual = tokens.languages.size > 0;
  return {
    kind: "transcription",
    engine: "onnx-whisper",
    languages: multilingual ? [...tokens.languages.keys()] : ["en"],
    translates: multilingual && tokens.translate !== undefined,
    words: outputs.some(({ name }) => name.startsWith("cross_attentions.")),
    prompts: true,
  };
}

/** Names of its files. */
interface WhisperGraphs {
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
  if (find("decoder_model") === undefined) need("decoder_model_merged");
  return { encoder, decoder: { first: need("decoder_model"), next: need("decoder_with_past_model") } };
}

/** Words of a language token. */
const LANGUAGE = /^<\|([a-z]{2,3})\|>$/;

/** The latest start of a window's text where the files do not say: 1 s. */
const MAX_INITIAL_TIMESTAMP = 50;

/**
 * Reads `tokenizer.json` and `generation_config.json`.
 *
 * @throws {Error} when the tokenizer or a token is missing without which nothing can be decoded.
 */
export async function readWhisperTokens(files: ModelFiles): Promise<WhisperTokens> {
  const config = await readModelJson(files, "config.json") ?? {};
  const generation = await readModelJson(files, "generation_config.json") ?? {};
  const tokenizer = await readModelJson(files, "tokenizer.json");
  if (tokenizer === undefined) {
    throw new Error("Cannot open the model: it has no tokenizer.json, add the file to its folder");
  }
  const ids = addedTokens(tokenizer);
  const need = (token: string): number => {
    const id = ids.get(token);
    if (id !== undefined) return id;
    throw new Error(`Cannot use tokenizer.json: it has no token "${token}", expected the tokenizer of Whisper`);
  };
  const end = need("<|endoftext|>");
  const noTimestamps = need("<|notimestamps|>");
  const languages = isMultilingual(config, generation) ? languageIds(ids, generation) : new Map<string, number>();
  const special = ["<|startoftranscript|>", "<|translate|>", "<|transcribe|>", "<|startoflm|>", "<|startofprev|>"]
    .flatMap((token) => ids.get(token) ?? []);
  const noSpeech = ids.get("<|nospeech|>") ?? ids.get("<|nocaptions|>");
  const written = idList(generation.suppress_tokens) ?? idList(config.suppress_tokens) ?? [];
  const initial = generation.max_initial_timestamp_index;
  return {
    end,
    start: need("<|startoftranscript|>"),
    transcribe: languages.size > 0 ? need("<|transcribe|>") : undefined,
    translate: languages.size > 0 ? ids.get("<|translate|>") : undefined,
    previous: ids.get("<|startofprev|>"),
    noSpeech,
    noTimestamps,
    timestampBegin: ids.get("<|0.00|>") ?? noTimestamps + 1,
    languages,
    suppressed: [...new Set([...written, ...special, ...noSpeech === undefined ? [] : [noSpeech]])],
    suppressedFirst: idList(generation.begin_suppress_tokens) ?? idList(config.begin_suppress_tokens) ?? [end],
    maxInitialTimestamp: Number.isSafeInteger(initial) ? initial as number : MAX_INITIAL_TIMESTAMP,
  };
}

function addedTokens({ added_tokens: added, model }: JsonObject): ReadonlyMap<string, number> {
  const ids = new Map<string, number>();
  const vocabulary = isObject(model) && isObject(model.vocab) ? model.vocab : {};
  const listed = Array.isArray(added) ? added.filter(isObject).map(({ content, id }) => [content, id]) : [];
  for (const [content, id] of [...Object.entries(vocabulary), ...listed]) {
    if (typeof content === "string" && content.startsWith("<|") && Number.isSafeInteger(id)) {
      ids.set(content, id as number);
    }
  }
  return ids;
}

/** English-only models have language tokens too, but do not accept them. */
function isMultilingual({ vocab_size: size }: JsonObject, generation: JsonObject): boolean {
  const { is_multilingual: declared } = generation;
  return typeof declared === "boolean" ? declared : isObject(generation.lang_to_id) || size !== 51_864;
}

function languageIds(
  ids: ReadonlyMap<string, number>,
  { lang_to_id: declared }: JsonObject,
): ReadonlyMap<string, number> {
  const entries = isObject(declared) ? Object.entries(declared) : [...ids];
  return new Map(entries.flatMap(([token, id]): [string, number][] => {
    const [, code] = LANGUAGE.exec(token) ?? [];
    return code !== undefined && Number.isSafeInteger(id) ? [[code, id as number]] : [];
  }));
}

function idList(value: unknown): number[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.filter((id) => Number.isSafeInteger(id) && id >= 0);
}
