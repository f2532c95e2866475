import type { Expression } from "../../lib/engines/output_grammar/expression.ts";

/** A regular expression for the texts of an expression that names no rule. */
export function expressionPattern(e: Expression): RegExp {
  return new RegExp(`^${source(e)}$`, "u");
}

function source(e: Expression): string {
  switch (e.kind) {
    case "text":
      return e.text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
    case "character":
      return `[${e.ranges.map((range) => range.map((code) => `\\u{${code.toString(16)}}`).join("-")).join("")}]`;
    case "sequence":
      return `(?:${e.parts.map(source).join("")})`;
    case "choice":
      return e.parts.length === 0 ? "[]" : `(?:${e.parts.map(source).join("|")})`;
    case "repeat":
      return `(?:${source(e.part)}){${e.min},${e.max === Infinity ? "" : e.max}}`;
    case "rule":
      throw new Error(`Cannot match the rule ${e.name}: expected an expression without rules`);
  }
}
