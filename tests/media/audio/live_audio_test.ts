import assert from "node:assert/strict";
import { test } from "node:test";
import { type LiveEncoding, readLive, writeLive } from "../../../lib/media/audio/live_audio.ts";

for (const encoding of ["ulaw", "alaw"] as const satisfies readonly LiveEncoding[]) {
  test(`every code of ${encoding} is written as it was read`, () => {
    const codes = Uint8Array.from({ length: 256 }, (_, i) => i);
    const samples = readLive(codes, encoding);
    const again = readLive(writeLive(samples, encoding), encoding);
    const whole = (values: Float32Array) => [...values].map((x) => Math.round(x * 32_768) + 0); // -0 is 0
    assert.deepEqual(whole(again), whole(samples));
  });

  test(`a loud tone in ${encoding} is 30 dB above what the law leaves out, beyond full scale it is clipped`, () => {
    const tone = Float32Array.from({ length: 8000 }, (_, i) => 0.8 * Math.sin(i / 5));
    const back = readLive(writeLive(tone, encoding), encoding);
    const power = (values: Float32Array) => values.reduce((sum, value) => sum + value * value, 0);
    assert.ok(10 * Math.log10(power(tone) / power(back.map((value, i) => value - tone[i]))) > 30);
    const [top, bottom] = readLive(writeLive(Float32Array.of(3, -3), encoding), encoding);
    assert.ok(top > 0.95 && bottom < -0.95, `${top} ${bottom}`);
  });
}

test("samples of 16 bits are read as they were written", () => {
  const bytes = writeLive(Float32Array.of(0, 0.5, -1, NaN), "s16");
  assert.deepEqual([...readLive(bytes, "s16")].map((x) => x.toFixed(3)), ["0.000", "0.500", "-1.000", "0.000"]);
});
