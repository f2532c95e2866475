/**
 * Opens the reader of English text.
 *
 * @module
 */
import type { ModelFiles } from "../contract/engine_entry.ts";
import { openSession, type SessionSettings } from "../onnx_sessions/open_session.ts";
import { EnglishPhonemes } from "./english_phonemes/english_phonemes.ts";
import { readEnglishTables, unknownWordsFile } from "./english_phonemes/read_english_data.ts";
import { UnknownWords } from "./english_phonemes/unknown_words.ts";

/** English with the network for unknown words. */
export interface OpenedEnglish {
  readonly phonemes: EnglishPhonemes;
  /** Frees the network; nothing is running. */
  close(): Promise<void>;
}

/**
 * Opens American or British English. The network for unknown words is so small that it runs on one thread of the CPU.
 *
 * @param files Source of the files of Hibari.
 * @throws {Error} naming the file that is missing or cannot be used.
 */
export async function openEnglish(
  files: ModelFiles,
  british: boolean,
  { missing }: SessionSettings,
): Promise<OpenedEnglish> {
  const { alphabet, ...tables } = await readEnglishTables(files, british);
  const file = unknownWordsFile(british);
  const { runtime, session } = await openSession(files.path(file), { device: "cpu", threads: 1, missing });
  try {
    const [input] = session.inputNames;
    const [output] = session.outputNames;
    const unknown = new UnknownWords(alphabet, async (letters) => {
      const feed = new runtime.Tensor("int64", BigInt64Array.from(letters, BigInt), [1, letters.length]);
      const { [output]: numbers } = await session.run({ [input]: feed }, [output]);
      return Array.from(numbers.data as BigInt64Array, Number);
    });
    await unknown.read("a"); // fails now if the files do not match
    return { phonemes: new EnglishPhonemes({ ...tables, unknown }), close: () => session.release() };
  } catch (cause) {
    await session.release();
    throw new Error(`Cannot use ${file}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

/** American and British English of one folder, each opened when it is first needed. */
export class EnglishLibrary {
  readonly #files: ModelFiles;
  readonly #settings: SessionSettings;
  readonly #opened = new Map<boolean, Promise<OpenedEnglish>>();

  constructor(files: ModelFiles, settings: SessionSettings) {
    this.#files = files;
    this.#settings = settings;
  }

  /** @throws {Error} what {@linkcode openEnglish} throws; the next call tries again. */
  async phonemes(british: boolean): Promise<EnglishPhonemes> {
    let opened = this.#opened.get(british);
    if (opened === undefined) {
      opened = openEnglish(this.#files, british, this.#settings);
      this.#opened.set(british, opened);
      opened.catch(() => this.#opened.delete(british));
    }
    return (await opened).phonemes;
  }

  async close(): Promise<void> {
    for (const opened of this.#opened.values()) await (await opened.catch(() => undefined))?.close();
  }
}
