/**
 * Cleans a prompt the way the text encoder's training data was cleaned.
 *
 * @module
 */

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
