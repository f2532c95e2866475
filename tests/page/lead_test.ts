import assert from "node:assert/strict";
import { test } from "node:test";
import { Lead } from "../../world-page/moves/walker.ts";

/** The lead after moves that took so long, in milliseconds. */
function after(...taken: readonly number[]): number {
  const lead = new Lead();
  for (const [i, time] of taken.entries()) {
    lead.asked(`job ${i}`, 1000 * i);
    lead.shown(`job ${i}`, 1000 * i + time);
    lead.shown(`job ${i}`, 1000 * i + time + 900); // later chunks do not count
  }
  return lead.seconds;
}

test("a held key requests its next move as early as the last two moves took, within bounds", () => {
  assert.equal(after(), 0.35);
  assert.equal(after(100), 0.35);
  assert.equal(after(500, 300), 0.7);
  assert.equal(after(300, 500), 0.7);
  assert.equal(after(9000), 1); // it loaded the model
  assert.equal(after(9000, 300), 1);
  assert.equal(after(9000, 300, 300), 0.42);
});

test("the frames of another client's move do not change the lead", () => {
  const lead = new Lead();
  lead.asked("mine", 0);
  lead.shown("other", 600);
  assert.equal(lead.seconds, 0.35);
  lead.shown("mine", 500);
  assert.equal(lead.seconds, 0.7);
});
