/**
 * Jinja's tests, as in `is defined`.
 *
 * @module
 */
import { bind } from "./arguments.ts";
import type { Budget } from "./budget.ts";
import { textMethod } from "./text_methods.ts";
import { binary, compares } from "./operators.ts";
import { str } from "./show.ts";
import {
  Callable,
  Dict,
  Float,
  type Named,
  PythonError,
  truth,
  typeName,
  UnsupportedError,
  type Value,
} from "./values.ts";

type Test = (value: Value, other: Value, budget: Budget) => boolean;

/** Tests without an argument. */
const plain: Readonly<Record<string, Test>> = {
  boolean: (value) => typeof value === "boolean",
  callable: (value) => value instanceof Callable,
  defined: (value) => value !== undefined,
  undefined: (value) => value === undefined,
  escaped: () => false,
  even: (value, _, budget) => compares("==", binary("%", value, 2n, budget), 0n, budget),
  odd: (value, _, budget) => compares("==", binary("%", value, 2n, budget), 1n, budget),
  false: (value) => value === false,
  true: (value) => value === true,
  float: (value) => value instanceof Float,
  integer: (value) => typeof value === "bigint",
  iterable: (value) =>
    value === undefined || typeof value === "string" || Array.isArray(value) || value instanceof Dict,
  lower: (value, _, budget) => truth(textMethod(str(value), "islower", budget)!.call([], new Map())),
  upper: (value, _, budget) => truth(textMethod(str(value), "isupper", budget)!.call([], new Map())),
  mapping: (value) => value instanceof Dict,
  none: (value) => value === null,
  number: (value) => typeof value === "bigint" || typeof value === "boolean" || value instanceof Float,
  sequence: (value) =>
    value === undefined || typeof value === "string" || value instanceof Dict ||
    /list|tuple|range/.test(typeName(value)),
  string: (value) => typeof value === "string",
};

const comparison = (operator: string): Test => (value, other, budget) => compares(operator, value, other, budget);

/** Tests with one argument. */
const binaryTests: Readonly<Record<string, Test>> = {
  divisibleby: (value, other, budget) => compares("==", binary("%", value, other, budget), 0n, budget),
  in: comparison("in"),
  sameas: (value, other) => value === other,
  eq: comparison("=="),
  equalto: comparison("=="),
  "==": comparison("=="),
  ne: comparison("!="),
  "!=": comparison("!="),
  lt: comparison("<"),
  lessthan: comparison("<"),
  "<": comparison("<"),
  le: comparison("<="),
  "<=": comparison("<="),
  gt: comparison(">"),
  greaterthan: comparison(">"),
  ">": comparison(">"),
  ge: comparison(">="),
  ">=": comparison(">="),
  filter: (value) => filterNames.has(str(value)),
  test: (value) => Object.hasOwn(plain, str(value)) || Object.hasOwn(binaryTests, str(value)),
};

/** Names of filters, for the test `filter`. */
export const filterNames: Set<string> = new Set();

/** @throws {SyntaxError} when Jinja has no test of that name. */
export function knownTest(name: string): void {
  if (!Object.hasOwn(plain, name) && !Object.hasOwn(binaryTests, name)) {
    throw new UnsupportedError(`it uses the test ${name}, which does not exist`);
  }
}

/** Whether a value passes a test. */
export function passes(name: string, value: Value, args: readonly Value[], named: Named, budget: Budget): boolean {
  if (Object.hasOwn(plain, name)) {
    bind(name, [], args, named);
    return plain[name](value, undefined, budget);
  }
  if (!Object.hasOwn(binaryTests, name)) throw new PythonError(`there is no test ${name}`);
  if (name === "filter" || name === "test") bind(name, [], args, named);
  const given = [...args, ...named.values()];
  if (name !== "filter" && name !== "test" && given.length !== 1) {
    throw new PythonError(`the test ${name} takes one value`);
  }
  return binaryTests[name](value, given[0], budget);
}
