import assert from "node:assert/strict";
import { test } from "node:test";
import { handle, type OperationCall } from "../../../lib/engines/contract/operation.ts";
import {
  encoderMissing,
  speak,
  type SpeechEvent,
  type SpeechOrder,
} from "../../../lib/engines/speech/speech_operations.ts";
import type { SpeechOutcome } from "../../../lib/engines/contract/speech_model.ts";
import { invalidField } from "../../../lib/errors/svc_error.ts";
import { type ApiHarness, refusal, withApi } from "../../support/api_harness.ts";
import { installed, usualModels } from "../../support/fake_catalog.ts";
import { settle } from "../../support/fake_clock.ts";

const profile = { kind: "speech", engine: "onnx-hibari", voices: ["heart"], sampleRate: 24_000 } as const;
const voice = installed("voice", "audio.speech", profile);
const PATH = "/v1/audio/speech";

type Call = OperationCall<SpeechEvent>;
type Speak = (order: SpeechOrder, call: Call) => Promise<SpeechOutcome>;

const plan = { sampleRate: 24_000, voice: "heart", sentences: 2, warnings: [] as string[] };
const outcome = { ...plan, samples: 48_000, phonemes: 12 };
const bytes = (...numbers: number[]) => ({ kind: "audio", bytes: Uint8Array.from(numbers), fraction: 0.5 }) as const;

/** Two sentences of three bytes. */
const twoSentences: Speak = async (_order, call) => {
  await call.send({ kind: "plan", plan });
  await call.send(bytes(1, 2, 3));
  await call.send(bytes(4, 5, 6));
  return outcome;
};

function withVoice(speaks: Speak, work: (h: ApiHarness) => Promise<void>, more = {}): Promise<void> {
  return withApi({ models: [...usualModels(), voice], operations: handle(speak, speaks), ...more }, work);
}

const say = (h: ApiHarness, body: Record<string, unknown> = {}, init = {}) =>
  h.call("POST", PATH, { ...init, json: { input: "Hello.", ...body } });

const orderOf = (h: ApiHarness) => h.sidecars.get("voice")!.inputs.at(-1) as SpeechOrder;

// @row model-api > Speech request > `model`: an id, a path, or a name of OpenAI for the default
test("speech: a model is named by id, by path, by names of OpenAI or not at all", () => {
  const openLocalModel = (path: string) =>
    path === "./voice" ? Promise.resolve({ ...voice, id: "local", folder: "/voices/local" }) : Promise.reject();
  return withVoice(twoSentences, async (h) => {
    for (const model of [undefined, "voice", "tts-1", "TTS-1-HD", "gpt-4o-mini-tts", "", null]) {
      const response = await say(h, { model });
      assert.equal(response.status, 200, String(model));
      await response.body?.cancel();
    }
    await (await say(h, { model: "./voice" })).body?.cancel();
    assert.ok(h.sidecars.has("/voices/local"));
    await refusal(await say(h, { model: "embed" }), 400, "wrong_model_task");
    await refusal(await say(h, { model: "other" }), 404, "model_not_found");
  }, { openLocalModel });
});

test("speech: without a speech model the answer says how to get one", () =>
  withApi({}, async (h) => {
    const { message } = await refusal(await say(h, { model: "tts-1" }), 404, "model_not_found");
    assert.match(message, /svc model add hibari_tts/);
  }));

const refused: readonly (readonly [string, Record<string, unknown>, string])[] = [
  ["no input", { input: undefined }, "input"],
  ["an empty input", { input: " \n\t " }, "input"],
  ["an input that is not a string", { input: ["Hello."] }, "input"],
  ["more than 32 KiB", { input: "a".repeat(32 * 1024 + 1) }, "input"],
  ["more than 32 KiB with the instructions", { input: "ä".repeat(16_000), instructions: "b".repeat(1000) }, "input"],
  ["an invalid voice", { voice: { id: "x" } }, "voice"],
  ["a long voice", { voice: "v".repeat(4097) }, "voice"],
  ["instructions that are not a string", { instructions: 3 }, "instructions"],
  ["a low speed", { speed: 0.2499 }, "speed"],
  ["a high speed", { speed: 4.01 }, "speed"],
  ["a speed that is text", { speed: "1" }, "speed"],
  ["a high temperature", { temperature: 2.1 }, "temperature"],
  ["another format", { response_format: "ogg" }, "response_format"],
  ["another stream", { stream_format: "websocket" }, "stream_format"],
  ["another language", { lang: "fr" }, "lang"],
];

for (const [what, body, param] of refused) {
  // @row model-api > Speech request > `input`: required text => no input
  // @row model-api > Limits > speech input and instructions 32 KiB => more than 32 KiB
  test(`speech: ${what} is refused with the field`, () =>
    withVoice(twoSentences, async (h) => {
      const { error } = await (await say(h, body)).json();
      assert.deepEqual([error.type, error.param], ["invalid_request_error", param], JSON.stringify(error));
      assert.equal(h.starts.length, 0);
    }));
}

// @row model-api > Speech request > `speed` .25 to 4
test("speech: what is asked for reaches the engine, what is omitted has its default", () =>
  withVoice(twoSentences, async (h) => {
    await (await say(h, { input: "x".repeat(32 * 1024) })).body?.cancel();
    assert.deepEqual({ ...orderOf(h), text: "" }, {
      ...{ text: "", voice: undefined, instructions: undefined, speed: 1, format: "wav" },
    });
    const asked = { voice: "sage", instructions: "slowly", response_format: "pcm" };
    for (const speed of [0.25, 4]) {
      const response = await say(h, { ...asked, speed });
      assert.equal(response.headers.get("content-type"), "audio/pcm");
      await response.body?.cancel();
      assert.deepEqual(orderOf(h), { text: "Hello.", voice: "sage", instructions: "slowly", speed, format: "pcm" });
    }
  }));

// @row model-api > Speech request > `temperature`: no effect, named
// @row model-api > Speech request > `user`: no effect
test("speech: what is ignored or left out is named in ASCII, in headers that clients take", () => {
  const warnings = ['letters of "漢字" are left out', "x".repeat(5000), ...Array(50).fill("y".repeat(400))];
  return withVoice(async (_order, call) => {
    await call.send({ kind: "plan", plan: { ...plan, warnings } });
    await call.send(bytes(1));
    return outcome;
  }, async (h) => {
    const response = await say(h, { temperature: 0.6, quality: "high", user: "me" });
    const warning = response.headers.get("x-svc-warning")!;
    assert.match(warning, /^Ignored the unknown field "quality", temperature has no effect/);
    assert.match(warning, /letters of "\\u6f22\\u5b57" are left out, x{400,497}\.\.\., y/);
    assert.ok(warning.length < 8000, `${warning.length}`);
    await response.body?.cancel();
  });
});

// @row model-api > Endpoints > POST `/v1/audio/speech`
// @row model-api > Speech request > Bodies come sentence by sentence
test("speech: bytes come while the rest is spoken", () => {
  let finish = (): void => {};
  const rest = new Promise<void>((resolve) => finish = resolve);
  return withVoice(async (_order, call) => {
    await call.send({ kind: "plan", plan });
    await call.send(bytes(1, 2, 3));
    await rest;
    await call.send(bytes(4, 5, 6));
    return outcome;
  }, async (h) => {
    const response = await say(h);
    assert.deepEqual([response.status, response.headers.get("content-type")], [200, "audio/wav"]);
    const reader = response.body!.getReader();
    assert.deepEqual((await reader.read()).value, Uint8Array.of(1, 2, 3));
    finish();
    assert.deepEqual((await reader.read()).value, Uint8Array.of(4, 5, 6));
    assert.equal((await reader.read()).done, true);
  });
});

// @row model-api > Speech request > `stream_format` sse: `speech.audio.delta`, `speech.audio.done`
test("speech: events carry the bytes in base64, and end with the usage", () =>
  withVoice(async (_order, call) => {
    await call.send({ kind: "plan", plan });
    await call.send({ kind: "audio", bytes: new Uint8Array(100_000).fill(255), fraction: 0.25 });
    await call.send(bytes(4, 5));
    return outcome;
  }, async (h) => {
    const response = await say(h, { stream_format: "sse" });
    assert.equal(response.headers.get("content-type"), "text/event-stream");
    const frames = (await response.text()).split("\n\n").filter((frame) => frame !== "");
    const events = frames.map((frame) => JSON.parse(frame.split("\ndata: ")[1]));
    assert.deepEqual(frames.map((frame) => frame.split("\n")[0]), [
      "event: speech.audio.delta",
      "event: speech.audio.delta",
      "event: speech.audio.done",
    ]);
    const [first, second, done] = events;
    assert.deepEqual(Uint8Array.from(atob(first.audio), (c) => c.charCodeAt(0)), new Uint8Array(100_000).fill(255));
    assert.deepEqual([second.audio, first.svc_progress, second.svc_progress], ["BAU=", 0.25, 0.5]);
    assert.deepEqual(done, {
      type: "speech.audio.done",
      usage: { input_tokens: 12, output_tokens: 160, total_tokens: 172 },
    });
  }));

test("speech: a failure before the first sound has its own status, one after it ends the answer", () =>
  withVoice(async ({ text }, call) => {
    if (text === "?") throw invalidField("input", "Cannot speak the input: there is nothing to say");
    await call.send({ kind: "plan", plan });
    await call.send(bytes(1, 2, 3));
    throw new Error("the network is gone");
  }, async (h) => {
    await refusal(await say(h, { input: "?" }), 400, "invalid_input");
    await refusal(await say(h, { input: "?", stream_format: "sse" }), 400, "invalid_input");
    const response = await say(h);
    assert.equal(response.status, 200);
    await assert.rejects(response.arrayBuffer());
    const events = await (await say(h, { stream_format: "sse" })).text();
    const last = events.split("\n\n").at(-2)!;
    assert.match(last, /^data: {"error":{"message":"[^"]+","type":"server_error","code":"internal_error"}}$/);
    assert.ok(!events.includes("network is gone"));
    assert.equal(h.errors.length, 2);
  }));

// @row model-api > Speech request > A client that disconnects frees its slot within a sentence
test("speech: a client that disconnects cancels what is spoken, whatever it was sent", async () => {
  for (const events of [false, true]) {
    let aborted: AbortSignal | undefined;
    await withVoice(async (_order, call) => {
      aborted = call.signal;
      await call.send({ kind: "plan", plan });
      for (;;) {
        await settle();
        await call.send(bytes(1));
      }
    }, async (h) => {
      const response = await say(h, events ? { stream_format: "sse" } : {});
      await response.body!.cancel();
      while (h.api.totals().size === 0 && (await h.api.status()).activeRequests > 0) await settle();
      assert.equal(aborted?.aborted, true);
      assert.equal((await h.api.status()).admission.totalCancelledRequests, 1);
    });
  }
});

// @row model-api > Speech request > A slow client holds no slot
test("speech: a client that does not read holds no slot", () =>
  withVoice(async (_order, call) => {
    await call.send({ kind: "plan", plan });
    for (let i = 0; i < 40; i++) {
      await call.send({ kind: "audio", bytes: new Uint8Array(2 ** 20).fill(i), fraction: 0.5 });
    }
    return outcome;
  }, async (h) => {
    const slow = await say(h);
    await (await say(h)).body?.cancel(); // is answered only when the first one is spoken
    while ((await h.api.status()).activeRequests > 0) {
      await settle();
    }
    const heard = new Uint8Array(await slow.arrayBuffer());
    assert.equal(heard.length, 40 * 2 ** 20);
    assert.ok(heard.every((byte, i) => byte === Math.floor(i / 2 ** 20)));
  }));

test("speech: an idle stream of events is kept open by comments", () => {
  let finish = (): void => {};
  const gate = new Promise<void>((resolve) => finish = resolve);
  return withVoice(async (order, call) => {
    await gate;
    return await twoSentences(order, call);
  }, async (h) => {
    const answer = say(h, { stream_format: "sse" });
    await settle();
    await h.clock.advance(15);
    const response = await answer;
    assert.equal(response.status, 200);
    finish();
    assert.match(await response.text(), /^: keepalive\n\nevent: speech\.audio\.delta/);
  });
});

// @row model-api > Speech request > A missing encoder is refused with what to install
test("speech: a format without an encoder is 400 with what to install", () =>
  withVoice(() => {
    const remedy = 'run "npm install @mediabunny/mp3-encoder", put ffmpeg on PATH, or ask for wav';
    throw encoderMissing({ reason: "Cannot encode mp3: no encoder works", remedy });
  }, async (h) => {
    const error = await refusal(await say(h, { response_format: "mp3" }), 400, "audio_encoder_missing");
    assert.equal(error.param, "response_format");
    assert.match(error.message, /npm install @mediabunny\/mp3-encoder/);
  }));
