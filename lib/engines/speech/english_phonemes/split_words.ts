/**
 * Words of a sentence, cut by the rules that the tags of the tagger were made with.
 *
 * @module
 */
import { escapePattern, LETTER, LOWER, UPPER } from "./character_classes.ts";

/** A word or a mark. */
interface SplitWord {
  readonly text: string;
  /** Whether white space follows. */
  readonly spaced: boolean;
}

/** Runs of characters that are words of their own, or several, whatever the rules say: contractions, abbreviations. */
export type WordExceptions = ReadonlyMap<string, readonly string[]>;

/** Cuts text into words. */
export class WordSplitter {
  readonly #exceptions: WordExceptions;
  readonly #longest: number;

  constructor(exceptions: WordExceptions) {
    this.#exceptions = exceptions;
    this.#longest = [...exceptions.keys()].reduce((most, { length }) => Math.max(most, length), 0);
  }

  split(text: string): SplitWord[] {
    const words: SplitWord[] = [];
    for (const { 0: run, index } of text.matchAll(/\S+/g)) {
      const parts = this.#splitRun(run);
      const followed = index + run.length < text.length;
      parts.forEach((part, i) => words.push({ text: part, spaced: followed && i === parts.length - 1 }));
    }
    return words;
  }

  #exception(text: string): readonly string[] | undefined {
    return text.length <= this.#longest ? this.#exceptions.get(text) : undefined;
  }

  #splitRun(run: string): readonly string[] {
    const whole = this.#exception(run);
    if (whole) return whole;
    const prefixes: string[] = [];
    const suffixes: string[] = [];
    const core = this.#takeEnds(run, prefixes, suffixes);
    const parts = [...prefixes, ...this.#splitCore(core), ...suffixes.reverse()];
    return parts.length > 1 ? this.#joinExceptions(parts) : parts;
  }

  /** Takes prefixes and suffixes off until an exception or nothing to take off is left, and returns that. */
  #takeEnds(run: string, prefixes: string[], suffixes: string[]): string {
    let left = run;
    while (left !== "" && this.#exception(left) === undefined) {
      const prefix = prefixOf(left);
      if (prefix > 0 && this.#exception(left.slice(prefix))) {
        prefixes.push(left.slice(0, prefix));
        return left.slice(prefix);
      }
      const suffix = suffixOf(left.slice(prefix));
      const end = left.length - suffix;
      if (suffix > 0 && this.#exception(left.slice(0, end))) {
        suffixes.push(left.slice(end));
        return left.slice(0, end);
      }
      if (prefix === 0 && suffix === 0) return left;
      if (prefix > 0) prefixes.push(left.slice(0, prefix));
      if (suffix > 0) suffixes.push(left.slice(end));
      left = left.slice(prefix, end);
    }
    return left;
  }

  #splitCore(core: string): readonly string[] {
    if (core === "") return [];
    const known = this.#exception(core);
    if (known) return known;
    if (ADDRESS.test(core)) return [core];
    const parts: string[] = [];
    let start = 0;
    for (const { 0: infix, index } of core.matchAll(INFIX)) {
      if (index === 0) continue;
      if (index > start) parts.push(core.slice(start, index));
      parts.push(infix);
      start = index + infix.length;
    }
    if (start < core.length) parts.push(core.slice(start));
    return parts;
  }

  /** Neighbours that spell an exception together: `Sept` and `.` */
  #joinExceptions(parts: readonly string[]): string[] {
    const joined: string[] = [];
    for (let i = 0; i < parts.length;) {
      const count = [3, 2].find((count) => {
        return i + count <= parts.length && this.#exception(parts.slice(i, i + count).join(""));
      });
      joined.push(...count === undefined ? [parts[i]] : this.#exception(parts.slice(i, i + count).join("")) ?? []);
      i += count ?? 1;
    }
    return joined;
  }
}

/** Length of what can be taken off the left end. */
function prefixOf(text: string): number {
  PREFIX.lastIndex = 0;
  return PREFIX.exec(text)?.[0].length ?? 0;
}

/** Length of what can be taken off the right end. */
function suffixOf(text: string): number {
  let stops = text.length;
  while (stops > 0 && text[stops - 1] === ".") stops--;
  if (text.length - stops > 1) return text.length - stops;
  return SUFFIX.exec(text.slice(-SUFFIX_WINDOW))?.[0].length ?? 0;
}

const QUOTES = "'\"”“`‘´’‚,„»«「」『』（）〔〕【】《》〈〉";
const MARKS = "…,:;!?¿¡()[]{}<>_#*&。？！，、；：～·";
const ICONS = "™®©°§¶†‡•";
const CURRENCIES = "US\\$|C\\$|A\\$|[$£€¥฿₽₹₩₪₺₴₦₫₱₲₵₸₼₾₿]";
const UNITS = (
  "km² km³ km/h kmh km m² m³ m/s mm² mm³ mm mph mbar mb mg m dm² dm³ dm cm² cm³ cm ha hPa µm µg nm yd in ft kg g t lb " +
  "oz Pa MB M kb KB K gb GB G tb TB T %"
).split(" ");

/** Characters of a class. */
const within = (characters: string) => `[${[...characters].map((c) => c === "-" ? "\\-" : escapePattern(c)).join("")}]`;
const single = within(`${MARKS}${QUOTES}${ICONS}`);

/** What is taken off the left end, one at a time. */
export const PREFIX: RegExp = new RegExp(
  `(?:[§%=—–]|\\+(?![0-9])|${within(MARKS)}|\\.\\.+|${within(QUOTES)}|${CURRENCIES}|${within(ICONS)})`,
  "uy",
);

/** What is taken off the right end; any number of full stops counts as one more. */
export const SUFFIX: RegExp = new RegExp(
  [
    "……",
    single,
    "['’][sS]",
    "[—–]",
    "(?<=[0-9])\\+",
    "(?<=°[FfCcKk])\\.",
    `(?<=[0-9])(?:${CURRENCIES})`,
    `(?<=[0-9])(?:${UNITS.map(escapePattern).join("|")})`,
    `(?<=[0-9${LOWER}%²\\-+]|${within(`${MARKS}${QUOTES}`)})\\.`,
    `(?<=[${UPPER}][${UPPER}])\\.`,
  ].map((pattern) => `(?:${pattern})$`).join("|"),
  "u",
);

/** The longest suffix with what a look-behind sees, in UTF-16 units. */
const SUFFIX_WINDOW = 8;

/** What what is left is cut at. */
const INFIX: RegExp = new RegExp(
  [
    "\\.\\.+",
    "…",
    within(ICONS),
    "(?<=[0-9])[+\\-*^](?=[0-9\\-])",
    `(?<=[${LOWER}]|${within(QUOTES)})\\.(?=[${UPPER}]|${within(QUOTES)})`,
    `(?<=${LETTER}),(?=${LETTER})`,
    `(?<=[\\p{L}\\p{N}])(?:---|--|-|–|——|—|~)(?=${LETTER})`,
    `(?<=[\\p{L}\\p{N}])[:<>=/](?=${LETTER})`,
  ].join("|"),
  "gu",
);

/** Addresses of the web and of e-mail, which stay whole. */
export const ADDRESS: RegExp = new RegExp(
  [
    "^(?:(?:https?|ftp)://|www\\.)\\S+$",
    "^[\\p{L}\\p{N}_.+\\-]+@[\\p{L}\\p{N}_\\-]+(?:\\.[\\p{L}\\p{N}_\\-]+)+$",
    "^(?:[\\p{L}\\p{N}_\\-]+\\.)+(?:com|org|net|edu|gov|io|co|uk|de|fr|info|biz|us|ca|au|tv|me|ly|ai)(?:/\\S*)?$",
  ].join("|"),
  "iu",
);
