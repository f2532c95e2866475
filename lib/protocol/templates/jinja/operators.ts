/**
 * Python's operators.
 *
 * @module
 */
import type { Budget } from "./budget.ts";
import { formatPercent } from "./text_formats.ts";
import { compare, equal } from "./compare.ts";
import { Dict, double, Float, isNumber, iterate, listOf, PythonError, Tuple, typeName, type Value } from "./values.ts";

/** Longest power in bits. */
const MAX_BITS = 65_536;

/** `a + b` and the other operators between two values. */
export function binary(operator: string, a: Value, b: Value, budget: Budget): Value {
  if (isNumber(a) && isNumber(b)) return arithmetic(operator, a, b, budget);
  if (operator === "+") {
    if (typeof a === "string" && typeof b === "string") {
      budget.text(a.length + b.length);
      return a + b;
    }
    if (Array.isArray(a) && Array.isArray(b) && typeName(a) === typeName(b) && /list|tuple/.test(typeName(a))) {
      budget.take((a.length + b.length) / 16);
      return a instanceof Tuple ? listOf(Tuple, [...a, ...b]) : [...a, ...b];
    }
  }
  if (operator === "*") {
    if (isWhole(a)) return repeated(b, Number(a), budget);
    if (isWhole(b)) return repeated(a, Number(b), budget);
  }
  if (operator === "%" && typeof a === "string") {
    return formatPercent(a, b instanceof Tuple ? [...b] : [b], b instanceof Dict ? b : undefined, budget);
  }
  throw new PythonError(`a ${typeName(a)} and a ${typeName(b)} have no ${operator}`);
}

function isWhole(value: Value): value is bigint | boolean {
  return typeof value === "bigint" || typeof value === "boolean";
}

function repeated(value: Value, times: number, budget: Budget): Value {
  const count = Math.max(0, times);
  if (typeof value === "string") {
    budget.text(value.length * count);
    return value.repeat(count);
  }
  if (Array.isArray(value) && /list|tuple/.test(typeName(value))) {
    budget.text(value.length * count);
    const members = Array.from({ length: count }, () => [...value]).flat();
    return value instanceof Tuple ? listOf(Tuple, members) : members;
  }
  throw new PythonError(`a ${typeName(value)} cannot be repeated`);
}

function arithmetic(operator: string, a: bigint | boolean | Float, b: bigint | boolean | Float, budget: Budget): Value {
  if (operator === "/" && !(a instanceof Float) && !(b instanceof Float)) {
    return new Float(quotient(BigInt(a), BigInt(b)));
  }
  if (a instanceof Float || b instanceof Float) {
    return new Float(floats(operator, double(a), double(b)));
  }
  const [left, right] = [BigInt(a), BigInt(b)];
  switch (operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "//":
    case "%": {
      if (right === 0n) throw new PythonError("a division by zero");
      const rest = left % right;
      const adjust = rest !== 0n && (rest < 0n) !== (right < 0n);
      if (operator === "%") return adjust ? rest + right : rest;
      return left / right - (adjust ? 1n : 0n);
    }
    default:
      return power(left, right, budget);
  }
}

/** The double next to a quotient of ints, however long they are. */
function quotient(a: bigint, b: bigint): number {
  if (b === 0n) throw new PythonError("a division by zero");
  if (BigInt.asIntN(54, a) === a && BigInt.asIntN(54, b) === b) return Number(a) / Number(b);
  const [over, under] = [a < 0n ? -a : a, b < 0n ? -b : b];
  const shift = Math.max(0, 66 + under.toString(2).length - over.toString(2).length);
  const scaled = (over << BigInt(shift)) / under;
  const rest = (over << BigInt(shift)) % under === 0n ? 0n : 1n;
  const size = Number(scaled | rest) / 2 ** shift;
  if (!Number.isFinite(size)) throw new PythonError("a quotient that no float has");
  return (a < 0n) === (b < 0n) ? size : -size;
}

function power(base: bigint, exponent: bigint, budget: Budget): Value {
  if (exponent < 0n) return new Float(floats("**", Number(base), Number(exponent)));
  const bits = base.toString(2).length * Number(exponent);
  if (!(bits <= MAX_BITS)) budget.text(Infinity);
  budget.take(bits / 64);
  return base ** exponent;
}

function floats(operator: string, a: number, b: number): number {
  switch (operator) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "**": {
      if (a === 0 && b < 0) throw new PythonError("a division by zero");
      if (a < 0 && !Number.isInteger(b)) throw new PythonError("a complex number");
      return a ** b;
    }
  }
  if (b === 0) throw new PythonError("a division by zero");
  if (operator === "/") return a / b;
  const rest = a % b;
  const modulo = rest !== 0 && (rest < 0) !== (b < 0) ? rest + b : rest === 0 ? (b < 0 ? -0 : 0) : rest;
  return operator === "%" ? modulo : Math.round((a - modulo) / b);
}

/** `-a` and `+a`. */
export function sign(operator: string, value: Value): Value {
  if (value instanceof Float) return operator === "-" ? new Float(-value.number) : value;
  if (isNumber(value)) return operator === "-" ? -BigInt(value) : BigInt(value);
  throw new PythonError(`a ${typeName(value)} has no sign`);
}

/** `==`, `<` and the other comparisons, and `in`. */
export function compares(operator: string, a: Value, b: Value, budget: Budget): boolean {
  budget.through(a);
  budget.through(b);
  switch (operator) {
    case "==":
      return equal(a, b);
    case "!=":
      return !equal(a, b);
    case "<":
      return compare(a, b) < 0;
    case "<=":
      return compare(a, b) <= 0;
    case ">":
      return compare(a, b) > 0;
    case ">=":
      return compare(a, b) >= 0;
    default:
      return contains(b, a, budget) === (operator === "in");
  }
}

/** `member in all`. */
export function contains(all: Value, member: Value, budget: Budget): boolean {
  if (typeof all === "string") {
    if (typeof member !== "string") throw new PythonError(`a ${typeName(member)} cannot be in a text`);
    budget.take(all.length / 256);
    return all.includes(member);
  }
  if (all instanceof Dict) return all.has(member);
  const members = iterate(all);
  budget.take(members.length / 16);
  return members.some((one) => equal(one, member));
}
