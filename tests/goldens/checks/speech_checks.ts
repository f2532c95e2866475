/**
 * Checks of what turns text into sound.
 *
 * @module
 */
import { pulseTrain } from "../../../lib/engines/speech/onnx_hibari/excitation.ts";
import {
  BINS,
  HOP,
  SAMPLE_RATE,
  type VoiceSpectra,
  waveform,
} from "../../../lib/engines/speech/onnx_hibari/waveform.ts";
import { HibariNetwork, SpectralShaper } from "../../../lib/engines/speech/onnx_hibari/hibari_network.ts";
import { phonemeNumbers, readPhonemeNumbers, splitPhonemes } from "../../../lib/engines/speech/phonemes.ts";
import { openEnglish } from "../../../lib/engines/speech/open_english.ts";
import { readModelValue } from "../../../lib/engines/files/model_json.ts";
import { NO_VOICE, speechModelFiles } from "../../support/speech_model_files.ts";
import type { Check, Checks } from "../check.ts";
import { type Comparison, type Golden, GoldenSkip } from "../golden.ts";

/** The spectra of a voice, and how far below them the noise of ours has to be. */
const SPECTRA = [["lh", 40], ["ln", 40], ["lr", 40], ["theta", 30], ["phi", 30]] as const;

/** The waveform of the stored spectra; the spectra too where the voice is installed. */
const checkHibariSynth: Check = async (golden) => {
  const cases = golden.config.cases as readonly { readonly speed: number }[];
  const files = await speechModelFiles();
  const network = files &&
    await HibariNetwork.open(files.path("hibari.onnx"), "hibari.onnx", { device: "cpu", threads: 1 });
  const shaper = await SpectralShaper.open();
  for (const [i, { speed }] of cases.entries()) {
    const stored = spectraOf(golden, i);
    const ours = pulseTrain(stored.f0, HOP, SAMPLE_RATE);
    const pulses = golden.kept(`${i}.pulses`, ours).theirs;
    golden.allow(`${i}.pulses`, 2e-2);
    const off = ours.reduce((count, value, k) => count + Number(!(Math.abs(value - pulses[k]) <= 2e-2)), 0);
    golden.judge(`${i}.pulses`, ours.length === pulses.length ? off / pulses.length : Infinity, 1e-3);
    const noise = golden.input(`${i}.noise`).data;
    const frames = stored.f0.length;
    const sound = waveform(
      await shaper.run(stored),
      (frame) =>
        Float32Array.from(
          { length: 2 * BINS },
          (_, k) => frame < frames ? noise[((k >> 1) * frames + frame) * 2 + (k & 1)] : 0,
        ),
    );
    judgeRatio(golden, `${i}.waveform`, sound, 60);
    const names = SPECTRA.map(([name]) => `${i}.${name}`);
    if (network === undefined) {
      golden.leaveOut([...names, `${i}.f0`], NO_VOICE);
      continue;
    }
    const made = await network.run([...golden.stored(`${i}.ids`).data as Int32Array], speed);
    for (const [name, decibels] of SPECTRA) judgeRatio(golden, `${i}.${name}`, made[name], decibels);
    golden.compare(`${i}.f0`, made.f0, 0.5);
  }
  await network?.close();
  await shaper.close();
};

function spectraOf(golden: Golden, i: number): VoiceSpectra {
  const [lh, theta, ln, lr, phi, f0] = ["lh", "theta", "ln", "lr", "phi", "f0"].map((name) =>
    golden.expected(`${i}.${name}`).data
  );
  return { lh, theta, ln, lr, phi, f0 };
}

/** Judges the noise in parts of the sound, by amplitude. */
function judgeRatio(golden: Golden, name: string, ours: ArrayLike<number>, decibels: number): void {
  const data = golden.kept(name, ours).theirs;
  let noise = 0;
  let power = 0;
  for (let i = 0; i < data.length; i++) {
    noise += (ours[i] - data[i]) ** 2;
    power += data[i] ** 2;
  }
  const limit = 10 ** (-decibels / 20);
  golden.allow(name, limit * Math.sqrt(power / data.length));
  golden.judge(name, ours.length === data.length ? Math.sqrt(noise / power) : Infinity, limit);
}

export const speechChecks: Checks = { hibari_synth: checkHibariSynth };

/** A text with what has to come of it. */
interface PhonemeCase {
  readonly text: string;
  readonly chunks: readonly string[];
  readonly ids: readonly (readonly number[])[];
}

/** Compares phonemes and their numbers where the voice is installed. */
export async function checkHibariPhonemes(json: unknown): Promise<Comparison[]> {
  const files = await speechModelFiles();
  if (files === undefined) throw new GoldenSkip(NO_VOICE);
  const vocabulary = readPhonemeNumbers(await readModelValue(files, "vocab.json"), "vocab.json");
  const english = await openEnglish(files, false, {});
  const { signal } = new AbortController();
  const comparisons: Comparison[] = [];
  for (const { text, chunks, ids } of (json as { readonly cases: readonly PhonemeCase[] }).cases) {
    const ours: string[] = [];
    for (const sentence of english.phonemes.sentences(text)) {
      ours.push(...splitPhonemes(await english.phonemes.read(sentence, signal), { together: 400, maximum: 510 }));
    }
    const numbers = ours.map((phonemes) => phonemeNumbers(vocabulary, phonemes));
    const same = JSON.stringify(ours) === JSON.stringify(chunks) && JSON.stringify(numbers) === JSON.stringify(ids);
    comparisons.push({ name: same ? text : `${text} -> ${ours.join(" | ")}`, maxAbs: same ? 0 : 1, tolerance: 0 });
  }
  await english.close();
  return comparisons;
}
