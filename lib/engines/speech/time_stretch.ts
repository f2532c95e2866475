/**
 * Faster and slower speech at the same pitch.
 *
 * @module
 */

/**
 * Seconds of a window, and how far a window may move to match its neighbour; speech has pitch periods of 3 to 15 ms.
 */
const WINDOW_SECONDS = 0.03;
const SEARCH_SECONDS = 0.008;

/**
 * Waveform similarity overlap-add (Verhelst and Roelands 1993): windows are read from the sound at
 * another pace than they are written, each where it best continues the previous one.
 *
 * @param rate How much faster, above 0; 1 gives the sound itself.
 * @returns About `samples.length / rate` samples.
 */
export function timeStretch(
  samples: Float32Array<ArrayBuffer>,
  rate: number,
  sampleRate: number,
): Float32Array<ArrayBuffer> {
  const length = Math.round(samples.length / rate);
  if (rate === 1 || length === 0 || samples.length === 0) return rate === 1 ? samples : new Float32Array(length);
  const hop = Math.max(Math.round(WINDOW_SECONDS * sampleRate / 2), 1);
  const search = Math.max(Math.round(SEARCH_SECONDS * sampleRate), 1);
  const fade = Float32Array.from({ length: 2 * hop }, (_, i) => 0.5 - 0.5 * Math.cos(Math.PI * (i + 0.5) / hop));
  const output = new Float32Array(length + 2 * hop);
  // The first window begins half before the sound, so that every sample lies under two windows.
  let taken = -hop;
  for (let put = -hop; put < length; put += hop) {
    const wanted = Math.round(put * rate);
    if (put > -hop) taken = bestPlace(samples, taken + hop, wanted, search, hop);
    for (let i = Math.max(-put, 0); i < 2 * hop; i++) output[put + i] += fade[i] * (samples[taken + i] ?? 0);
  }
  return output.slice(0, length);
}

/** The position near `wanted` whose samples correlate best with those from `next` on, the natural continuation. */
function bestPlace(samples: Float32Array, next: number, wanted: number, search: number, hop: number): number {
  let best = wanted;
  let bestScore = -Infinity;
  for (let place = wanted - search; place <= wanted + search; place++) {
    const from = Math.max(0, -place, -next);
    const to = Math.min(2 * hop, samples.length - place, samples.length - next);
    let product = 0;
    let energy = 1e-9;
    // Every second sample is enough.
    for (let i = from; i < to; i += 2) {
      const here = samples[place + i];
      product += here * samples[next + i];
      energy += here * here;
    }
    const score = product / Math.sqrt(energy);
    // Of equal positions, as in silence, the nearest one.
    if (score > bestScore || (score === bestScore && Math.abs(place - wanted) < Math.abs(best - wanted))) {
      best = place;
      bestScore = score;
    }
  }
  return best;
}
