import assert from "node:assert/strict";
import { test } from "node:test";
import { testOutcomes } from "../../scripts/test_outcomes.mjs";

test("testOutcomes() reads passed and skipped tests of both runners", () => {
  const text = "running 3 tests from ./a_test.ts\n" +
    "adds (1, 2) ... \u001b[0m\u001b[32mok\u001b[0m \u001b[0m\u001b[38;5;245m(3ms)\u001b[0m\n" +
    "needs a GPU ... ignored (0ms)\nbreaks ... FAILED (1ms)\n" +
    "✔ multiplies (0.25ms)\n﹣ speaks (0.1ms) # pip is not installed\n﹣ waits (0.1ms) # SKIP\n✖ fails (1ms)\n";
  const outcomes = testOutcomes();
  outcomes.read("step", text);
  assert.deepEqual([...outcomes.passed], ["adds (1, 2)", "multiplies"]);
  assert.deepEqual(outcomes.skipped, [
    { step: "step", name: "needs a GPU", reason: "" },
    { step: "step", name: "speaks", reason: "pip is not installed" },
    { step: "step", name: "waits", reason: "" },
  ]);
});
