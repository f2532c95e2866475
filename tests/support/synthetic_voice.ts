import { seededRandom } from "./random.ts";
import { pcm16 } from "../../lib/media/audio/encoding/pcm_encoder.ts";

/** Sound of some seconds, made sample by sample from the time. */
export function soundOf(seconds: number, rate: number, sample: (time: number, i: number) => number): Float32Array {
  return Float32Array.from({ length: Math.round(seconds * rate) }, (_, i) => sample(i / rate, i));
}

/** One sound after the other. */
export function joined(...parts: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Two sounds at the same time; the second is repeated as long as the first lasts. */
export function mixed(sound: Float32Array, other: Float32Array): Float32Array {
  return sound.map((value, i) => value + other[i % other.length]);
}

/** Noise of a level in dB of full scale, the same for the same seed. */
export function whiteNoise(seconds: number, rate: number, decibels: number, seed = 1): Float32Array {
  const random = seededRandom(seed);
  const peak = Math.sqrt(3) * 10 ** (decibels / 20);
  return soundOf(seconds, rate, () => (2 * random() - 1) * peak);
}

/**
 * Something with the traits of a voice: pulses of a pitch that falls, two resonances, syllables of a fifth of a second
 * with gaps between them.
 */
export function syntheticVoice(seconds: number, rate: number, level = 0.5): Float32Array {
  const resonances = [[700, 0.985], [1400, 0.98]].map(([frequency, radius]) => {
    const decay = radius ** (8000 / rate);
    return { a: 2 * decay * Math.cos(2 * Math.PI * frequency / rate), b: -decay * decay, y1: 0, y2: 0 };
  });
  let phase = 0;
  const raw = soundOf(seconds, rate, (time) => {
    const pitch = 140 - 30 * (time / seconds);
    phase += pitch / rate;
    const pulse = phase >= 1 ? 1 : 0;
    phase -= pulse;
    const opened = Math.max(0, Math.sin(2 * Math.PI * 2.5 * time) + 0.4) / 1.4;
    let value = 0;
    for (const one of resonances) {
      const y = pulse * opened + one.a * one.y1 + one.b * one.y2;
      one.y2 = one.y1;
      one.y1 = y;
      value += y;
    }
    return value;
  });
  const peak = raw.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-9);
  return raw.map((value) => value * level / peak);
}

/** Samples as the base64 of 16 bits. */
export function base64Pcm(samples: Float32Array): string {
  return Buffer.from(pcm16(samples)).toString("base64");
}
