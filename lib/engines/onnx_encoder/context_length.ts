/**
 * The context length of an encoder.
 *
 * @module
 */
import type { JsonObject } from "../files/model_json.ts";

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
 */
export function contextLength(config: JsonObject, tokenizer?: JsonObject, sentences?: JsonObject): number {
  const limits = [
    positions(config),
    whole(config.max_sequence_length),
    whole(tokenizer?.model_max_length),
    whole(sentences?.max_seq_length),
  ].filter((limit) => limit !== undefined);
  return limits.length === 0 ? USUAL : Math.min(...limits);
}

function positions(config: JsonObject): number | undefined {
  const count = whole(config.max_position_embeddings) ?? whole(config.n_positions);
  if (count === undefined || !offsetFamilies.test(String(config.model_type))) return count;
  const pad = typeof config.pad_token_id === "number" ? config.pad_token_id : 1;
  return whole(count - pad - 1);
}

/** Files use huge numbers for "no limit". */
function whole(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) > 0 ? value as number : undefined;
}
