/**
 * The tokenizer of Whisper from its vocabulary.
 *
 * @module
 */

/** Ends the text; the tokens before it are text. */
const END = "<|endoftext|>";

/** A time, such as `<|0.02|>`. */
const TIME = /^<\|\d+\.\d\d\|>$/;

/**
 * `tokenizer.json`, where a model has only its tokens: the pairs that its text tokens were merged of are found again,
 * since each token was merged by those before it.
 *
 * @param tokens In the order of their ids.
 * @throws {Error} when they are not those of Whisper.
 */
export function whisperTokenizer(tokens: readonly string[]): Record<string, unknown> {
  const end = tokens.indexOf(END);
  if (end < 0) throw new Error(`Cannot use the vocabulary: it has no token "${END}", expected that of Whisper`);
  const ranks = new Map(tokens.slice(0, end).map((token, id) => [token, id]));
  const byteLevel = { type: "ByteLevel", add_prefix_space: false, trim_offsets: true, use_regex: true };
  const special = { single_word: false, lstrip: false, rstrip: false, normalized: false, special: true };
  return {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: tokens.flatMap((content, id) => id < end || TIME.test(content) ? [] : [{ id, content, ...special }]),
    normalizer: null,
    pre_tokenizer: byteLevel,
    post_processor: null,
    decoder: byteLevel,
    model: {
      ...{ type: "BPE", dropout: null, unk_token: null, continuing_subword_prefix: "", end_of_word_suffix: "" },
      ...{ fuse_unk: false, byte_fallback: false, ignore_merges: false },
      vocab: Object.fromEntries(ranks),
      merges: [...ranks].flatMap(([token, rank]) => mergeOf(token, rank, ranks)),
    },
  };
}

/** The two parts that earlier merges leave of a token; none of single characters. */
function mergeOf(token: string, rank: number, ranks: ReadonlyMap<string, number>): [string, string][] {
  const parts = [...token];
  while (parts.length > 2) {
    let best = -1;
    let lowest = rank;
    for (let i = 0; i + 1 < parts.length; i++) {
      const found = ranks.get(parts[i] + parts[i + 1]) ?? Infinity;
      if (found < lowest) [best, lowest] = [i, found];
    }
    if (best < 0) return [];
    parts.splice(best, 2, parts[best] + parts[best + 1]);
  }
  return parts.length === 2 ? [[parts[0], parts[1]]] : [];
}
