/**
 * A byte-level BPE tokenizer in the files of Hugging Face.
 *
 * @module
 */
import { jsonFile, type ModelFiles, textFile } from "./model_files.ts";
import { END_TOKEN, PAD_TOKEN, type ScriptedVocabulary } from "./scripted_vocabulary.ts";
import { tinyTemplate } from "./tiny_template.ts";

/** `tokenizer.json`, `tokenizer_config.json` and `chat_template.jinja`. */
export function tokenizerFiles(vocabulary: ScriptedVocabulary, context: number): ModelFiles {
  return {
    "tokenizer.json": jsonFile(byteLevelTokenizer(vocabulary)),
    "tokenizer_config.json": jsonFile({
      tokenizer_class: "Qwen2Tokenizer",
      bos_token: null,
      eos_token: END_TOKEN,
      pad_token: PAD_TOKEN,
      unk_token: null,
      model_max_length: context,
      clean_up_tokenization_spaces: false,
    }),
    "chat_template.jinja": textFile(tinyTemplate(vocabulary.starts)),
  };
}

/** The value of `tokenizer.json`. */
export function byteLevelTokenizer({ tokens, merges }: ScriptedVocabulary): Readonly<Record<string, unknown>> {
  const byteLevel = { type: "ByteLevel", add_prefix_space: false, trim_offsets: false, use_regex: false };
  const entries = tokens.map((token, id) => ({ ...token, id }));
  const ordinary = entries.filter(({ kind }) => kind === "byte" || kind === "text");
  const added = entries.filter(({ kind }) => kind === "mark" || kind === "control");
  return {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: added.map(({ id, text, kind }) => ({
      id,
      content: text,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: kind === "control",
    })),
    normalizer: null,
    pre_tokenizer: { ...byteLevel, use_regex: true },
    post_processor: null,
    decoder: byteLevel,
    model: {
      type: "BPE",
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: "",
      end_of_word_suffix: "",
      fuse_unk: false,
      byte_fallback: false,
      ignore_merges: false,
      vocab: Object.fromEntries(ordinary.map(({ text, id }) => [text, id])),
      merges,
    },
  };
}
