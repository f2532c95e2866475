/**
 * Speech: real-time factor and time to the first sound, beside the voice's own Python package in the same run.
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { createInterface, type Interface } from "node:readline";
import { fileURLToPath } from "node:url";
import { openHibariModel } from "../../lib/engines/speech/onnx_hibari/open_hibari_model.ts";
import type { SpeechModel } from "../../lib/engines/contract/speech_model.ts";
import { SPEECH_FORMATS } from "../../lib/engines/speech/speech_operations.ts";
import { type ApiProcessOptions, openApiProcess } from "../support/api_process.ts";
import { type FoundModel, linkModels, realModel } from "../support/real_models.ts";
import { NO_VOICE, speechModelFiles } from "../support/speech_model_files.ts";
import { median } from "./stopwatch.ts";
import { printTable } from "./table.ts";

const SENTENCE = "The old man sat by the window and watched the snow.";
const SENTENCES = [
  SENTENCE,
  "We have to leave before the last train goes.",
  "The wind blew the hat off her head and into the lake.",
  "He speaks three languages but writes only one of them.",
  "Thank you very much for your help with the heavy boxes.",
  "The museum is closed on the first Monday of the month.",
];
const TEXT = SENTENCES.join(" ");
const TEXT_OF_THREE = SENTENCES.slice(0, 3).join(" ");
const ROUNDS = 9;
const ROUNDS_OF_FORMATS = 3;

/** Milliseconds to the first and the last sound, and seconds of sound. */
type Spoken = readonly [first: number, whole: number, seconds: number];
type Speaker = (text: string) => Promise<Spoken>;

/** Prints the tables; the column of the package is empty where `python` has no `hibari-tts`. */
export async function speechBench(python: string): Promise<void> {
  const files = await speechModelFiles();
  if (files === undefined) return console.log(`${NO_VOICE}\n`);
  const model = await openHibariModel(files, {});
  const server = await openApiProcess({ models: [], voice: files, args: ["--model=speech-hibari"] });
  const theirs = await openPackage(python);
  if (theirs === undefined) {
    console.error(`${python} has no hibari-tts: pip install hibari-tts==0.2.1, or set SVC_PYTHON`);
  }
  const speakers: Record<string, Speaker | undefined> = {
    "svc engine": (text) => speakHere(model, text),
    "svc server": (text) => askServer(server.post, text),
    "hibari-tts (Python)": theirs?.speak,
  };
  const seen = new Map(Object.keys(speakers).map((name) => [name, { long: [] as Spoken[], short: [] as Spoken[] }]));
  for (let round = 0; round <= ROUNDS; round++) {
    // In turns, so that all see the same machine; the first round only warms up.
    for (const [name, speak] of Object.entries(speakers)) {
      if (speak === undefined) continue;
      const [long, short] = [await speak(TEXT), await speak(SENTENCE)];
      if (round === 0) continue;
      seen.get(name)!.long.push(long);
      seen.get(name)!.short.push(short);
    }
  }
  await model.close();
  await server.close();
  theirs?.end();
  const names = [...seen.keys()];
  const row = (title: string, value: (one: { long: Spoken[]; short: Spoken[] }) => string): string[] => [
    title,
    ...names.map((name) => seen.get(name)!.long.length === 0 ? "-" : value(seen.get(name)!)),
  ];
  const middle = (all: Spoken[], at: 0 | 1) => median(all.map((one) => one[at]));
  printTable([`Hibari, ${middleSeconds(seen.get("svc engine")!.long)} s of speech`, ...names], [
    row(
      "real-time factor (aim: not above the package's)",
      ({ long }) => median(long.map(([, ms, s]) => ms / 1000 / s)).toFixed(3),
    ),
    row("first sound of six sentences, ms", ({ long }) => middle(long, 0).toFixed(0)),
    row("its first sentence alone, ms", ({ short }) => middle(short, 1).toFixed(0)),
    row("  later than alone (aim 30)", ({ long, short }) => (middle(long, 0) - middle(short, 1)).toFixed(0)),
  ]);
  const kokoro = await realModel("speech-tts-kokoro-82m");
  if (!kokoro.ok) console.error(kokoro.reason);
  await formatBench("Hibari", "speech-hibari", TEXT, { models: [], voice: files });
  if (kokoro.ok) await formatBench("Kokoro, int8", kokoro.id, TEXT_OF_THREE, { models: [], voice: files }, kokoro);
}

/** Prints what a client of each format waits for: the header of a file alone is not sound, and is not sent alone. */
async function formatBench(
  name: string,
  model: string,
  text: string,
  options: ApiProcessOptions,
  linked?: FoundModel,
): Promise<void> {
  const server = await openApiProcess({ ...options, args: [`--model=${linked ? "speech-hibari" : model}`] });
  if (linked) await linkModels(server.home, [linked]);
  const rows: string[][] = [];
  for (const format of SPEECH_FORMATS) {
    const [long, short]: [Spoken[], Spoken[]] = [[], []];
    for (let round = 0; round <= ROUNDS_OF_FORMATS; round++) {
      const heard = [await askServer(server.post, text, { model, response_format: format })];
      heard.push(await askServer(server.post, SENTENCE, { model, response_format: format }));
      if (round > 0) [long, short].forEach((all, i) => all.push(heard[i]));
    }
    rows.push([
      format,
      ...[long, short].flatMap((all) => [0, 1].map((at) => median(all.map((one) => one[at])).toFixed(0))),
    ]);
  }
  await server.close();
  printTable(
    [`${name} over HTTP, ms`, "first sound", "whole text", "first sound of a sentence", "whole sentence"],
    rows,
  );
}

function middleSeconds(all: Spoken[]): string {
  return median(all.map(([, , seconds]) => seconds)).toFixed(1);
}

async function speakHere(model: SpeechModel, text: string): Promise<Spoken> {
  const started = performance.now();
  let first = 0;
  const onSentence = () => void (first ||= performance.now() - started);
  const request = { text, voice: undefined, instructions: undefined, speed: 1 };
  const { signal } = new AbortController();
  const { samples, sampleRate } = await model.speak(request, { onPlan: () => {}, onSentence }, signal);
  return [first, performance.now() - started, samples / sampleRate];
}

async function askServer(
  post: (path: string, body: unknown) => Promise<Response>,
  input: string,
  asked: Readonly<Record<string, string>> = { response_format: "pcm" },
): Promise<Spoken> {
  const started = performance.now();
  const response = await post("/v1/audio/speech", { input, ...asked });
  let first = 0;
  let bytes = 0;
  for await (const part of response.body!) {
    first ||= performance.now() - started;
    bytes += part.length;
  }
  return [first, performance.now() - started, bytes / 48_000];
}

/** The package in a process of its own; undefined where it is not installed. */
async function openPackage(python: string): Promise<{ speak: Speaker; end: () => void } | undefined> {
  const script = fileURLToPath(new URL("hibari_package.py", import.meta.url));
  const child: ChildProcess = spawn(python, [script], { stdio: ["pipe", "pipe", "ignore"], env: process.env });
  const lines: Interface = createInterface({ input: child.stdout! });
  const next = async (): Promise<string | undefined> =>
    await Promise.race([
      once(lines, "line").then(([line]) => line as string),
      once(lines, "close").then(() => undefined),
    ]);
  lines.setMaxListeners(0);
  child.on("error", () => lines.close());
  if (await next() !== "ready") return undefined;
  return {
    speak: async (text) => {
      child.stdin!.write(`${JSON.stringify(text)}\n`);
      return JSON.parse(await next() ?? "[0,0,1]") as Spoken;
    },
    end: () => child.kill(),
  };
}
