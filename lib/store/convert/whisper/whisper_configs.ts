/**
 * The small files of a Whisper model, from those that CTranslate2 has: in the layout of Hugging Face.
 *
 * @module
 */
import { isObject } from "../../../json/json_text.ts";
import type { ModelFiles } from "../../../engines/contract/engine_entry.ts";
import { type JsonObject, readModelJson, readModelText, readModelValue } from "../../../engines/files/model_json.ts";
import { whisperTokenizer } from "./whisper_tokenizer.ts";
import type { WhisperSizes } from "./whisper_variables.ts";

/** Tokens of a vocabulary for English alone; that of many languages has one more. */
const ENGLISH_VOCABULARY = 51_864;

/**
 * Makes `config.json`, `generation_config.json`, `preprocessor_config.json` and the tokenizer.
 *
 * @param files Of the model for CTranslate2.
 * @throws {Error} naming the file that is missing or cannot be used.
 */
export async function whisperConfigs(files: ModelFiles, sizes: WhisperSizes): Promise<Record<string, unknown>> {
  const given = await readModelJson(files, "config.json") ?? {};
  const tokens = await readVocabulary(files);
  if (tokens !== undefined && tokens.length !== sizes.vocabulary) {
    throw new Error(
      `Cannot convert the model: its vocabulary has ${tokens.length} tokens, expected ${sizes.vocabulary}, as many as ` +
        "its model.bin has",
    );
  }
  const tokenizer = await readModelJson(files, "tokenizer.json") ?? (tokens && whisperTokenizer(tokens));
  if (tokenizer === undefined) {
    throw new Error("Cannot convert the model: it has no tokenizer.json and no vocabulary.json, add one of them");
  }
  const ids = specialTokens(tokenizer);
  const { encoder, decoder } = sizes;
  const end = ids.get("<|endoftext|>");
  const suppressed = { suppress_tokens: given.suppress_ids, begin_suppress_tokens: given.suppress_ids_begin };
  return {
    "config.json": {
      architectures: ["WhisperForConditionalGeneration"],
      model_type: "whisper",
      activation_function: "gelu",
      is_encoder_decoder: true,
      d_model: sizes.width,
      encoder_layers: encoder.layers,
      encoder_attention_heads: encoder.heads,
      encoder_ffn_dim: encoder.ffn,
      decoder_layers: decoder.layers,
      decoder_attention_heads: decoder.heads,
      decoder_ffn_dim: decoder.ffn,
      num_mel_bins: sizes.mels,
      max_source_positions: sizes.soundPositions,
      max_target_positions: sizes.textPositions,
      vocab_size: sizes.vocabulary,
      decoder_start_token_id: ids.get("<|startoftranscript|>"),
      bos_token_id: end,
      eos_token_id: end,
      pad_token_id: end,
    },
    "generation_config.json": {
      ...suppressed,
      alignment_heads: given.alignment_heads,
      decoder_start_token_id: ids.get("<|startoftranscript|>"),
      eos_token_id: end,
      no_timestamps_token_id: ids.get("<|notimestamps|>"),
      max_initial_timestamp_index: 50,
      ...tasks(sizes.vocabulary, ids, given.lang_ids),
    },
    "preprocessor_config.json": await readModelJson(files, "preprocessor_config.json") ?? {
      feature_extractor_type: "WhisperFeatureExtractor",
      feature_size: sizes.mels,
      sampling_rate: 16_000,
      hop_length: 160,
      n_fft: 400,
      chunk_length: 30,
    },
    "tokenizer.json": tokenizer,
    "tokenizer_config.json": await readModelJson(files, "tokenizer_config.json") ?? {
      tokenizer_class: "WhisperTokenizer",
      clean_up_tokenization_spaces: false,
    },
  };
}

/** Languages and tasks by their tokens. Models for English alone have these tokens too, but were not taught them. */
function tasks(vocabulary: number, ids: ReadonlyMap<string, number>, languages: unknown): JsonObject {
  if (vocabulary === ENGLISH_VOCABULARY) return { is_multilingual: false };
  const known = new Set(Array.isArray(languages) ? languages : []);
  const listed = [...ids].filter(([, id]) => known.has(id));
  return {
    is_multilingual: true,
    ...listed.length > 0 && { lang_to_id: Object.fromEntries(listed) },
    task_to_id: { transcribe: ids.get("<|transcribe|>"), translate: ids.get("<|translate|>") },
  };
}

/** Tokens such as `<|en|>` with their ids. */
function specialTokens({ added_tokens: added }: JsonObject): ReadonlyMap<string, number> {
  const listed = Array.isArray(added) ? added.filter(isObject) : [];
  return new Map(
    listed.flatMap(({ content, id }): [string, number][] =>
      typeof content === "string" && Number.isSafeInteger(id) ? [[content, id as number]] : []
    ),
  );
}

/** Tokens in the order of their ids: a list, or one per line; undefined without either file. */
async function readVocabulary(files: ModelFiles): Promise<readonly string[] | undefined> {
  const listed = await readModelValue(files, "vocabulary.json");
  if (listed !== undefined) {
    if (Array.isArray(listed) && listed.every((token) => typeof token === "string")) return listed;
    throw new Error("Cannot use vocabulary.json: it is not a list of texts, expected the tokens of the model");
  }
  if (!files.names.includes("vocabulary.txt")) return undefined;
  return (await readModelText(files, "vocabulary.txt")).replace(/\r?\n$/, "").split(/\r?\n/);
}
