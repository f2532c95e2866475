/**
 * Text in which everything that is not said as it is written is put into words: times, dates, money, units,
 * abbreviations, Roman numerals, symbols. Plain numbers stay: how they are read depends on their neighbours.
 *
 * @module
 */
import { alternatives, escapePattern, WORD_START } from "./character_classes.ts";
import { digitDateRules, namedDateRules, numeralRules, quantityRules } from "./rewrite_rules.ts";
import { type NormalizeTables, type RewriteRule, rewriteRule } from "./normalize_tables.ts";

/** Relations are read between two things only; alone they are marks. */
const RELATIONS = "=<>~";

/** Makes the function that normalises a sentence. */
export function textNormalizer(tables: NormalizeTables): RewriteRule {
  const rules = [
    rewriteRule(/’/gu, () => "'"),
    rewriteRule(/\u2012/gu, () => "-"),
    rewriteRule(/\u2015/gu, () => "—"),
    ...digitDateRules(Object.values(tables.months)),
    ...quantityRules(tables),
    ...namedDateRules(tables.months),
    ...abbreviationRules(tables),
    ...numeralRules(tables),
    rewriteRule(/(?<![\p{L}\p{N}_+])\+(?=\d)/gu, () => "plus "),
    ...symbolRules(tables.symbols),
  ];
  return (text) => {
    const spaced = text.replace(/\s+/g, " ").trim();
    return rules.reduce((written, rule) => rule(written), spaced)
      .replace(/\s+/g, " ")
      .replace(/(?<! ) +([,.;:!?])/g, "$1")
      .trim();
  };
}

function abbreviationRules({ titles, abbreviations }: NormalizeTables): readonly RewriteRule[] {
  return [
    rewriteRule(
      new RegExp(`${WORD_START}(${alternatives(Object.keys(titles))})\\.? (?=[A-Z])`, "gu"),
      ({ groups: [title] }) => `${titles[title]} `,
    ),
    // At the end of the text the full stop ends the sentence too.
    rewriteRule(
      new RegExp(`(?<![\\p{L}\\p{N}_.])(${alternatives(Object.keys(abbreviations))})(?![\\p{L}\\p{N}_])`, "gu"),
      ({ groups: [short], next }) => abbreviations[short] + (next === "" && short.endsWith(".") ? "." : ""),
    ),
    rewriteRule(
      new RegExp(`${WORD_START}(No|Nos)\\. ?(?=\\d)`, "gu"),
      ({ groups: [short] }) => short === "No" ? "Number " : "Numbers ",
    ),
    rewriteRule(/(?<![\p{L}\p{N}_&])#(?=\d)/gu, () => "number "),
  ];
}

function symbolRules(symbols: Readonly<Record<string, string>>): readonly RewriteRule[] {
  return Object.entries(symbols).map(([symbol, word]) => {
    const sign = escapePattern(symbol);
    const pattern = RELATIONS.includes(symbol) ? `(?<=\\S) ?${sign} ?(?=\\S)` : sign;
    return rewriteRule(new RegExp(pattern, "gu"), () => word === "" ? " " : ` ${word} `);
  });
}

/**
 * Takes out what is not seen: control characters become spaces, line breaks stay, and format characters (joiners, soft
 * hyphens, marks of direction, byte order marks) go. Accents join their letters, digits of all scripts become ASCII
 * digits. Lone surrogates go.
 */
export function cleanText(text: string): string {
  return text
    .normalize("NFC")
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, "\n")
    .replace(/[\p{Cf}\p{Cs}\p{Variation_Selector}]/gu, "")
    .replace(/[^\n\P{Cc}]/gu, " ")
    .replace(/[^0-9\P{Nd}]/gu, asciiDigit);
}

/** Decimal digits come in runs of ten, zero first: the value is the number of digits right below, modulo ten. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let below = 0;
  while (below < 100 && /^\p{Nd}$/u.test(String.fromCodePoint(code - below - 1))) below++;
  return `${below % 10}`;
}
