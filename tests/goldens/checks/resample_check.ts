/** Checks of the resampler. */
import { Resampler } from "../../../lib/media/audio/resampler.ts";
import type { Golden } from "../golden.ts";

interface ResampleCase {
  readonly kind: string;
  readonly from: number;
  readonly to: number;
  readonly samples: number;
  readonly edge: number;
  readonly check: "snr" | "attenuation";
  readonly min_db: number;
}

/** Resamples every case in parts of odd lengths. */
export function checkResample(golden: Golden): void {
  for (const [i, one] of (golden.config.cases as ResampleCase[]).entries()) {
    const x = golden.input(`${i}.x`).data;
    const y = resampled(x, one.from, one.to);
    const length = Math.ceil(x.length * one.to / one.from);
    golden.check(`${i}.length`, [y.length], [length], 1);
    const limit = 10 ** (-one.min_db / 20);
    if (one.check === "attenuation") {
      golden.judge(`${i}.alias`, rms(y.subarray(one.edge, y.length - one.edge)) / rms(x), limit);
      continue;
    }
    const expected = golden.kept(`${i}.y`, y).theirs;
    const n = Math.min(y.length, expected.length);
    const part = (a: Float32Array) => a.subarray(one.edge, n - one.edge);
    const [ours, theirs] = [part(y), part(expected)];
    golden.allow(`${i}.y`, limit * rms(theirs));
    golden.judge(`${i}.y`, rms(ours.map((value, k) => value - theirs[k])) / rms(theirs), limit);
  }
}

function resampled(x: Float32Array, from: number, to: number): Float32Array {
  const resampler = new Resampler(from, to);
  const parts: Float32Array[] = [];
  for (let at = 0, size = 1; at < x.length; at += size, size = (size * 7 + 3) % 997) {
    parts.push(resampler.push(x.subarray(at, at + size)));
  }
  parts.push(resampler.flush());
  return Float32Array.from(parts.flatMap((part) => [...part]));
}

function rms(x: Float32Array): number {
  return Math.sqrt(x.reduce((sum, value) => sum + value * value, 0) / x.length);
}
