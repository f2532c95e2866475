import assert from "node:assert/strict";
import { test } from "node:test";
import { SpeechCutter, type SpeechPiece } from "../../../lib/engines/transcription/speech_cutter.ts";

const RATE = 16_000;

/** A recording of loud and quiet stretches: seconds and amplitude of each. */
function recording(parts: readonly (readonly [seconds: number, amplitude: number])[]): Float32Array {
  let state = 1;
  const noise = () => (state = (state * 16_807) % 2_147_483_647) / 1_073_741_823.5 - 1;
  return Float32Array.from(
    parts.flatMap(([seconds, amplitude]) =>
      Array.from({ length: Math.round(seconds * RATE) }, () => amplitude * noise())
    ),
  );
}

function cut(samples: Float32Array, part: number, maxSeconds = 24): { pieces: SpeechPiece[]; received: number } {
  const cutter = new SpeechCutter(maxSeconds);
  const pieces: SpeechPiece[] = [];
  for (let at = 0; at < samples.length; at += part) pieces.push(...cutter.push(samples.subarray(at, at + part)));
  pieces.push(...cutter.flush());
  return { pieces, received: cutter.received };
}

const seconds = ({ start, samples }: SpeechPiece) => [start / RATE, (start + samples.length) / RATE];

test("silence, and no sound at all, give no piece", () => {
  for (const count of [0, 1, 319, 320, 16_001, 480_000]) {
    assert.deepEqual(cut(new Float32Array(count), 1000), { pieces: [], received: count });
  }
  assert.equal(cut(recording([[20, 0.0001]]), 1000).pieces.length, 0);
});

test("a short word is a piece as it is", () => {
  for (const count of [320, 321, 3200, 6400]) {
    const samples = recording([[count / RATE, 0.3]]);
    const { pieces: [piece, ...rest] } = cut(samples, 777);
    assert.deepEqual([piece.start, piece.samples.length, rest.length], [0, count, 0]);
  }
});

test("pieces end at silences, with a little of them on both sides", () => {
  const samples = recording([[1, 0.001], [3, 0.2], [1.5, 0.001], [2, 0.2], [0.3, 0.001], [2, 0.2], [2, 0.001]]);
  const { pieces } = cut(samples, 1600);
  const found = pieces.map(seconds);
  assert.equal(found.length, 2);
  const expected = [[0.8, 4.2], [5.3, 10]];
  for (const [i, [from, to]] of found.entries()) {
    assert.ok(Math.abs(from - expected[i][0]) < 0.05 && Math.abs(to - expected[i][1]) < 0.05, `${from} to ${to}`);
  }
});

test("speech without silences is cut at its quietest place before it is too long, and nothing is lost", () => {
  const samples = recording([[20, 0.2], [0.1, 0.05], [20, 0.2], [0.06, 0.05], [30, 0.2]]);
  const { pieces } = cut(samples, 4096);
  assert.ok(pieces.every(({ samples }) => samples.length <= 25 * RATE));
  assert.ok(Math.abs(seconds(pieces[0])[1] - 20.05) < 0.1);
  let at = 0;
  for (const piece of pieces) {
    assert.equal(piece.start, at);
    assert.deepEqual(piece.samples, samples.slice(at, at += piece.samples.length));
  }
  assert.equal(at, samples.length);
});

test("the parts in which samples come do not change the pieces", () => {
  const samples = recording([[2, 0.2], [1, 0.0005], [1, 0.1], [1, 0.0005]]);
  const whole = cut(samples, samples.length);
  for (const part of [1, 319, 320, 5000]) assert.deepEqual(cut(samples, part), whole);
});

test("quiet speech in quiet recordings is heard, loud noise does not hide speech", () => {
  assert.equal(cut(recording([[3, 0.00002], [2, 0.003], [3, 0.00002]]), 999).pieces.length, 1);
  const { pieces } = cut(recording([[5, 0.004], [2, 0.2], [5, 0.004]]), 999);
  assert.equal(pieces.length, 1);
  assert.ok(pieces[0].samples.length < 3 * RATE);
});
