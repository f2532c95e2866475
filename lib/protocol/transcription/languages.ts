/**
 * Languages of recordings by code and by name.
 *
 * @module
 */

/** Codes of the languages of Whisper. */
export const WHISPER_LANGUAGES: readonly string[] = (
  "en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt la mi ml cy " +
  "sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af oc ka be tg sd gu am yi lo " +
  "uz fo ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha ba jw su yue"
).split(" ");

/** Names that the standard gives to other codes, or writes differently. */
const ownNames: ReadonlyMap<string, string> = new Map(Object.entries({
  jw: "javanese",
  mi: "maori",
  my: "myanmar",
  nn: "nynorsk",
  tl: "tagalog",
  ht: "haitian creole",
  si: "sinhala",
  ps: "pashto",
  bn: "bengali",
}));

/** Further names that people use. */
const otherNames: ReadonlyMap<string, string> = new Map(Object.entries({
  burmese: "my",
  castilian: "es",
  flemish: "nl",
  haitian: "ht",
  letzeburgesch: "lb",
  mandarin: "zh",
  moldavian: "ro",
  moldovan: "ro",
  panjabi: "pa",
  pushto: "ps",
  sinhalese: "si",
  valencian: "ca",
  filipino: "tl",
}));

/** Codes that others use. */
const otherCodes: ReadonlyMap<string, string> = new Map(
  Object.entries({ iw: "he", in: "id", nb: "no", jv: "jw", fil: "tl", cmn: "zh" }),
);

/** The English name of a language in lower case, such as `english` for `en`; the code where there is none. */
export function languageName(code: string): string {
  try {
    return ownNames.get(code) ?? new Intl.DisplayNames("en", { type: "language" }).of(code)?.toLowerCase() ?? code;
  } catch {
    return code;
  }
}

/** Most letters of a language that are looked at. */
const MAX_LETTERS = 64;

/**
 * The code of a language that is written as a code (`de`, `de-AT`), or as an English name (`German`).
 *
 * @returns Undefined for what is neither.
 */
export function languageCode(written: string): string | undefined {
  const text = written.slice(0, MAX_LETTERS).trim().toLowerCase();
  const [, code = text] = /^([a-z]{2,3})[-_][a-z0-9]{2,8}$/.exec(text) ?? [];
  if (WHISPER_LANGUAGES.includes(code)) return code;
  return otherCodes.get(code) ?? otherNames.get(text) ?? WHISPER_LANGUAGES.find((one) => languageName(one) === text);
}
