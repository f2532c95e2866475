import assert from "node:assert/strict";
import { test } from "node:test";
import { TurnDetector } from "../../../lib/media/audio/turn_detector.ts";
import { seededRandom } from "../../support/random.ts";
import { joined, mixed, soundOf, syntheticVoice, whiteNoise } from "../../support/synthetic_voice.ts";

const settings = { threshold: 0.5, silence: 500 };

/** What is found in a sound, in seconds. */
function turnsIn(sound: Float32Array, rate: number, more: Partial<typeof settings> = {}): [string, number][] {
  const detector = new TurnDetector(rate, { ...settings, ...more });
  const events: [string, number][] = [];
  for (let at = 0; at < sound.length; at += 479) {
    for (const { kind, at: sample } of detector.push(sound.subarray(at, at + 479))) events.push([kind, sample / rate]);
  }
  return events;
}

const starts = (events: readonly [string, number][]) => events.filter(([kind]) => kind === "started").length;

for (const rate of [8_000, 24_000]) {
  test(`a voice between silences is a turn at ${rate} Hz: it starts and ends where it should`, () => {
    const quiet = (seconds: number) => whiteNoise(seconds, rate, -70);
    const events = turnsIn(joined(quiet(1), syntheticVoice(2, rate), quiet(1.5)), rate);
    const [started, ...rest] = events;
    assert.equal(started[0], "started");
    assert.ok(started[1] > 1 && started[1] < 1.3, String(started));
    const stopped = rest.at(-1)!;
    assert.equal(stopped[0], "stopped");
    assert.ok(stopped[1] > 3.2 && stopped[1] < 3.7, String(stopped));
    assert.equal(starts(events), 1);
    assert.ok(rest.some(([kind, at]) => kind === "paused" && at < stopped[1] - 0.2));
  });

  // @row dialects > Realtime > noise and hiss are no voice, a voice in noise is one
  test(`a voice in noise is found at ${rate} Hz, and the noise alone is not a voice`, () => {
    const noise = whiteNoise(12, rate, -40, 7);
    const events = turnsIn(
      mixed(joined(soundOf(5, rate, () => 0), syntheticVoice(2, rate), soundOf(3, rate, () => 0)), noise),
      rate,
    );
    assert.equal(starts(events), 1, JSON.stringify(events));
    assert.ok(events[0][1] > 5 && events[0][1] < 5.5, JSON.stringify(events));
    assert.equal(events.at(-1)![0], "stopped");
  });

  test(`noise from the start on does not keep a turn at ${rate} Hz from ending`, () => {
    const silence = (seconds: number) => soundOf(seconds, rate, () => 0);
    const sound = joined(silence(0.5), syntheticVoice(1.5, rate), silence(2));
    const events = turnsIn(mixed(sound, whiteNoise(4, rate, -38, 11)), rate);
    assert.equal(starts(events), 1, JSON.stringify(events));
    const [kind, at] = events.at(-1)!;
    assert.ok(kind === "stopped" && at < 3.2, JSON.stringify(events));
  });
}

const rate = 24_000;
const random = seededRandom(3);
let walk = 0;
const noises: readonly [string, Float32Array][] = [
  ["silence", soundOf(8, rate, () => 0)],
  ["hiss from its first sample", whiteNoise(8, rate, -25)],
  ["quiet hiss", whiteNoise(8, rate, -55, 5)],
  ["rumble", soundOf(8, rate, () => (walk = 0.999 * walk + (random() - 0.5) * 0.02))],
  [
    "the hum of the mains",
    soundOf(8, rate, (t) => 0.1 * Math.sin(2 * Math.PI * 50 * t) + 0.02 * Math.sin(2 * Math.PI * 100 * t)),
  ],
  ["keys that are hit", soundOf(8, rate, (t) => t % 0.3 < 0.01 ? (random() - 0.5) * 0.8 : (random() - 0.5) * 0.001)],
  ["a constant", soundOf(8, rate, () => 0.3)],
  ["hiss that comes and goes", soundOf(8, rate, (t) => (random() - 0.5) * (Math.floor(t) % 2 ? 0.2 : 0.002))],
];
for (const [name, sound] of noises) {
  // @row dialects > Realtime > noise and hiss are no voice, a voice in noise is one
  test(`${name} is no voice`, () => assert.equal(starts(turnsIn(sound, rate)), 0));
}

test("a higher threshold wants a louder voice, a longer silence a later end", () => {
  const sound = joined(
    whiteNoise(1, rate, -48),
    mixed(syntheticVoice(2, rate, 0.03), whiteNoise(2, rate, -48)),
    whiteNoise(2.5, rate, -48),
  );
  assert.equal(starts(turnsIn(sound, rate, { threshold: 0.3 })), 1);
  assert.equal(starts(turnsIn(sound, rate, { threshold: 0.99 })), 0);
  const loud = joined(whiteNoise(1, rate, -70), syntheticVoice(2, rate), whiteNoise(2.5, rate, -70));
  const end = (silence: number) => turnsIn(loud, rate, { silence }).at(-1)![1];
  assert.ok(end(1200) > end(400) + 0.6);
});
