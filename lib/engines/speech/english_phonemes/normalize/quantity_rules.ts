/**
 * Money, temperatures and numbers with units in words. Plain amounts of dollars, pounds and euros are read with the
 * numbers.
 *
 * @module
 */
import { alternatives, WORD_END } from "../character_classes.ts";
import type { NormalizeTables, WordForms } from "./normalize_tables.ts";
import { type RewriteRule, rewriteRule } from "./rewrite_rule.ts";

const NUMBER = "\\d+(?:,\\d{3})*(?:\\.\\d+)?";
const SCALE = `hundred|thousand|million|billion|trillion|[kKmMbB]${WORD_END}`;
/** Neither within a word nor behind the point of a number. */
const APART = "(?<![\\p{L}\\p{N}_.])";

const scales: Readonly<Record<string, string>> = { k: "thousand", m: "million", b: "billion" };
const temperatureScales: Readonly<Record<string, string>> = { C: " Celsius", F: " Fahrenheit" };

/** The rules, in their order. */
export function quantityRules({ currency, units }: NormalizeTables): readonly RewriteRule[] {
  return [
    rewriteRule(
      new RegExp(`([$£€])(${NUMBER})\\s?(${SCALE})`, "gu"),
      ({ text, groups: [sign, amount, scale] }) =>
        sign in currency ? `${amount} ${scaleWord(scale)} ${currency[sign][1]}` : text,
    ),
    rewriteRule(
      new RegExp(`${APART}(${NUMBER})\\s?¢`, "gu"),
      ({ groups: [amount] }) => counted(amount, currency["¢"] ?? ["cent", "cents"]),
    ),
    rewriteRule(
      new RegExp(`(?<![\\p{L}\\p{N}_])([¥₹₩]|Rs\\.?|USD|EUR|GBP)\\s?(${NUMBER})(?:\\s?(${SCALE}))?`, "gu"),
      ({ text, groups: [sign, amount, scale] }) => {
        const forms = currency[sign.replace(/\.$/, "")];
        if (forms === undefined) return text;
        return scale === "" ? counted(amount, forms) : `${amount} ${scaleWord(scale)} ${forms[1]}`;
      },
    ),
    rewriteRule(
      new RegExp(`${APART}(-?${NUMBER})\\s?°\\s?([CF])?${WORD_END}`, "gu"),
      ({ groups: [amount, scale] }) => counted(amount, ["degree", "degrees"]) + (temperatureScales[scale] ?? ""),
    ),
    rewriteRule(
      new RegExp(`${APART}(-?${NUMBER})\\s?(${alternatives(Object.keys(units))})${WORD_END}`, "gu"),
      ({ groups: [amount, unit] }) => counted(amount, units[unit]),
    ),
  ];
}

function counted(amount: string, [singular, plural]: WordForms): string {
  return `${amount} ${["1", "1.0", "-1"].includes(amount.replaceAll(",", "")) ? singular : plural}`;
}

function scaleWord(scale: string): string {
  return scales[scale.toLowerCase()] ?? scale;
}
