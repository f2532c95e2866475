/**
 * Transcription: real-time factor of Moonshine Tiny, beside its own Python package in the same run.
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { openModelFolder } from "../../lib/store/model_folder.ts";
import { openOnnxMoonshineModel } from "../../lib/engines/transcription/moonshine/open_onnx_moonshine_model.ts";
import { SPEECH_RATE, type TranscriptionModel } from "../../lib/engines/contract/transcription_model.ts";
import { transcriptText } from "../../lib/protocol/transcription/transcript.ts";
import { decodeAudio } from "../../lib/media/audio/decode_audio.ts";
import { openFileReader } from "../../lib/platform/files/read_part.ts";
import { moonshineFiles } from "../support/moonshine_files.ts";
import { median } from "./stopwatch.ts";
import { printTable } from "./table.ts";

const FILES = ["encoder_model.ort", "decoder_model_merged.ort", "tokenizer.bin"];
const RECORDINGS = { "beckett.wav": 10, "two_cities.wav": 44 } as const;
const ROUNDS = 3;

/** Milliseconds and the text. */
type Heard = readonly [milliseconds: number, text: string];
type Listener = (path: string) => Promise<Heard>;

/** Prints the table; the column of the package is empty where `python` has no `moonshine-voice`. */
export async function transcriptionBench(python: string): Promise<void> {
  const found = await moonshineFiles();
  if (!found.ok) return console.log(`Transcription is not measured: ${found.reason}\n`);
  const { folder } = found;
  const model = await openOnnxMoonshineModel(openModelFolder(folder, FILES), {});
  const theirs = await openPackage(python);
  if (theirs === undefined) {
    console.error(`${python} has no moonshine-voice: pip install moonshine-voice==0.0.59, or set SVC_PYTHON`);
  }
  const listeners: Record<string, Listener | undefined> = {
    "svc engine": (path) => hearHere(model, path),
    "moonshine-voice (Python)": theirs?.hear,
  };
  const names = Object.keys(listeners);
  const rows: string[][] = [];
  const texts: string[] = [];
  for (const [name, seconds] of Object.entries(RECORDINGS)) {
    const times = new Map(names.map((one) => [one, [] as number[]]));
    for (let round = 0; round <= ROUNDS; round++) {
      // In turns, so that all see the same machine; the first round only warms up.
      for (const one of names) {
        const heard = await listeners[one]?.(join(folder, name));
        if (heard === undefined) continue;
        if (round === 0) texts.push(`${one}, ${name}: ${heard[1].slice(0, 100)}`);
        else times.get(one)!.push(heard[0]);
      }
    }
    const factor = (one: string): string => {
      const all = times.get(one)!;
      return all.length === 0 ? "-" : (median(all) / 1000 / seconds).toFixed(3);
    };
    rows.push([`real-time factor of ${name}, ${seconds} s (aim: not above the package's)`, ...names.map(factor)]);
  }
  await model.close();
  theirs?.end();
  printTable(["Moonshine Tiny", ...names], rows);
  for (const text of texts) console.log(`  ${text}`);
}

async function hearHere(model: TranscriptionModel, path: string): Promise<Heard> {
  const started = performance.now();
  const file = await openFileReader(path);
  try {
    const { samples } = await decodeAudio(file, { sampleRate: SPEECH_RATE });
    const request = { samples, task: "transcribe", words: false, maxTokens: 448 } as const;
    const nothing = { onSegment: () => {}, onProgress: () => {} };
    const { segments } = await model.transcribe(request, new AbortController().signal, nothing);
    return [performance.now() - started, transcriptText(segments)];
  } finally {
    await file.close();
  }
}

/** The package in a process of its own; undefined where it is not installed. */
async function openPackage(python: string): Promise<{ hear: Listener; end: () => void } | undefined> {
  const script = fileURLToPath(new URL("moonshine_package.py", import.meta.url));
  const child: ChildProcess = spawn(python, [script], { stdio: ["pipe", "pipe", "ignore"], env: process.env });
  const lines = createInterface({ input: child.stdout! });
  const next = async (): Promise<string | undefined> =>
    await Promise.race([
      once(lines, "line").then(([line]) => line as string),
      once(lines, "close").then(() => undefined),
    ]);
  lines.setMaxListeners(0);
  child.on("error", () => lines.close());
  if (await next() !== "ready") return undefined;
  return {
    hear: async (path) => {
      child.stdin!.write(`${JSON.stringify(path)}\n`);
      return JSON.parse(await next() ?? '[0,""]') as Heard;
    },
    end: () => child.kill(),
  };
}
