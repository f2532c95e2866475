/**
 * The rules of the linter.
 *
 * @module
 */
import type { Severity } from "../validate/finding.ts";

/** Default severity of a rule, and its reason. */
export interface LintRule {
  /** How severe it is. */
  readonly severity: Severity;
  /** Why the rule exists. */
  readonly reason: string;
}

/** Ids of lint rules. */
export type LintRuleId =
  | "duplicate_kind"
  | "duplicate_port"
  | "unknown_primary_argument"
  | "inverted_range"
  | "inconsistent_step"
  | "default_type"
  | "default_not_in_values"
  | "default_out_of_range"
  | "default_off_step"
  | "enum_without_values"
  | "array_without_items"
  | "undeclared_required"
  | "secret_not_string"
  | "unused_constraint"
  | "deep_value_schema"
  | "zero_minimum"
  | "unsafe_integer"
  | "duplicate_member"
  | "lone_surrogate"
  | "blank_text"
  | "odd_version";

const error = (reason: string): LintRule => ({ severity: "error", reason });
const warning = (reason: string): LintRule => ({ severity: "warning", reason });

/** All lint rules: `error` for what hosts refuse or what cannot be meant, `warning` for what is misleading. */
export const LINT_RULES: Readonly<Record<LintRuleId, LintRule>> = {
  duplicate_kind: error("a graph names a node by its kind, so only one of them could be reached"),
  duplicate_port: error("a graph names a port by its name, so only one of them could be reached"),
  unknown_primary_argument: error("an editor shows the input that it names, which does not exist"),
  inverted_range: error("no value is at least the minimum and at most the maximum"),
  inconsistent_step: warning("an editor could not offer a second value, or offer values of another type"),
  default_type: error("a node that is run without the argument would get a value that it refuses"),
  default_not_in_values: error("a node that is run without the argument would get a value that it refuses"),
  default_out_of_range: error("a node that is run without the argument would get a value that it refuses"),
  default_off_step: warning("an editor that moves by steps could never come back to the default"),
  enum_without_values: error("an editor would have nothing to choose from"),
  array_without_items: error("hosts refuse an array that does not say what it holds"),
  undeclared_required: error("a required member is not described by the schema"),
  secret_not_string: error("hosts bind secrets to strings only"),
  unused_constraint: warning("the field has no effect on a value of this type and is probably a mistake"),
  deep_value_schema: warning("hosts refuse value schemas of more than 16 levels"),
  zero_minimum: warning("hosts refuse a minimum of 0 bytes; omit it or use null to require nothing"),
  unsafe_integer: warning("beyond 2^53 - 1 most readers round integers, and the pin cannot distinguish neighbors"),
  duplicate_member: warning("readers disagree which of two members counts"),
  lone_surrogate: warning("a lone surrogate is not text: some readers refuse it, and it cannot be pinned"),
  blank_text: warning("users would see nothing"),
  odd_version: warning("tools that sort versions expect MAJOR.MINOR.PATCH, without leading zeros, and -SUFFIX"),
};
