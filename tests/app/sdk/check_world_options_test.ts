import assert from "node:assert/strict";
import { test } from "node:test";
import { type CheckedOptions, checkWorldOptions } from "../../../lib/world/host/check_world_options.ts";

test("checkWorldOptions() accepts everything that is in range, and nothing at all", () => {
  checkWorldOptions({});
  checkWorldOptions({ width: 32, height: 32, fps: 1, seed: 0 });
  checkWorldOptions({ width: 1280, height: 704, fps: 240, seed: (1n << 64n) - 1n });
});

test("checkWorldOptions() names the option and what was expected when a number is out of range", () => {
  const cases: readonly (readonly [CheckedOptions, RegExp])[] = [
    [{ width: 100 }, /width is 100, expected a multiple of 32 from 32 to 1280/],
    [{ width: 0 }, /width is 0/],
    [{ width: NaN }, /width is NaN/],
    [{ height: 736 }, /height is 736, expected a multiple of 32 from 32 to 704/],
    [{ fps: 0 }, /fps is 0, expected an integer from 1 to 240/],
    [{ fps: 23.9 }, /fps is 23.9/],
    [{ seed: -1 }, /seed is -1, expected an integer from 0/],
    [{ seed: 0.5 }, /seed is 0.5/],
    [{ seed: 2 ** 53 }, /seed is 9007199254740992/],
    [{ seed: 1n << 64n }, /seed is 18446744073709551616/],
  ];
  for (const [options, reason] of cases) {
    assert.throws(() => checkWorldOptions(options), (error: unknown) => {
      assert.ok(error instanceof RangeError);
      assert.match(error.message, reason);
      return true;
    });
  }
});
