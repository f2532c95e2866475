import assert from "node:assert/strict";
import { test } from "node:test";
import { decimalBetween, integerBetween, type NumberBounds } from "../../../lib/engines/output_grammar/number_range.ts";
import { expressionPattern } from "../../support/expression_pattern.ts";
import { seededRandom } from "../../support/random.ts";

const isWithin = ({ min, max, aboveMin, belowMax }: NumberBounds, value: number): boolean =>
  (aboveMin ? value > min : value >= min) && (belowMax ? value < max : value <= max);

const within = (min: number, max: number, aboveMin = false, belowMax = false): NumberBounds => ({
  min,
  max,
  aboveMin,
  belowMax,
});

test("integerBetween() writes all integers within bounds, and no others", () => {
  const random = seededRandom(1);
  for (let round = 0; round < 150; round++) {
    const min = Math.round((random() - 0.5) * 10 ** (1 + 3 * random())) / (random() < 0.2 ? 10 : 1);
    const max = random() < 0.1 ? Infinity : min + Math.round(random() * 300);
    const bounds = within(min, max, random() < 0.3, random() < 0.3);
    const pattern = expressionPattern(integerBetween(bounds));
    for (let value = Math.floor(min) - 15; value < min + 350; value += 1 + Math.floor(random() * 3)) {
      assert.equal(pattern.test(String(value)), isWithin(bounds, value), `${value} ${JSON.stringify(bounds)}`);
    }
  }
  assert.doesNotMatch("-0", expressionPattern(integerBetween(within(-1, 1))));
  assert.doesNotMatch("07", expressionPattern(integerBetween(within(0, 99))));
});

test("decimalBetween() writes decimals within bounds, and no others", () => {
  const random = seededRandom(2);
  const bound = () => Number(((random() - 0.5) * 10 ** Math.floor(random() * 7 - 2)).toFixed(Math.floor(random() * 5)));
  for (let round = 0; round < 300; round++) {
    const [first, second] = [bound(), random() < 0.1 ? Infinity : bound()].sort((a, b) => a - b);
    const bounds = within(random() < 0.1 ? -Infinity : first, second, random() < 0.4, random() < 0.4);
    const pattern = expressionPattern(decimalBetween(bounds));
    for (let i = 0; i < 60; i++) {
      const near = [first, second, 0][Math.floor(random() * 3)];
      const from = Number.isFinite(near) ? near : 0;
      const value = Number((from + (random() - 0.5) * 10 ** Math.floor(random() * 6 - 4)).toFixed(6));
      if (/e/.test(String(value)) || Object.is(value, -0)) continue;
      assert.equal(pattern.test(String(value)), isWithin(bounds, value), `${value} ${JSON.stringify(bounds)}`);
    }
  }
});

test("decimalBetween() is not rounded over a bound", () => {
  const below = expressionPattern(decimalBetween(within(0, 1, true, true)));
  for (const text of ["0.99999999999999", "0.00000000000001", "0.5"]) {
    assert.match(text, below);
    assert.ok(Number(text) > 0 && Number(text) < 1);
  }
  for (const text of ["0", "1", "0.0", "1.0", "0.9999999999999999999", "0.0000000000000000"]) {
    assert.doesNotMatch(text, below);
  }
  assert.doesNotMatch("1", expressionPattern(decimalBetween(within(2, 1))));
  assert.match("0.0000001", expressionPattern(decimalBetween(within(1e-7, 1e-6))));
});
