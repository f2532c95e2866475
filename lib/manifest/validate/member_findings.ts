/**
 * Findings about missing and unknown members of an object.
 *
 * @module
 */
import { closestWord } from "../../errors/closest_word.ts";
import type { Finding } from "./finding.ts";
import { pointerToken } from "../../json/json_pointer.ts";
import type { Rule } from "./rule.ts";
import { quote } from "../../json/json_text.ts";
import { choiceWords, typeWords, withArticle } from "../words.ts";

/**
 * The findings about an object's own members. A misspelled name is both a missing and an unknown member; it is reported
 * once, at the unknown one, with the intended name.
 *
 * @param unknown Names that the rule does not define.
 * @param subject Name of the object in messages.
 */
export function memberFindings(
  object: object,
  rule: Rule,
  unknown: readonly string[],
  pointer: string,
  subject: string,
): Finding[] {
  const absent = new Set<string>();
  for (const name of rule.members.keys()) if (!isPresent(object, name)) absent.add(name);
  const strange = unknown.map((name) => unknownMember(name, rule, absent, pointer, subject));
  const missing: Finding[] = [];
  for (const property of absent) {
    const member = rule.members.get(property);
    if (!member?.required) continue;
    const expected = typeWords(member.rule);
    const message = `${quote(property)} is missing in ${subject}, expected ${withArticle(expected)}`;
    missing.push({ pointer, rule: "required", severity: "error", message, expected, actual: "missing", property });
  }
  return missing.concat(strange);
}

/** @param absent Names that may be meant; the matched one is removed. */
function unknownMember(property: string, rule: Rule, absent: Set<string>, pointer: string, subject: string): Finding {
  const meant = closestWord(property, absent);
  const expected = memberWords(rule);
  const remedy = meant === undefined ? `expected ${expected}` : `did you mean ${quote(meant)}?`;
  const actual = quote(property);
  const finding: Finding = {
    pointer: pointer + pointerToken(property),
    rule: "additional_property",
    severity: "error",
    message: `${actual} is not a member of ${subject}, ${remedy}`,
    expected,
    actual,
    property,
  };
  if (meant === undefined) return finding;
  absent.delete(meant);
  return { ...finding, meant };
}

function memberWords(rule: Rule): string {
  let words = memberWordsOf.get(rule);
  if (words === undefined) memberWordsOf.set(rule, words = choiceWords(rule.members.keys()));
  return words;
}

const memberWordsOf = new WeakMap<Rule, string>();

function isPresent(object: object, name: string): boolean {
  return (object as Readonly<Record<string, unknown>>)[name] !== undefined && Object.hasOwn(object, name);
}
