/**
 * Byte-level BPE tokenizers in the files of Hugging Face.
 *
 * @module
 */
import { jsonFile, type ModelFiles, textFile } from "./model_files.ts";
import { END_TOKEN, PAD_TOKEN, type ScriptedVocabulary } from "./scripted_vocabulary.ts";
import { tinyTemplate } from "./tiny_template.ts";

/** Control tokens that a tokenizer puts around each text. */
export interface TextFrame {
  readonly open: string;
  readonly close: string;
}

/** `tokenizer.json` and `tokenizer_config.json` of a model that reads texts. */
export function textTokenizerFiles(vocabulary: ScriptedVocabulary, frame: TextFrame, context: number): ModelFiles {
  return {
    "tokenizer.json": jsonFile(byteLevelTokenizer(vocabulary, pairTemplate(vocabulary, frame))),
    "tokenizer_config.json": jsonFile({
      ...tokenizerConfig(context),
      tokenizer_class: "PreTrainedTokenizerFast",
      eos_token: frame.close,
      cls_token: frame.open,
      sep_token: frame.close,
    }),
  };
}

/** `tokenizer.json`, `tokenizer_config.json` and `chat_template.jinja` of a model that chats. */
export function chatTokenizerFiles(vocabulary: ScriptedVocabulary, context: number): ModelFiles {
  return {
    "tokenizer.json": jsonFile(byteLevelTokenizer(vocabulary, null)),
    "tokenizer_config.json": jsonFile(tokenizerConfig(context)),
    "chat_template.jinja": textFile(tinyTemplate(vocabulary.starts)),
  };
}

function tokenizerConfig(context: number): Readonly<Record<string, unknown>> {
  return {
    tokenizer_class: "Qwen2Tokenizer",
    bos_token: null,
    eos_token: END_TOKEN,
    pad_token: PAD_TOKEN,
    unk_token: null,
    model_max_length: context,
    clean_up_tokenization_spaces: false,
  };
}

/** Frames a text, and of a pair the second one too, whose tokens are of type 1. */
function pairTemplate({ ids }: ScriptedVocabulary, { open, close }: TextFrame): Readonly<Record<string, unknown>> {
  const special = (id: string, type: number) => ({ SpecialToken: { id, type_id: type } });
  const text = (id: string, type: number) => ({ Sequence: { id, type_id: type } });
  const single = [special(open, 0), text("A", 0), special(close, 0)];
  return {
    type: "TemplateProcessing",
    single,
    pair: [...single, text("B", 1), special(close, 1)],
    special_tokens: Object.fromEntries(
      [open, close].map((token) => [token, { id: token, ids: [ids.get(token)], tokens: [token] }]),
    ),
  };
}

function byteLevelTokenizer({ tokens, merges }: ScriptedVocabulary, postProcessor: unknown): unknown {
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
    post_processor: postProcessor,
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
