/**
 * Words whose reading depends on what stands beside them.
 *
 * @module
 */
import { isAlphabetic } from "../character_classes.ts";
import { PRIMARY, SECONDARY } from "../stress.ts";
import { type Dictionary, generalTag, isSign, signWords, type SpeechContext } from "./dictionary.ts";

/** Punctuation that is said within addresses. */
const addressSigns: Readonly<Record<string, string>> = { ".": "dot", "/": "slash" };

/** Reads a word of this kind; undefined for all others. */
export function readFunctionWord(
  dictionary: Dictionary,
  word: string,
  tag: string,
  level: number | undefined,
  context: SpeechContext,
): string | undefined {
  if (tag === "ADD" && Object.hasOwn(addressSigns, word)) {
    return dictionary.lookUp(addressSigns[word], undefined, -0.5, context);
  }
  if (isSign(word)) return dictionary.lookUp(signWords[word], undefined, undefined, context);
  if (isInitials(word)) return dictionary.spell(word);
  const noun = tag.startsWith("NN");
  switch (word) {
    case "a":
    case "A":
      return tag === "DT" ? "ɐ" : "ˈA";
    case "am":
      if (noun) return dictionary.spell(word);
      return context.vowel === undefined || (level !== undefined && level > 0) ? dictionary.checked("am") : "ɐm";
    case "Am":
    case "AM":
      return noun ? dictionary.spell(word) : dictionary.checked("am");
    case "an":
    case "An":
      return "ɐn";
    case "AN":
      return noun ? dictionary.spell(word) : "ɐn";
    case "I":
      return tag === "PRP" ? `${SECONDARY}I` : undefined;
    case "by":
    case "By":
    case "BY":
      return generalTag(tag) === "ADV" ? "bˈI" : undefined;
    case "to":
    case "To":
      return readTo(dictionary, context);
    case "TO":
      return tag === "TO" || tag === "IN" ? readTo(dictionary, context) : undefined;
    case "in":
    case "In":
      return readIn(tag, context);
    case "IN":
      return tag === "NNP" ? undefined : readIn(tag, context);
    case "the":
    case "The":
      return readThe(context);
    case "THE":
      return tag === "DT" ? readThe(context) : undefined;
    case "used":
    case "Used":
    case "USED":
      return dictionary.checked("used", (tag === "VBD" || tag === "JJ") && context.to ? "VBD" : "DEFAULT");
  }
  return tag === "IN" && /^vs\.?$/i.test(word) ? dictionary.lookUp("versus", undefined, undefined, context) : undefined;
}

/** Such as `U.S.`: parts of one or two letters. */
function isInitials(word: string): boolean {
  return word.replace(/^\.+|\.+$/g, "").includes(".") && isAlphabetic(word.replaceAll(".", "")) &&
    word.split(".").every(({ length }) => length < 3);
}

function readTo(dictionary: Dictionary, { vowel }: SpeechContext): string | undefined {
  return vowel === undefined ? dictionary.checked("to") : vowel ? "tʊ" : "tə";
}

function readIn(tag: string, { vowel }: SpeechContext): string {
  return vowel === undefined || tag !== "IN" ? `${PRIMARY}ɪn` : "ɪn";
}

function readThe({ vowel }: SpeechContext): string {
  return vowel ? "ði" : "ðə";
}
