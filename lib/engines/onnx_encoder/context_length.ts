/**
 * The context length of an encoder.
 *
 * @module
 */
import { type JsonObject, MAX_CONTEXT, sizeIn, tokenIn } from "../files/model_json.ts";

/** Families whose positions start after the padding token's id (Liu et al. 2019, RoBERTa). */
const offsetFamilies = /^(xlm-)?roberta|^camembert$|^mpnet$|^longformer$|^data2vec-text$|^ibert$/;

/** Default for models that do not specify it. */
const USUAL = 512;

/**
 * Maximum number of tokens of a sequence: the minimum of what the files say.
 *
 * @param config The parsed `config.json`.
 * @param tokenizer The parsed `tokenizer_config.json`.
 * @param sentences The parsed `sentence_bert_config.json`, if there is one.
 * @throws {Error} naming the file that says a length which no model has.
 */
export function contextLength(config: JsonObject, tokenizer: JsonObject = {}, sentences: JsonObject = {}): number {
  const limits = [
    positions(config),
    sizeIn("config.json", config, "max_sequence_length", MAX_CONTEXT),
    endless(tokenizer.model_max_length)
      ? undefined
      : sizeIn("tokenizer_config.json", tokenizer, "model_max_length", MAX_CONTEXT),
    sizeIn("sentence_bert_config.json", sentences, "max_seq_length", MAX_CONTEXT),
  ].filter((limit) => limit !== undefined);
  return limits.length === 0 ? USUAL : Math.min(...limits);
}

function positions(config: JsonObject): number | undefined {
  const count = sizeIn("config.json", config, "max_position_embeddings", MAX_CONTEXT) ??
    sizeIn("config.json", config, "n_positions", MAX_CONTEXT);
  if (count === undefined || !offsetFamilies.test(String(config.model_type))) return count;
  const pad = tokenIn("config.json", config, "pad_token_id") ?? 1;
  if (count - pad - 1 > 0) return count - pad - 1;
  throw new Error(
    `Cannot use config.json: its "pad_token_id" is ${pad}, expected one before the last of ${count} positions`,
  );
}

/** Tokenizers without a limit say 1e30, or another number that no model reaches. */
function endless(length: unknown): boolean {
  return typeof length === "number" && length > MAX_CONTEXT;
}
