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
  return Number(lead.seconds.toFixed(3));
}

/** Seconds that the video stands still while a key is held, each move of which takes so long and makes 0.75 s of it. */
function frozen(
  lead: { readonly seconds: number } & Pick<Lead, "asked" | "shown">,
  taken: readonly number[],
): number[] {
  let [now, end] = [0, 0];
  const stalls: number[] = [];
  for (const [i, time] of taken.entries()) {
    now = Math.max(now, end - lead.seconds); // the page waits until so much is left to be shown
    lead.asked(`${i}`, 1000 * now);
    now += time;
    lead.shown(`${i}`, 1000 * now);
    if (i > 0 && now > end + 1e-9) stalls.push(now - end);
    end = Math.max(end, now) + 0.75;
  }
  return stalls;
}

test("a held key requests its next move as early as the slowest one took of late, within bounds", () => {
  assert.equal(after(), 0.35);
  assert.equal(after(100), 0.35);
  assert.equal(after(500, 300), 0.679);
  assert.equal(after(300, 500), 0.7);
  assert.equal(after(9000), 2.5);
  assert.equal(after(500, ...Array.from({ length: 30 }, () => 100)), 0.35);
});

test("a move that waits for its model does not count", () => {
  const lead = new Lead();
  lead.asked("first", 0);
  lead.loads("other");
  lead.loads("first");
  lead.shown("first", 9000);
  assert.equal(lead.seconds, 0.35);
});

test("a machine that others use freezes once at most while a key is held for fifteen seconds", () => {
  // Twenty moves of 0.3 s, of which every seventh meets a busy machine.
  const busy = Array.from({ length: 20 }, (_, i) => i % 7 === 3 ? 1.3 : 0.3);
  const stalls = frozen(new Lead(), busy);
  assert.equal(stalls.length, 1, `${stalls}`);
  // A lead that forgets after two moves, and is at most one second, freezes every time.
  const recent: number[] = [];
  let at = 0;
  const forgetful = {
    asked: (_id: string, now: number) => void (at = now),
    shown: (_id: string, now: number) => void recent.push((now - at) / 1000),
    get seconds() {
      return Math.min(1, Math.max(0.35, ...recent.slice(-2).map((taken) => 1.4 * taken)));
    },
  };
  assert.equal(frozen(forgetful, busy).length, 3);
});

test("the frames of another client's move do not change the lead", () => {
  const lead = new Lead();
  lead.asked("mine", 0);
  lead.shown("other", 600);
  assert.equal(lead.seconds, 0.35);
  lead.shown("mine", 500);
  assert.equal(lead.seconds, 0.7);
});
