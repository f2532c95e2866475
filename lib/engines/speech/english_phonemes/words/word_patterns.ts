/**
 * Where a run of characters without spaces is cut into words: the rules that the tags of the tagger were made with.
 *
 * @module
 */
import { escapePattern, LETTER, LOWER, UPPER } from "../character_classes.ts";

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
export const SUFFIX_WINDOW = 8;

/** What what is left is cut at. */
export const INFIX: RegExp = new RegExp(
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
