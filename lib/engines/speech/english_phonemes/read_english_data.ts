/**
 * The files that English text is read with.
 *
 * @module
 */
import * as v from "valibot";
import { joinBytes } from "../../../media/images/bytes.ts";
import type { ModelFiles } from "../../contract/engine_entry.ts";
import type { DictionaryEntry } from "./dictionary.ts";
import { readNormalizeTables } from "./normalize_tables.ts";
import type { EnglishData } from "./english_phonemes.ts";
import type { UnknownWordsAlphabet } from "./unknown_words.ts";
import type { TaggerModel } from "./part_of_speech.ts";
import { isObject } from "../../../json/json_text.ts";

/** What all kinds of English share, and what each of the two has. */
const SHARED = ["normalize.json", "tokenizer_exceptions.json", "tagger.json.gz"];

/** Names of the files of American or British English. */
export function englishFiles(british: boolean): readonly string[] {
  return [...SHARED, ...ownFiles(british), unknownWordsFile(british)];
}

/** The network for unknown words. */
export function unknownWordsFile(british: boolean): string {
  return british ? "oov_gb.onnx" : "oov.onnx";
}

function ownFiles(british: boolean): readonly string[] {
  const accent = british ? "gb" : "us";
  return [`lexicon_${accent}_gold.json.gz`, `lexicon_${accent}_silver.json.gz`, british ? "oov_gb.json" : "oov.json"];
}

/** Everything but the network for unknown words. */
export type EnglishTables = Omit<EnglishData, "unknown"> & { readonly alphabet: UnknownWordsAlphabet };

/**
 * Reads the files of one kind of English.
 *
 * @throws {Error} naming the file that is missing or cannot be used.
 */
export async function readEnglishTables(files: ModelFiles, british: boolean): Promise<EnglishTables> {
  const [tables, exceptions, tagger, checked, unchecked, alphabet] = await Promise.all(
    [...SHARED, ...ownFiles(british)].map((name) => readJson(files, name)),
  );
  return {
    tables: readNormalizeTables(tables, "normalize.json"),
    exceptions: new Map(Object.entries(checkedAs(wordLists, exceptions, "tokenizer_exceptions.json"))),
    tagger: readTagger(tagger),
    lexicon: {
      checked: table<DictionaryEntry>(checked, ownFiles(british)[0]),
      unchecked: table<DictionaryEntry>(unchecked, ownFiles(british)[1]),
      british,
    },
    alphabet: readAlphabet(alphabet, ownFiles(british)[2]),
  };
}

const wordLists = v.record(v.string(), v.pipe(v.array(v.string()), v.minLength(1)));
const taggerSchema = v.object({
  tags: v.pipe(v.array(v.string()), v.minLength(1)),
  vocab: v.array(v.string()),
});
const alphabetSchema = v.object({
  in: v.array(v.string()),
  out: v.array(v.string()),
  maxlen: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(4096)),
});

function readTagger(json: unknown): TaggerModel {
  const file = "tagger.json.gz";
  const { tags, vocab } = checkedAs(taggerSchema, json, file);
  const { tagdict, weights } = json as Record<string, unknown>;
  return {
    tags,
    vocab: new Set(vocab),
    tagdict: table<string>(tagdict, `${file}: tagdict`),
    weights: table<Record<string, number>>(weights, `${file}: weights`),
  };
}

function readAlphabet(json: unknown, file: string): UnknownWordsAlphabet {
  const { in: letters, out: phonemes, maxlen: maxLength } = checkedAs(alphabetSchema, json, file);
  return { letters, phonemes, maxLength };
}

/**
 * A table has too many entries to look at all of them first. Without prototype, a word such as "constructor" is in none
 * unless the file has it.
 */
function table<Entry>(json: unknown, what: string): Readonly<Record<string, Entry>> {
  if (isObject(json)) {
    return Object.setPrototypeOf(json, null) as Readonly<Record<string, Entry>>;
  }
  throw new Error(`Cannot use ${what}: it is not an object, expected one with an entry per word`);
}

function checkedAs<Schema extends v.GenericSchema>(schema: Schema, json: unknown, file: string): v.InferOutput<Schema> {
  const read = v.safeParse(schema, json, { abortEarly: true });
  if (read.success) return read.output;
  const { path, message } = read.issues[0];
  throw new Error(`Cannot use ${file}: ${path?.map(({ key }) => String(key)).join(".") ?? "the whole"}: ${message}`);
}

/** More than any of the files has when it is unpacked. */
const MAX_BYTES = 64 * 2 ** 20;

async function readJson(files: ModelFiles, name: string): Promise<unknown> {
  if (!files.names.includes(name)) {
    throw new Error(
      `Cannot read English text: the model has no ${name}, install speech-hibari with npm run speech-models`,
    );
  }
  const bytes = await files.read(name);
  const text = new TextDecoder().decode(name.endsWith(".gz") ? await unpacked(bytes, name) : bytes);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`Cannot use ${name}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

async function unpacked(bytes: Uint8Array, name: string): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream("gzip"));
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of stream) {
    length += part.length;
    if (length > MAX_BYTES) {
      throw new Error(`Cannot use ${name}: it unpacks to more than ${MAX_BYTES} bytes, expected a word list`);
    }
    parts.push(part);
  }
  return joinBytes(parts);
}
