/**
 * Numbers within bounds.
 *
 * @module
 */
import { character, choice, EMPTY, type Expression, NEVER, optional, repeat, sequence, text } from "./expression.ts";
import { integerDigits } from "./json_grammar.ts";

/** Bounds of a number; infinite where there are none. */
export interface NumberBounds {
  readonly min: number;
  readonly max: number;
  /** Whether `min` itself is excluded. */
  readonly aboveMin: boolean;
  readonly belowMax: boolean;
}

/** The largest number whose digits a double represents exactly. */
const LARGEST = 10 ** integerDigits - 1;

const digits = (count: number): Expression => repeat(character([0x30, 0x39]), count, count);

/** Integers within bounds, of at most fifteen digits. */
export function integerBetween({ min, max, aboveMin, belowMax }: NumberBounds): Expression {
  const first = Math.max(aboveMin ? Math.floor(min) + 1 : Math.ceil(min), -LARGEST);
  const last = Math.min(belowMax ? Math.ceil(max) - 1 : Math.floor(max), LARGEST);
  const parts: Expression[] = [];
  if (first < 0 && last >= first) {
    parts.push(sequence(text("-"), naturalBetween(Math.max(1, -last), -first)));
  }
  if (last >= 0 && last >= first) parts.push(naturalBetween(Math.max(0, first), last));
  return choice(...parts.filter((part) => part !== NEVER));
}

/** Integers of at least 0, by length. */
function naturalBetween(first: number, last: number): Expression {
  if (first > last) return NEVER;
  const parts: Expression[] = [];
  for (let length = String(first).length; length <= String(last).length; length++) {
    const from = Math.max(first, length === 1 ? 0 : 10 ** (length - 1));
    parts.push(digitsBetween(String(from), String(Math.min(last, 10 ** length - 1))));
  }
  return choice(...parts);
}

/** Digit texts between two of the same length. */
function digitsBetween(from: string, to: string): Expression {
  if (from === "") return EMPTY;
  const rest = from.length - 1;
  if (from[0] === to[0]) return sequence(text(from[0]), digitsBetween(from.slice(1), to.slice(1)));
  if (isAll(from, "0") && isAll(to, "9")) return digits(from.length);
  return choice(
    sequence(text(from[0]), digitsBetween(from.slice(1), "9".repeat(rest))),
    ...(+from[0] + 1 < +to[0] ? [sequence(digit(+from[0] + 1, +to[0] - 1), digits(rest))] : []),
    sequence(text(to[0]), digitsBetween("0".repeat(rest), to.slice(1))),
  );
}

/** Decimal numbers within bounds, without an exponent, with few enough digits that none is rounded across a bound. */
export function decimalBetween({ min, max, aboveMin, belowMax }: NumberBounds): Expression {
  const from = Math.max(min, -LARGEST);
  const to = Math.min(max, LARGEST);
  const above = aboveMin && from === min;
  const below = belowMax && to === max;
  const parts: Expression[] = [];
  if (from < 0) {
    const positive = magnitudeBetween(Math.max(0, -to), -from, below && to <= 0, above);
    if (positive !== NEVER) parts.push(sequence(text("-"), positive));
  }
  if (to >= 0) {
    const positive = magnitudeBetween(Math.max(0, from), to, above && from >= 0, below);
    if (positive !== NEVER) parts.push(positive);
  }
  return choice(...parts);
}

function magnitudeBetween(from: number, to: number, above: boolean, below: boolean): Expression {
  if (from > to || (from === to && (above || below))) return NEVER;
  const [low, high] = [decimal(from), decimal(to)];
  const start = text(String(low.whole));
  if (low.whole === high.whole) {
    return sequence(start, fractionBetween(low.fraction, high.fraction, above, below, room(low.whole)));
  }
  const parts = [sequence(start, fractionFrom(low.fraction, above, room(low.whole)))];
  // Two numbers of at most fifteen digits are never rounded to the same double.
  for (let length = 1; length <= integerDigits; length++) {
    const whole = naturalBetween(
      Math.max(low.whole + 1, length === 1 ? 0 : 10 ** (length - 1)),
      Math.min(high.whole - 1, 10 ** length - 1),
    );
    if (whole !== NEVER) parts.push(sequence(whole, anyFraction(integerDigits - length)));
  }
  parts.push(sequence(text(String(high.whole)), fractionTo(high.fraction, below, room(high.whole))));
  return choice(...parts);
}

/** Digits that may follow the point. */
function room(whole: number): number {
  return integerDigits - String(whole).length;
}

/** After a whole number: nothing, or a point with digits. */
function anyFraction(room: number): Expression {
  return room === 0 ? EMPTY : optional(sequence(text("."), some(1, room)));
}

function fractionFrom(low: string, above: boolean, room: number): Expression {
  if (low === "" && !above) return anyFraction(room);
  return room === 0 ? NEVER : sequence(text("."), digitsFrom(low, above, room));
}

function fractionTo(high: string, below: boolean, room: number): Expression {
  if (high === "" && below) return NEVER;
  if (room === 0) return EMPTY;
  const after = high === "" ? some(1, room, "0") : digitsTo(high, below, room);
  return optional(sequence(text("."), after));
}

/** Between two fractions of the same whole number. */
function fractionBetween(low: string, high: string, above: boolean, below: boolean, room: number): Expression {
  const parts: Expression[] = low === "" && !above ? [EMPTY] : [];
  if (room > 0 && high !== "") parts.push(sequence(text("."), digitsWithin(low, high, above, below, room)));
  else if (room > 0 && low === "" && !above) parts.push(sequence(text("."), some(1, room, "0")));
  return choice(...parts);
}

/** Fraction digits of at least `low`; at most `room` digits. */
function digitsFrom(low: string, above: boolean, room: number): Expression {
  if (room === 0) return low === "" && !above ? EMPTY : NEVER;
  if (low === "" && !above) return some(0, room);
  const next = +(low[0] ?? "0");
  const parts: Expression[] = next < 9 ? [sequence(digit(next + 1, 9), some(0, room - 1))] : [];
  const equal = digitsFrom(low.slice(1), above, room - 1);
  if (equal !== NEVER) parts.push(sequence(digit(next, next), equal));
  return choice(...parts);
}

/** Fraction digits of at most `high`; at least one digit. */
function digitsTo(high: string, below: boolean, room: number): Expression {
  const next = +high[0];
  const parts: Expression[] = next > 0 ? [sequence(digit(0, next - 1), some(0, room - 1))] : [];
  const equal = high.length === 1
    ? below ? NEVER : some(0, room - 1, "0")
    // `high` ends with a non-zero digit, so any proper prefix is less.
    : room === 1
    ? EMPTY
    : optional(digitsTo(high.slice(1), below, room - 1));
  if (equal !== NEVER) parts.push(sequence(text(high[0]), equal));
  return choice(...parts);
}

function digitsWithin(low: string, high: string, above: boolean, below: boolean, room: number): Expression {
  const [from, to] = [+(low[0] ?? "0"), +(high[0] ?? "0")];
  if (from === to) {
    const [nextLow, nextHigh] = [low.slice(1), high.slice(1)];
    const ends = nextLow === "" && !above && (nextHigh !== "" || !below);
    const parts: Expression[] = ends ? [EMPTY] : [];
    if (room > 1 && nextHigh !== "") parts.push(digitsWithin(nextLow, nextHigh, above, below, room - 1));
    else if (room > 1 && ends) parts.push(some(1, room - 1, "0"));
    return sequence(digit(from, from), choice(...parts));
  }
  const lower = digitsFrom(low.slice(1), above, room - 1);
  const parts: Expression[] = lower === NEVER ? [] : [sequence(digit(from, from), lower)];
  if (from + 1 < to) parts.push(sequence(digit(from + 1, to - 1), some(0, room - 1)));
  const upper = high.length === 1
    ? below ? NEVER : some(0, room - 1, "0")
    : room === 1
    ? EMPTY
    : optional(digitsTo(high.slice(1), below, room - 1));
  if (upper !== NEVER) parts.push(sequence(digit(to, to), upper));
  return choice(...parts);
}

function digit(from: number, to: number): Expression {
  return character([0x30 + from, 0x30 + to]);
}

function some(min: number, max: number, letters: "0" | "any" = "any"): Expression {
  if (max === 0) return EMPTY;
  return repeat(letters === "0" ? text("0") : character([0x30, 0x39]), min, max);
}

function isAll(digits: string, digit: string): boolean {
  return [...digits].every((each) => each === digit);
}

/** A number of at least 0 as its digits before and after the point, without trailing zeros. */
function decimal(value: number): { readonly whole: number; readonly fraction: string } {
  const whole = Math.floor(value);
  const [mantissa, exponent = "0"] = String(value).split("e");
  const [before, after = ""] = mantissa.split(".");
  const shift = -Number(exponent);
  const fraction = shift > 0
    ? (before.padStart(shift, "0") + after).slice(before.length > shift ? before.length - shift : 0)
    : after;
  return { whole, fraction };
}
