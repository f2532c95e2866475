/**
 * Voices beside their own package and ONNX Runtime, recognisers beside their package and faster-whisper.
 *
 * @module
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { moonshineFiles } from "../../support/moonshine_files.ts";
import { wordErrorRate } from "../../support/word_error_rate.ts";
import { openOracle, type OracleName, samplesOf } from "./oracle.ts";
import { brief, type Proof, type ProofRow, speedOf, timed } from "./proof_row.ts";
import { RECORDINGS } from "./recordings.ts";

const SENTENCES = [
  "The old man sat by the window and watched the snow.",
  "We have to leave before the last train goes.",
  "Could you pass me the blue folder, please?",
];

/** Runs that are timed, after one that warms up. */
const ROUNDS = 2;

/** Sentences of a voice that takes seconds for each. */
const FEW = 1;

/** Adds the rows of what is spoken. */
export async function proveSpeech(proof: Proof): Promise<void> {
  const hibari = { id: "speech-hibari", title: "Hibari", beside: "its package hibari-tts" } as const;
  await compareSound(proof, { ...hibari, oracle: "hibari", least: 0.999 });
  const kokoro = proof.installed.get("speech-tts-kokoro-82m");
  const network = kokoro?.names.find((name) => name.endsWith(".onnx"));
  if (kokoro === undefined || network === undefined) return;
  await compareSound(proof, {
    id: kokoro.id,
    title: "Kokoro-82M, int8",
    beside: "ONNX Runtime, phonemes of hibari-tts",
    oracle: "kokoro",
    file: join(kokoro.folder, network),
    least: 0.999,
    voice: "af_heart",
    sentences: FEW,
  });
}

/** Adds the rows of what is heard. */
export async function proveTranscription(proof: Proof): Promise<void> {
  const beside = "its package moonshine-voice";
  const moonshine = {
    id: "transcription-moonshine-tiny",
    title: "Moonshine Tiny",
    oracle: "moonshine",
    beside,
  } as const;
  await compareTexts(proof, moonshine);
  const whisper = [...proof.installed.values()].find(({ id }) => id.includes("whisper"));
  if (whisper === undefined) return;
  const other = { oracle: "faster_whisper", beside: "faster-whisper, the likeliest tokens" } as const;
  await compareTexts(proof, { id: whisper.id, title: "Whisper base", ...other });
}

/** A voice and the program beside it. */
interface VoiceCase {
  readonly id: string;
  readonly title: string;
  readonly beside: string;
  readonly oracle: OracleName;
  readonly file?: string;
  readonly voice?: string;
  readonly sentences?: number;
  /** Bound of the correlation. */
  readonly least: number;
}

async function compareSound({ models, installed, python, add }: Proof, one: VoiceCase): Promise<void> {
  const { id, voice, oracle } = one;
  if (!installed.has(id)) return;
  const theirs = await openOracle(python, oracle, one.file);
  const rounds: { ours: number; theirs: number }[] = [];
  let [least, lengths, seconds] = [1, 0, 0];
  const sentences = SENTENCES.slice(0, one.sentences);
  for (const input of sentences) {
    const body = { model: id, input, response_format: "pcm", ...voice && { voice } } as const;
    for (let round = 0; round <= ROUNDS; round++) {
      const [{ bytes }, ours] = await timed(() => models.speak(body));
      const spoken = Float32Array.from(new Int16Array(bytes.buffer), (sample) => sample / 32_768);
      const other = await theirs.ask<{ samples: string; ms: number }>({ text: input, voice });
      if (round > 0) rounds.push({ ours, theirs: other.ms });
      else {
        const samples = samplesOf(other.samples);
        least = Math.min(least, correlation(spoken, samples));
        seconds += samples.length / 24_000;
        if (samples.length === spoken.length) lengths += 1;
      }
    }
  }
  await theirs.stop();
  add({
    model: one.title,
    beside: one.beside,
    found:
      `${sentences.length === 1 ? "a sentence" : `${sentences.length} sentences`}, ${
        seconds.toFixed(1)
      } s: correlation of the samples at least ` +
      `${least.toFixed(4)}, ${lengths === sentences.length ? "of the same length" : "not of the same length"}`,
    bound: `${one.least}, the same length`,
    ok: least >= one.least && lengths === sentences.length,
    speed: speedOf(rounds),
  });
}

/** Of two sounds, each of any loudness; of the part that both have. */
function correlation(a: Float32Array, b: Float32Array): number {
  let [product, left, right] = [0, 0, 0];
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    product += a[i] * b[i];
    left += a[i] ** 2;
    right += b[i] ** 2;
  }
  return product / Math.sqrt(left * right);
}

/** A recogniser and the program beside it. */
type RecogniserCase = Pick<VoiceCase, "id" | "title" | "beside" | "oracle">;

async function compareTexts(proof: Proof, { id, title, beside, oracle }: RecogniserCase): Promise<void> {
  const { models, installed, python, add } = proof;
  if (!installed.has(id)) return;
  const recordings = await moonshineFiles();
  if (!recordings.ok) throw new Error(recordings.reason);
  const theirs = await openOracle(python, oracle);
  const rounds: { ours: number; theirs: number }[] = [];
  const [said, heard, other]: string[][] = [[], [], []];
  for (const [name, text] of Object.entries(RECORDINGS)) {
    const path = join(recordings.folder, name);
    const file = new Uint8Array(await readFile(path));
    for (let round = 0; round <= ROUNDS; round++) {
      const [{ text }, ours] = await timed(() => models.transcribe({ model: id, file, language: "en" }));
      const answer = await theirs.ask<{ text: string; ms: number }>({ path });
      if (round > 0) rounds.push({ ours, theirs: answer.ms });
      else {
        heard.push(text);
        other.push(answer.text);
      }
    }
    said.push(text);
  }
  await theirs.stop();
  const rate = wordErrorRate(said.join(" "), heard.join(" "));
  const theirRate = wordErrorRate(said.join(" "), other.join(" "));
  const apart = wordErrorRate(other.join(" "), heard.join(" "));
  const row: ProofRow = {
    model: title,
    beside,
    found: `two recordings: word error rate ${brief(rate)}, beside it ${brief(theirRate)}; ${
      brief(apart)
    } of the words differ`,
    bound: "0.02 above the other's, at most 0.1",
    ok: rate <= theirRate + 0.02 && rate <= 0.1,
    speed: speedOf(rounds),
  };
  add(row);
}
