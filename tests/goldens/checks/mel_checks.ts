/** Checks of the front ends of recognisers. */
import type { MelFilterbank } from "../../../lib/engines/transcription/mel_frames.ts";
import { NemoFeatures } from "../../../lib/engines/transcription/parakeet/nemo_features.ts";
import { WhisperFeatures } from "../../../lib/engines/transcription/whisper/whisper_features.ts";
import type { Golden } from "../golden.ts";

const FEATURES = 2e-3;
const WEIGHTS = 1e-6;

/** Windows of all cases, and parts of a window of 30 s. */
export function checkWhisperFeatures(golden: Golden): void {
  const [sampleRate, points, hop] = ["sample_rate", "n_fft", "hop"].map((key) => golden.number(key));
  const features = (mels: number, seconds: number) =>
    new WhisperFeatures({ mels, points, hop, sampleRate, windowSamples: seconds * sampleRate });
  for (const name of golden.outputs(/^\d+\.mel\d+$/)) {
    const [, i, mels] = /^(\d+)\.mel(\d+)$/.exec(name) ?? [];
    const found = features(Number(mels), golden.number("chunk_seconds")).compute(golden.input(`${i}.wave`).data);
    golden.compare(name, found, FEATURES);
  }
  for (const mels of golden.config.mels as number[]) {
    const whole = features(mels, 30);
    golden.compare(`filterbank${mels}`, denseFilterbank(whole.filterbank, points / 2 + 1), WEIGHTS);
    const data = whole.compute(golden.input("0.wave").data);
    const part = (from: number, to: number) =>
      Array.from({ length: mels }, (_, mel) => [...data.subarray(mel * whole.frames + from, mel * whole.frames + to)]);
    const [head, tail] = ["head", "tail"].map((end) => golden.shapeOf(`30s.mel${mels}.${end}`)[1]);
    golden.compare(`30s.mel${mels}.head`, part(0, head).flat(), FEATURES);
    golden.compare(`30s.mel${mels}.tail`, part(whole.frames - tail, whole.frames).flat(), FEATURES);
  }
}

/** All cases with their numbers of frames. */
export function checkNemoFeatures(golden: Golden): void {
  const features = new NemoFeatures(golden.number("mels"));
  golden.compare("filterbank", denseFilterbank(features.filterbank, golden.number("n_fft") / 2 + 1), WEIGHTS);
  for (const [i] of (golden.config.cases as unknown[]).entries()) {
    const { data, valid } = features.compute(golden.input(`${i}.wave`).data);
    golden.compare(`${i}.features`, data, FEATURES);
    golden.compare(`${i}.length`, [valid], 0);
  }
}

/** [bins, bands] */
function denseFilterbank({ bands, starts, weights }: MelFilterbank, bins: number): Float64Array {
  const dense = new Float64Array(bins * bands);
  for (let band = 0; band < bands; band++) {
    for (const [i, weight] of weights[band].entries()) dense[(starts[band] + i) * bands + band] = weight;
  }
  return dense;
}
