/**
 * Collects what the linter finds.
 *
 * @module
 */
import { closestWord } from "../../errors/closest_word.ts";
import type { Finding, FindingOptions, Severity } from "../validate/finding.ts";
import { FindingList } from "../validate/finding_list.ts";
import { LINT_RULES, type LintRuleId } from "./lint_rules.ts";
import type { Span } from "../../json/json_tokens.ts";

/** Options of the linter. */
export interface LintOptions extends FindingOptions {
  /** Severities of single rules; `off` disables one. */
  readonly rules?: Readonly<Partial<Record<LintRuleId, Severity | "off">>>;
}

/** The findings of the linter and their known source spans. */
export class LintReport {
  readonly list: FindingList;
  readonly spans: Map<Finding, { readonly span: Span; readonly other?: Span }> = new Map();
  readonly #severities: ReadonlyMap<string, Severity | "off">;

  /** @throws {RangeError} when an unknown rule or severity is configured, or `maxFindings` is not a count */
  constructor(options: LintOptions) {
    this.list = new FindingList(options);
    const severities = new Map<string, Severity | "off">();
    for (const [id, { severity }] of Object.entries(LINT_RULES)) severities.set(id, severity);
    for (const [id, severity] of Object.entries(options.rules ?? {})) {
      checkSetting(id, severity);
      severities.set(id, severity);
    }
    this.#severities = severities;
  }

  /** Adds a finding unless its rule is off; `spans` are its location and that of what it repeats, if known. */
  add(
    rule: LintRuleId,
    pointer: string,
    message: string,
    more: Partial<Finding> = {},
    spans?: { readonly span: Span; readonly other?: Span },
  ): void {
    const severity = this.#severities.get(rule) as Severity | "off";
    if (severity === "off") return;
    const finding: Finding = { pointer, rule, severity, message, ...more };
    this.list.add(finding);
    if (spans) this.spans.set(finding, spans);
  }
}

function checkSetting(id: string, severity: string): void {
  if (!Object.hasOwn(LINT_RULES, id)) {
    const known = Object.keys(LINT_RULES);
    const meant = closestWord(id, known);
    const remedy = meant === undefined ? `expected one of ${known.join(", ")}` : `did you mean "${meant}"?`;
    throw new RangeError(`Cannot configure the lint rule "${id}": the rule is unknown, ${remedy}`);
  }
  if (["error", "warning", "note", "off"].includes(severity)) return;
  throw new RangeError(
    `Cannot configure the lint rule "${id}": its severity is "${severity}", expected error, warning, note or off`,
  );
}
