/**
 * Turns prompts into the token ids of the UMT5 text encoder, cleaned the way its training data was cleaned.
 *
 * @module
 */
import { encodeStart, parseTokenizer, TokenizerError } from "../../tokenizer/tokenizer_json.ts";

const END_OF_TEXT = "</s>";

/** A prompt as the text encoder takes it. */
interface PromptTokens {
  /** Ids with the end of text last, padded with the id 0. */
  readonly ids: Int32Array;
  /** Number of ids without padding, including the end of text. */
  readonly length: number;
}

/** A loaded `tokenizer.json`. */
export interface PromptTokenizer {
  /**
   * @param prompt Any text; HTML entities and runs of white space are cleaned first. What does not fit is left out.
   * @param textLength Ids that the text encoder takes.
   */
  encode(prompt: string, textLength: number): PromptTokens;
}

/**
 * Makes a tokenizer from the contents of a `tokenizer.json` with a Unigram model.
 *
 * @param name Name of the file for error sentences.
 * @param json The parsed file.
 * @throws {TokenizerError} when it is not a Unigram tokenizer with `</s>` in its vocabulary.
 */
export function openTokenizer(name: string, json: unknown): PromptTokenizer {
  const file = json as { model?: { type?: unknown; vocab?: unknown; unk_id?: unknown } } | null;
  const model = file?.model;
  if (model?.type !== "Unigram") fail(name, `its model is ${JSON.stringify(model?.type)}, expected "Unigram"`);
  const vocab = model.vocab;
  if (!Array.isArray(vocab) || !vocab.every(isPiece)) {
    fail(name, "its vocabulary is not a list of [piece, score] pairs");
  }
  const unknown = model.unk_id as number;
  if (!Number.isInteger(unknown) || unknown < 0 || unknown >= vocab.length) {
    fail(name, `its unk_id is ${JSON.stringify(unknown)}, expected a place in the ${vocab.length} pieces`);
  }
  const tokenizer = parseTokenizer(name, file as object, { eos_token: END_OF_TEXT });
  const end = tokenizer.token_to_id(END_OF_TEXT);
  if (end === undefined) fail(name, `it has no piece "${END_OF_TEXT}"`);
  return {
    encode(prompt, textLength) {
      const kept = encodeStart(tokenizer, cleanPrompt(prompt), textLength - 1);
      const padded = new Int32Array(textLength);
      padded.set(kept);
      padded[kept.length] = end;
      return { ids: padded, length: kept.length + 1 };
    },
  };
}

function isPiece(entry: unknown): boolean {
  return Array.isArray(entry) && typeof entry[0] === "string" && Number.isFinite(entry[1]);
}

function fail(name: string, reason: string): never {
  throw new TokenizerError(`Cannot use ${name}: ${reason}`);
}

// HTML 4 names: Latin-1 in order from U+00A0, then what word processors produce. Other names stay as they are.
const LATIN_1 =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 " +
  "acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring " +
  "AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times " +
  "Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute " +
  "ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc " +
  "uuml yacute thorn yuml";
const named: ReadonlyMap<string, string> = new Map([
  ...LATIN_1.split(" ").map((name, i): [string, string] => [name, String.fromCodePoint(0xa0 + i)]),
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["ndash", "–"],
  ["mdash", "—"],
  ["lsquo", "‘"],
  ["rsquo", "’"],
  ["ldquo", "“"],
  ["rdquo", "”"],
  ["hellip", "…"],
  ["bull", "•"],
  ["trade", "™"],
  ["euro", "€"],
]);

// HTML reads references to the control characters from U+0080 as Windows-1252, since that is what people meant.
const WINDOWS_1252 = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";

/**
 * The prompt with HTML entities resolved twice (scraped captions are often escaped twice), every run of white space
 * made one space, and none at the ends.
 */
export function cleanPrompt(text: string): string {
  return unescapeHtml(unescapeHtml(text)).replace(/\s+/gu, " ").trim();
}

function unescapeHtml(text: string): string {
  return text.replace(/&(?:#(\d+)|#[xX]([0-9a-fA-F]+)|([A-Za-z][A-Za-z0-9]*));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return named.get(name) ?? whole;
    return characterOf(decimal === undefined ? parseInt(hex, 16) : parseInt(decimal, 10));
  });
}

function characterOf(code: number): string {
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return "\ufffd";
  if (code >= 0x80 && code <= 0x9f) return WINDOWS_1252[code - 0x80];
  return String.fromCodePoint(code);
}
