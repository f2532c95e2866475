/**
 * Validates the arguments of a node.
 *
 * @module
 */
import { argumentsRule } from "./arguments_rules.ts";
import { checkValue } from "./check_value.ts";
import type { FindingOptions, Validation } from "./finding.ts";
import { FindingList } from "./finding_list.ts";
import type { Node } from "../manifest.ts";

/**
 * Checks values, by the names of inputs, against what a node declares: required and unknown arguments, types, ranges,
 * values of enums, value schemas. Pointers start at the values. Besides the rules of manifests there is `maximum`.
 *
 * @throws {RangeError} if `maxFindings` is not a count
 * @example
 * ```ts
 * import { validateArguments } from "@svc/sdk/manifest";
 *
 * const node = { inputs: [{ name: "width", type: "integer", required: true, minimum: 1 }] } as const;
 * const { findings } = validateArguments(node, { widht: 3 });
 * console.assert(findings[0].meant === "width");
 * ```
 */
export function validateArguments(
  node: Pick<Node, "inputs">,
  values: unknown,
  options: FindingOptions = {},
): Validation {
  const list = new FindingList(options);
  checkValue(values, argumentsRule(node), "the arguments", list);
  const { findings, omitted } = list;
  return { valid: findings.length === 0 && omitted === 0, findings, omitted };
}
