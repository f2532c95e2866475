/**
 * The tokenizer of BERT (uncased) from its word list.
 *
 * @module
 */

/** Begins a word in the lists of SentencePiece; BERT marks what continues one instead. */
const WORD = "\u2581";

const SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"] as const;

/**
 * `tokenizer.json` of `bert-base-uncased` (Devlin et al., 2018), without padding and truncation, which engines apply.
 *
 * @param wordList A JSON array in the order of the ids, where `▁` begins a word. Its second item lacks its name.
 * @throws {Error} when it is no such list
 */
export function bertTokenizer(wordList: string): object {
  const words: unknown = JSON.parse(wordList);
  if (!Array.isArray(words) || !words.every((word) => typeof word === "string")) {
    throw new Error("Cannot read the word list: it is not an array of strings");
  }
  const vocab = Object.fromEntries(words.map((word, id) => [tokenOf(word), id]));
  const idOf = (token: string): number => vocab[token];
  const special = (token: string, typeId: number) => ({ SpecialToken: { id: token, type_id: typeId } });
  const sequence = (id: "A" | "B", typeId: number) => ({ Sequence: { id, type_id: typeId } });
  const single = [special("[CLS]", 0), sequence("A", 0), special("[SEP]", 0)];
  return {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: SPECIAL.map((content) => ({
      ...{ id: idOf(content), content, special: true },
      ...{ single_word: false, lstrip: false, rstrip: false, normalized: false },
    })),
    normalizer: {
      ...{ type: "BertNormalizer", clean_text: true, handle_chinese_chars: true },
      ...{ strip_accents: null, lowercase: true },
    },
    pre_tokenizer: { type: "BertPreTokenizer" },
    post_processor: {
      type: "TemplateProcessing",
      single,
      pair: [...single, sequence("B", 1), special("[SEP]", 1)],
      special_tokens: Object.fromEntries(
        ["[CLS]", "[SEP]"].map((token) => [token, { id: token, ids: [idOf(token)], tokens: [token] }]),
      ),
    },
    decoder: { type: "WordPiece", prefix: "##", cleanup: true },
    model: {
      type: "WordPiece",
      unk_token: "[UNK]",
      continuing_subword_prefix: "##",
      max_input_chars_per_word: 100,
      vocab,
    },
  };
}

function tokenOf(word: string): string {
  if (word === WORD) return "[unused0]";
  if (word.startsWith(WORD)) return word.slice(WORD.length);
  return /^\[.+\]$/.test(word) ? word : `##${word}`;
}
