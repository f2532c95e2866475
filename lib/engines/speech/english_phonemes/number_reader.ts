/**
 * Numbers, amounts of money and what is written with digits.
 *
 * @module
 */
import { isDigits } from "./character_classes.ts";
import { cardinal, decimal, ordinal, year } from "./number_words.ts";
import type { Dictionary } from "./dictionary.ts";
import type { WordEndings } from "./word_endings.ts";

/** Unit and its hundredth. */
const currencies: Readonly<Record<string, readonly [string, string]>> = {
  "$": ["dollar", "cent"],
  "£": ["pound", "pence"],
  "€": ["euro", "cent"],
};

const ordinalEndings = ["st", "nd", "rd", "th"];
const endings = ["ing", "'d", "ed", "'s", ...ordinalEndings, "s"];

/** Whether amounts of this currency are read. */
export function isCurrency(sign: string): boolean {
  return Object.hasOwn(currencies, sign);
}

/**
 * Whether a word is a number, perhaps with an ending.
 *
 * @param head Whether it begins a run of characters: a minus sign is one only there.
 */
export function isNumber(word: string, head: boolean): boolean {
  if (!/[0-9]/.test(word)) return false;
  const ending = endings.find((ending) => word.endsWith(ending)) ?? "";
  return /^-?[0-9,.]*$/.test(word.slice(0, word.length - ending.length)) && (head || !word.startsWith("-"));
}

/** Reads numbers. */
export class NumberReader {
  readonly #dictionary: Dictionary;
  readonly #endings: WordEndings;

  constructor(dictionary: Dictionary, endings: WordEndings) {
    this.#dictionary = dictionary;
    this.#endings = endings;
  }

  /**
   * Reads what {@linkcode isNumber} accepts.
   *
   * @param currency The sign before it.
   * @param head Whether it begins a run of characters: within one, digits are read like a name.
   */
  read(word: string, currency: string | undefined, head: boolean): string | undefined {
    const ending = /(?<![a-z'])[a-z']+$/.exec(word)?.[0] ?? "";
    const signed = word.slice(0, word.length - ending.length);
    const number = signed.replace(/^-/, "");
    const minus = number !== signed;
    const said = [...minus ? this.#say("minus") : [], ...this.#parts(number, ending, minus, currency, head)];
    if (said.length === 0) return undefined;
    const phonemes = said.join(" ");
    if (ending === "s" || ending === "'s") return this.#endings.withS(phonemes);
    if (ending === "ed" || ending === "'d") return this.#endings.withEd(phonemes);
    return ending === "ing" ? this.#endings.withIng(phonemes) : phonemes;
  }

  /** A currency after anything but a plain amount. */
  unitOf(currency: string | undefined): string | undefined {
    return currency !== undefined && isCurrency(currency)
      ? this.#endings.readS(`${currencies[currency][0]}s`)
      : undefined;
  }

  #parts(
    number: string,
    ending: string,
    minus: boolean,
    currency: string | undefined,
    head: boolean,
  ): readonly string[] {
    const ordinals = ordinalEndings.includes(ending);
    const money = currency !== undefined && isCurrency(currency);
    const plain = isDigits(number);
    const points = number.split(".").length - 1;
    if (plain && ordinals) return this.#say(ordinal(number));
    if (plain && !minus && number.length === 4 && !money) return this.#say(year(number));
    if (!head && points === 0) return this.#label(number.replaceAll(",", ""));
    if (!head || points > 1) return number.replaceAll(",", "").split(".").flatMap((part) => this.#version(part));
    if (money && isAmount(number)) return this.#money(number, currencies[currency]);
    if (points === 0) {
      const digits = number.replaceAll(",", "");
      return this.#say(ordinals ? ordinal(digits) : cardinal(digits));
    }
    const digits = number.replaceAll(",", "");
    return this.#say(digits.startsWith(".") ? `point ${eachDigit(digits.slice(1))}` : decimal(digits));
  }

  /** The digits of a label such as `B12` or `BA117`: long ones one by one, three as one and two. */
  #label(digits: string): readonly string[] {
    if (digits.startsWith("0") || digits.length > 3) return this.#say(eachDigit(digits));
    if (digits.length < 3 || digits.endsWith("00")) return this.#say(cardinal(digits));
    const [hundreds, tens] = digits;
    if (tens !== "0") return [...this.#say(cardinal(hundreds)), ...this.#say(cardinal(digits.slice(1)))];
    return [
      ...this.#say(cardinal(hundreds)),
      ...this.#found(this.#dictionary.lookUp("O", undefined, -2)),
      ...this.#say(cardinal(digits.slice(2))),
    ];
  }

  /** A part of an address or a version: numbers of two digits and round ones as numbers, all others digit by digit. */
  #version(part: string): readonly string[] {
    if (part === "") return [];
    const byDigit = part.startsWith("0") || (part.length !== 2 && /[^0]/.test(part.slice(1)));
    return this.#say(byDigit ? eachDigit(part) : cardinal(part));
  }

  #money(number: string, units: readonly [string, string]): readonly string[] {
    const [whole, cents] = number.replaceAll(",", "").split(".").map((digits) => digits.replace(/^0+/, ""));
    const parts = [{ digits: whole, unit: units[0] }, { digits: cents ?? "", unit: units[1] }];
    const said = parts[1].digits === "" ? parts.slice(0, 1) : parts[0].digits === "" ? parts.slice(1) : parts;
    return said.flatMap(({ digits, unit }, i) => [
      ...i > 0 ? this.#found(this.#dictionary.lookUp("and")) : [],
      ...this.#say(cardinal(digits)),
      ...this.#found(
        digits !== "1" && unit !== "pence" ? this.#endings.readS(`${unit}s`) : this.#dictionary.lookUp(unit),
      ),
    ]);
  }

  /** Phonemes of number words; "and" is left out within numbers. */
  #say(words: string): readonly string[] {
    return words.split(/[^a-z]+/).filter((word) => word !== "and" && word !== "")
      .flatMap((word) => this.#found(this.#dictionary.lookUp(word, undefined, word === "point" ? -2 : undefined)));
  }

  #found(phonemes: string | undefined): readonly string[] {
    return phonemes === undefined ? [] : [phonemes];
  }
}

function eachDigit(digits: string): string {
  return [...digits].map(cardinal).join(" ");
}

/** With at most two digits after the point. */
function isAmount(number: string): boolean {
  const [, cents = ""] = number.split(".");
  return cents.length < 3;
}
