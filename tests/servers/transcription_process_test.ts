import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, before, test } from "node:test";
import { type ApiProcess, openApiProcess, startApiProcess } from "../support/api_process.ts";
import { end } from "../support/server_process.ts";

const sounds = new URL("../fixtures/sounds/", import.meta.url);
const PATH = "/v1/audio/transcriptions";

let server: ApiProcess;
let temporary: string;

before(async () => {
  temporary = mkdtempSync(join(tmpdir(), "svc-test-"));
  const env = { TMPDIR: temporary };
  const models = ["tiny-chat", "tiny-tdt", "tiny-transcription"] as const;
  server = await openApiProcess({ models, args: ["--max-active-requests=2"], env });
});

after(async () => {
  await server.close();
  rmSync(temporary, { recursive: true, force: true });
});

async function ask(file: File, fields: Record<string, string> = {}): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append("file", file);
  return await fetch(server.url + PATH, { method: "POST", body: form });
}

async function sound(name: string): Promise<File> {
  return new File([new Uint8Array(await readFile(new URL(name, sounds)))], name);
}

/** A WAV file of babble: one channel of 16 bits at 8 kHz. */
function babble(seconds: number): File {
  const samples = new Int16Array(seconds * 8000);
  const noise = hiss();
  for (let i = 0; i < samples.length; i++) samples[i] = noise() * 20_000 * Math.sin(i / 1250) ** 2;
  return wav(8000, samples);
}

/** An hour with two seconds of babble a minute: 8 bits at 16 kHz, the rate of the model, so that decoding is cheap. */
function hour(): File {
  const samples = new Uint8Array(3600 * 16_000).fill(128);
  const noise = hiss();
  for (let minute = 0; minute < 60; minute++) {
    for (let i = 0; i < 32_000; i++) samples[minute * 960_000 + i] += noise() * 80 * Math.sin(i / 2500) ** 2;
  }
  return wav(16_000, samples);
}

function hiss(): () => number {
  let state = 1;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647 - 0.5;
}

/** One channel of samples after the header of a WAV file. */
function wav(rate: number, samples: Int16Array<ArrayBuffer> | Uint8Array<ArrayBuffer>): File {
  const { byteLength, BYTES_PER_ELEMENT: width } = samples;
  const head = new DataView(new ArrayBuffer(44));
  for (const [at, word] of [[0, "RIFF"], [8, "WAVE"], [12, "fmt "], [36, "data"]] as const) {
    for (let i = 0; i < 4; i++) head.setUint8(at + i, word.charCodeAt(i));
  }
  for (const [at, value] of [[4, 36 + byteLength], [16, 16], [24, rate], [28, rate * width], [40, byteLength]]) {
    head.setUint32(at, value, true);
  }
  for (const [at, value] of [[20, 1], [22, 1], [32, width], [34, 8 * width]]) head.setUint16(at, value, true);
  return new File([head.buffer, samples], "babble.wav", { type: "audio/wav" });
}

/** Folders of requests that are there now. */
function uploads(): string[] {
  return readdirSync(temporary).filter((name) => name.startsWith("svc-work-"))
    .flatMap((name) => readdirSync(join(temporary, name)));
}

async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const begin = performance.now(); !await isSo();) {
    assert.ok(performance.now() - begin < 20_000, `${what} within 20 s`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

// @row model-api > Transcription request > `file`: wav, mp3, ogg, flac, webm and m4a on a real server
test("a real server transcribes sound files of every kind, and leaves none behind", async () => {
  const names = ["id3.mp3", "mono.opus", "vorbis.ogg", "stereo.flac", "opus.webm", "opus.m4a", "aac.m4a", "pcm.mov"];
  for (const file of [babble(3), ...await Promise.all(names.map(sound))]) {
    const response = await ask(file, { model: "tiny-transcription", response_format: "verbose_json" });
    const answer = await response.json();
    assert.equal(response.status, 200, `${file.name}: ${JSON.stringify(answer)}`);
    const { duration, language, segments } = answer;
    assert.ok(duration > 0.1 && duration < 3.1, `${file.name} lasts ${duration} s`);
    assert.equal(typeof language, "string");
    assert.ok(Array.isArray(segments), file.name);
  }
  assert.deepEqual(uploads(), []);
});

test("a real server distinguishes damaged sounds from other files", async () => {
  const whole = new Uint8Array(await readFile(new URL("stereo.flac", sounds)));
  const cases: [File, string][] = [
    [new File([whole.subarray(0, 60)], "cut.flac"), "audio_damaged"],
    [new File(["{}"], "json.wav", { type: "audio/wav" }), "audio_unsupported"],
    [await sound("silent_video.mp4"), "audio_unsupported"],
  ];
  for (const [file, code] of cases) {
    const response = await ask(file, { model: "tiny-tdt" });
    const { error } = await response.json();
    assert.deepEqual([response.status, error.code, error.param], [400, code, "file"], `${file.name}: ${error.message}`);
  }
  assert.equal((await ask(babble(1), { model: "tiny-tdt" })).status, 200);
});

test("two recordings at a time are kept apart, and the same recording gives the same text", async () => {
  const files = [babble(5), babble(9), babble(5)];
  const answers = await Promise.all(files.map(async (file) => {
    const response = await ask(file, { model: "tiny-tdt", response_format: "verbose_json" });
    return await response.json();
  }));
  assert.deepEqual(answers.map(({ duration }) => duration), [5, 9, 5]);
  assert.deepEqual(answers[0], answers[2]);
  assert.notDeepEqual(answers[0].text, answers[1].text);
});

test("a client that disconnects frees its slot, and its progress was in the status", async () => {
  const abort = new AbortController();
  const form = new FormData();
  form.append("file", babble(1200));
  form.append("model", "tiny-transcription");
  const left = fetch(server.url + PATH, { method: "POST", body: form, signal: abort.signal }).catch(() => "left");
  await until("it shows its progress", async () => {
    const { admission } = await server.get("/runtime/status");
    return (admission.activeRequestDetails ?? []).some((one: { progress?: { stage: string } }) =>
      / of 1200 s$/.test(one.progress?.stage ?? "")
    );
  });
  assert.equal(uploads().length, 1);
  abort.abort();
  assert.equal(await left, "left");
  await until("its slot and files are free", async () => {
    const { admission } = await server.get("/runtime/status");
    return admission.activeRequests === 0 && uploads().length === 0;
  });
  assert.equal((await ask(babble(1), { model: "tiny-transcription" })).status, 200);
});

// @row model-api > Transcription request > Uploads of at most 100 MiB; unknown and repeated parts are refused
test("a recording of more than 100 MiB is refused by its declared length at once", async () => {
  const answer = await new Promise<[number | undefined, string]>((resolve, reject) => {
    const headers = { "content-type": "multipart/form-data; boundary=b", "content-length": String(101 * 2 ** 20) };
    const call = request(server.url + PATH, { method: "POST", headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part) => text += part).on("end", () => {
        resolve([response.statusCode, text]);
        call.destroy();
      });
    });
    call.on("error", reject);
    call.write("--b\r\n");
  });
  assert.equal(answer[0], 413);
  assert.match(answer[1], /larger than the limit of 104857600 bytes/);
});

/** A number of a process; 0 when it has ended. */
function statusOf(id: string | number, name: string): number {
  try {
    return Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(readFileSync(`/proc/${id}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** A process and its children. */
function family(id: number): number[] {
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map(Number);
  return [id, ...all.filter((one) => statusOf(one, "PPid") === id)];
}

const noMemory = process.platform !== "linux"
  ? "the memory of a process is read from /proc"
  : "Deno" in globalThis
  ? false
  : "an hour takes seconds, and runs on Deno";

test("an hour of sound is not held in memory", { skip: noMemory }, async () => {
  // Of the server and of its engines, whichever has taken most.
  const peak = (): number => Math.max(...family(server.child.pid!).map((id) => statusOf(id, "VmHWM") * 1024));
  await ask(babble(30), { model: "tiny-tdt" });
  const before = peak();
  const response = await ask(hour(), { model: "tiny-tdt", response_format: "verbose_json" });
  const { duration } = await response.json();
  assert.equal(duration, 3600);
  // As samples of the model it would be 230 MB.
  const grown = peak() - before;
  assert.ok(grown < 215e6, `it has taken ${Math.round(grown / 1e6)} MB more`);
});

test("uploads that a killed server left are gone when the next one has started", async () => {
  const form = new FormData();
  form.append("file", babble(1200));
  form.append("model", "tiny-transcription");
  const answer = fetch(server.url + PATH, { method: "POST", body: form }).then(() => "answered", () => "cut off");
  await until("it is being transcribed", async () => {
    const { admission } = await server.get("/runtime/status");
    return admission.activeRequests === 1 && uploads().length === 1;
  });
  end(server, "SIGKILL");
  await server.exit;
  assert.equal(await answer, "cut off");
  assert.equal(uploads().length, 1, "a killed server has cleared up: this proves nothing");
  const next = startApiProcess(server.home, [], { TMPDIR: temporary });
  try {
    await next.line;
    assert.deepEqual(uploads(), []);
  } finally {
    end(next, "SIGKILL");
    await next.exit;
  }
});
