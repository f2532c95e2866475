/**
 * Records speech and plays it, by the models of the server.
 *
 * @module
 */
import { post, send } from "./api.ts";
import type { MadeRequest } from "./snippets.ts";

/** Samples in a second that recognisers work with. */
const SAMPLE_RATE = 16_000;

/** Milliseconds of a part of a recording. */
const PART = 200;

/** Whether this page may record: over plain HTTP from another machine a browser has no microphone. */
export function canRecord(): boolean {
  return navigator.mediaDevices !== undefined && typeof MediaRecorder === "function";
}

/** A running recording. */
export interface Recording {
  /** Ends it; the sound as a WAV file. */
  stop(): Promise<Blob>;
}

/** Records from the microphone; resolves when the first sound has come. */
export async function record(): Promise<Recording> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true }).catch(() => {
    throw new Error("Cannot record: the browser gives no microphone, allow it for this page");
  });
  const recorder = new MediaRecorder(stream);
  const parts: Blob[] = [];
  const ended = new Promise((resolve) => recorder.addEventListener("stop", resolve, { once: true }));
  await new Promise<void>((resolve) => {
    recorder.addEventListener("dataavailable", ({ data }) => {
      parts.push(data);
      if (data.size > 0) resolve();
    });
    recorder.start(PART);
  });
  return {
    async stop() {
      recorder.stop();
      await ended;
      for (const track of stream.getTracks()) track.stop();
      return await toWav(new Blob(parts, { type: recorder.mimeType }));
    },
  };
}

/** Whatever the browser has recorded, as a WAV file of one channel. */
async function toWav(recorded: Blob): Promise<Blob> {
  const context = new OfflineAudioContext(1, 1, SAMPLE_RATE);
  // The context also resamples.
  const sound = await context.decodeAudioData(await recorded.arrayBuffer()).catch((cause) => {
    throw new Error("Cannot use the recording: the browser does not decode it, speak longer", { cause });
  });
  const samples = sound.getChannelData(0);
  return new Blob([wavFile(samples, SAMPLE_RATE)], { type: "audio/wav" });
}

/** A WAV file of 16 bits a sample. */
export function wavFile(samples: Float32Array, rate: number): ArrayBuffer {
  const view = new DataView(new ArrayBuffer(44 + 2 * samples.length));
  const text = (at: number, letters: string): void => {
    for (let i = 0; i < letters.length; i++) view.setUint8(at + i, letters.charCodeAt(i));
  };
  text(0, "RIFF");
  view.setUint32(4, 36 + 2 * samples.length, true);
  text(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, 2 * rate, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  text(36, "data");
  view.setUint32(40, 2 * samples.length, true);
  samples.forEach((value, i) => view.setInt16(44 + 2 * i, Math.max(-1, Math.min(1, value)) * 32767, true));
  return view.buffer;
}

/** Writes down a recording. */
export async function transcribe(sound: Blob, model: string, onMade: (made: MadeRequest) => void): Promise<string> {
  const path = "/v1/audio/transcriptions";
  onMade({ path, body: { model }, file: "speech.wav" });
  const form = new FormData();
  form.append("file", sound, "speech.wav");
  form.append("model", model);
  const response = await send(path, { method: "POST", body: form });
  return (await response.json() as { readonly text: string }).text;
}

const player = new Audio();

/** Speaks a text until its end, or until `signal` aborts. */
export async function speak(
  input: string,
  model: string,
  signal: AbortSignal,
  onMade: (made: MadeRequest) => void,
): Promise<void> {
  const path = "/v1/audio/speech";
  const body = { model, input, voice: "alloy", response_format: "wav" };
  onMade({ path, body });
  const sound = await (await post(path, body, signal)).blob();
  signal.throwIfAborted();
  URL.revokeObjectURL(player.src);
  player.src = URL.createObjectURL(sound);
  await new Promise<void>((resolve, reject) => {
    player.onended = () => resolve();
    player.onerror = () => reject(new Error("Cannot play the speech: the browser does not take the sound"));
    signal.addEventListener("abort", () => {
      player.pause();
      resolve();
    }, { once: true });
    player.play().catch(reject);
  });
}
