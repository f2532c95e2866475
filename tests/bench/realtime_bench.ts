/**
 * Voice: from the end of a spoken question to the first sound of its answer, with the models that are installed:
 * `SVC_HOME=DIR node --import tsx tests/bench/realtime_bench.ts`.
 *
 * @module
 */
import { WebSocket } from "ws";
import { startModelServer } from "../../lib/app/models/start_model_server.ts";
import { base64Pcm, joined, whiteNoise } from "../support/synthetic_voice.ts";
import { readLive } from "../../lib/media/audio/live_audio.ts";
import { median } from "./stopwatch.ts";
import { printMachine, printTable } from "./table.ts";

const QUESTION = "What is the capital of France?";
const INSTRUCTIONS = "Answer in one short sentence.";
const RATE = 24_000;
const TURNS = 6;

/** Samples of 20 ms, as a microphone sends them. */
const PART = RATE / 50;

const server = await startModelServer({ port: 0, device: "cpu", log: () => {} });
const asked = await fetch(`${server.url}/v1/audio/speech`, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ input: QUESTION, response_format: "pcm" }),
});
const spoken = readLive(new Uint8Array(await asked.arrayBuffer()), "s16");
// The voice has silence at its end: the sentence ends with its last sample above 1 % of full scale.
const end = spoken.findLastIndex((sample) => Math.abs(sample) > 0.01);
const quiet = (seconds: number) => whiteNoise(seconds, RATE, -65);
const sound = joined(quiet(0.5), spoken, quiet(6));

const socket = new WebSocket(`${server.url.replace("http", "ws")}/v1/realtime`);
const times = new Map<string, number>();
let onDone = (): void => {};
socket.on("message", (data) => {
  const { type } = JSON.parse(String(data)) as { readonly type: string };
  if (!times.has(type)) times.set(type, performance.now());
  if (type === "response.done") onDone();
});
await new Promise((resolve) => socket.once("open", resolve));
const session = { type: "realtime", instructions: INSTRUCTIONS, max_output_tokens: 60 };
socket.send(
  JSON.stringify({ type: "session.update", session: { ...session, audio: { input: { transcription: {} } } } }),
);

const columns = {
  "turn noticed": "input_audio_buffer.speech_stopped",
  "transcript": "conversation.item.input_audio_transcription.completed",
  "first sound": "response.output_audio.delta",
};
const seen: number[][] = [];
for (let turn = 0; turn < TURNS; turn++) {
  times.clear();
  let isDone = false;
  const done = new Promise<void>((resolve) => onDone = resolve).then(() => isDone = true);
  const began = performance.now();
  for (let at = 0; at < sound.length && !isDone; at += PART) {
    const due = began + (at + PART) / RATE * 1000;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
    const audio = base64Pcm(sound.subarray(at, at + PART));
    socket.send(JSON.stringify({ type: "input_audio_buffer.append", audio }));
  }
  await done;
  const ended = began + (0.5 * RATE + end) / RATE * 1000;
  seen.push(Object.values(columns).map((type) => ((times.get(type) ?? NaN) - ended) / 1000));
}
printMachine();
printTable([`seconds after "${QUESTION}"`, ...Object.keys(columns)], [
  ["first turn", ...seen[0].map((value) => value.toFixed(2))],
  ["median of the others", ...seen[0].map((_, i) => median(seen.slice(1).map((row) => row[i])).toFixed(2))],
  ["slowest of the others", ...seen[0].map((_, i) => Math.max(...seen.slice(1).map((row) => row[i])).toFixed(2))],
]);
socket.close();
await server.close();
