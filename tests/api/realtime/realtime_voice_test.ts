import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { handle } from "../../../lib/engines/contract/operation.ts";
import { speak, type SpeechEvent, type SpeechOrder } from "../../../lib/engines/speech/speech_operations.ts";
import { transcribe, type TranscriptionOrder } from "../../../lib/engines/transcription/transcription_operations.ts";
import { pcm16 } from "../../../lib/media/audio/encoding/pcm_encoder.ts";
import { invalidField, SvcError } from "../../../lib/errors/svc_error.ts";
import type { RunOutput, RunPlan } from "../../../lib/api/service/run_recorder.ts";
import { SOCKET_LIMITS } from "../../../lib/platform/sockets/web_sockets.ts";
import { orAbort } from "../../../lib/scheduling/linked_signal.ts";
import { installed, usualModels } from "../../support/fake_catalog.ts";
import { type RealtimeHarness, type RealtimeTestClient, withRealtime } from "../../support/realtime_client.ts";
import { base64Pcm, joined, soundOf, syntheticVoice, whiteNoise } from "../../support/synthetic_voice.ts";
import { settle } from "../../support/fake_clock.ts";
import type { FakeAnswer } from "../../support/fake_chat_engine.ts";
import { deferred } from "../../support/world_harness.ts";

const RATE = 24_000;
const voice = installed("voice", "audio.speech", {
  kind: "speech",
  engine: "onnx-hibari",
  voices: ["heart"],
  sampleRate: RATE,
});
const recogniser = installed("ears", "audio.transcriptions", {
  kind: "transcription",
  engine: "onnx-moonshine",
  languages: ["en"],
  translates: false,
  words: false,
  prompts: false,
});

/** What the recogniser and the voice were asked for. */
interface Heard {
  readonly seconds: number[];
  readonly spoken: SpeechOrder[];
}

interface Setting extends Omit<Parameters<typeof withRealtime>[0], "operations"> {
  /** What the recogniser understands, one after the other; `Hello.` when omitted. */
  readonly texts?: readonly string[];
  /** Fails in place of hearing. */
  readonly deaf?: Error;
  /** Called before a sentence is spoken. */
  readonly onSpeak?: (order: SpeechOrder) => Promise<void> | void;
}

/** A server with a chat model, a recogniser and a voice: a tenth of a second of sound for each letter. */
function withVoice(
  { texts = [], deaf, onSpeak, ...options }: Setting,
  work: (harness: RealtimeHarness & { readonly heard: Heard }) => Promise<void>,
): Promise<void> {
  const heard: Heard = { seconds: [], spoken: [] };
  const operations = {
    ...handle(transcribe, async ({ path, task }: TranscriptionOrder, { send }) => {
      if (deaf) throw deaf;
      heard.seconds.push((readFileSync(path).length - 44) / 2 / RATE);
      const text = ` ${texts[heard.seconds.length - 1] ?? texts.at(-1) ?? "Hello."}`;
      const numbers = { tokens: [], seek: 0, temperature: 0, avgLogprob: 0, compressionRatio: 1, noSpeechProb: 0 };
      const segments = text.trim() === "" ? [] : [{ start: 0, end: 1, text, ...numbers }];
      for (const segment of segments) await send(segment);
      return { task, language: "en", duration: 1, segments };
    }),
    ...handle(speak, async (order: SpeechOrder, call) => {
      await orAbort(Promise.resolve(onSpeak?.(order)), call.signal);
      if (!/\w/.test(order.text)) throw invalidField("input", "Cannot speak the input: nothing");
      heard.spoken.push(order);
      const plan = { sampleRate: RATE, voice: "heart", sentences: 1, warnings: [] };
      const samples = order.text.trim().length * RATE / 10;
      const sound = soundOf(samples / RATE, RATE, (t) => 0.5 * Math.sin(2 * Math.PI * 440 * t));
      const send = call.send as (event: SpeechEvent) => Promise<void>;
      await send({ kind: "plan", plan });
      await send({ kind: "audio", bytes: pcm16(sound), fraction: 1 });
      return { ...plan, samples, phonemes: 1 };
    }),
  };
  const models = [...usualModels(), voice, recogniser];
  return withRealtime(
    { models, maxActiveRequests: 1, ...options, operations },
    (harness) => work({ ...harness, heard }),
  );
}

const quiet = (seconds: number) => whiteNoise(seconds, RATE, -75);

/** Sends sound as a microphone does, 20 ms at a time. */
function listen(client: RealtimeTestClient, sound: Float32Array): void {
  for (let at = 0; at < sound.length; at += 480) {
    client.send({ type: "input_audio_buffer.append", audio: base64Pcm(sound.subarray(at, at + 480)) });
  }
}

const sentence = joined(quiet(0.5), syntheticVoice(1.2, RATE), quiet(0.9));
const updated = async (client: RealtimeTestClient, session: Record<string, unknown>) => {
  client.send({ type: "session.update", session: { type: "realtime", ...session } });
  return (await client.next("session.updated")).session;
};
const transcriptionShown = { audio: { input: { transcription: {} } } };
const bytesOf = (base64: string) => Buffer.from(base64, "base64");

// @row dialects > Realtime > sound: turns, transcripts, speech sentence by sentence
test("a sentence is heard, written down and answered with speech", () =>
  withVoice({ texts: ["What is the time?"], answer: () => ({ pieces: ["It is ", "noon. Good", "bye."] }) }, async (
    { connect, heard, h },
  ) => {
    const client = connect();
    const { session } = await client.next("session.created");
    assert.deepEqual(session.output_modalities, ["audio"]);
    assert.equal(session.audio.output.voice, "heart");
    assert.equal(session.audio.input.turn_detection.type, "server_vad");
    await updated(client, transcriptionShown);
    listen(client, sentence);
    const started = await client.next("input_audio_buffer.speech_started");
    const events = await client.upTo("response.done");
    const of = (type: string) => events.filter((event) => event.type === type);
    const [stopped] = of("input_audio_buffer.speech_stopped");
    assert.equal(stopped.item_id, started.item_id);
    assert.ok(started.audio_start_ms < 600 && stopped.audio_end_ms > 1900, JSON.stringify([started, stopped]));
    const [completed] = of("conversation.item.input_audio_transcription.completed");
    assert.equal(completed.transcript, "What is the time?");
    assert.equal(completed.item_id, started.item_id);
    assert.equal(of("conversation.item.input_audio_transcription.delta")[0].delta, " What is the time?");
    assert.deepEqual(of("conversation.item.added")[0].item.content, [{ type: "input_audio", transcript: null }]);
    assert.deepEqual(of("response.output_audio_transcript.delta").map(({ delta }) => delta), [
      "It is noon. ",
      "Goodbye.",
    ]);
    assert.deepEqual(heard.spoken.map(({ text, voice }) => [text, voice]), [["It is noon. ", "heart"], [
      "Goodbye.",
      "heart",
    ]]);
    const sound = Buffer.concat(of("response.output_audio.delta").map(({ delta }) => bytesOf(delta)));
    assert.equal(sound.length, 2 * RATE * (11 + 8) / 10);
    const { response } = events.at(-1)!;
    assert.deepEqual(response.output[0].content, [{ type: "output_audio", transcript: "It is noon. Goodbye." }]);
    assert.equal(heard.seconds.length, 1, "the recogniser that began in the pause is not asked again");
    assert.ok(heard.seconds[0] > 1.2 && heard.seconds[0] < 2.2, String(heard.seconds));
    const { request } = h.chats.get("chat-a")!.calls[0];
    assert.deepEqual(request.messages.map(({ role, content }) => [role, content]), [["user", "What is the time?"]]);
  }));

// @row dialects > Realtime > speech of a chat that still holds its slot
test("the first sentence is spoken while the chat, which has the only slot, still runs", () => {
  const gate = deferred<void>();
  const answer = (): FakeAnswer => ({ pieces: ["One. ", "Two."], hold: { at: "end", until: gate.promise } });
  return withVoice({ answer }, async ({ connect }) => {
    const client = connect();
    client.socket.once("open", () => client.send({ type: "response.create", response: { instructions: "Count." } }));
    await client.next("response.output_audio.delta");
    gate.resolve();
    const { response } = await client.next("response.done");
    assert.equal(response.output[0].content[0].transcript, "One. Two.");
  });
});

// @row dialects > Realtime > interruption by a voice
test("a voice interrupts the answer, of which the model is said to have said what was spoken", () => {
  const gate = deferred<void>();
  const answers: FakeAnswer[] = [
    { pieces: ["One. ", "Two. ", "Three."], hold: { at: "end", until: gate.promise } },
    {},
  ];
  const onSpeak = ({ text }: SpeechOrder) => text.startsWith("Two") ? gate.promise : undefined;
  return withVoice({ answer: () => answers.shift() ?? {}, onSpeak }, async ({ connect, h }) => {
    const client = connect();
    await client.next("session.created");
    listen(client, sentence);
    const { item_id } = await client.next("response.output_audio.delta");
    listen(client, sentence);
    const { response } = await client.next("response.done");
    assert.equal(response.status, "cancelled");
    assert.deepEqual(response.status_details, { type: "cancelled", reason: "turn_detected" });
    assert.equal(response.output[0].status, "incomplete");
    assert.equal(response.output[0].content[0].transcript, "One. ");
    const second = await client.next("response.done");
    assert.equal(second.response.status, "completed");
    const { request } = h.chats.get("chat-a")!.calls[1];
    assert.deepEqual(request.messages.map(({ content }) => content), ["Hello.", "One. ", "Hello."]);
    client.send({ type: "conversation.item.truncate", item_id, content_index: 0, audio_end_ms: 100 });
    await client.next("conversation.item.truncated");
    client.send({ type: "conversation.item.retrieve", item_id });
    assert.equal((await client.next("conversation.item.retrieved")).item.content[0].transcript, "");
  });
});

// @row dialects > Realtime > `conversation.item.truncate` shortens what the model is said to have said
test("a spoken item is truncated to the words that were heard", () =>
  withVoice({ answer: () => ({ pieces: ["One two three four. ", "Five six."] }) }, async ({ connect, h }) => {
    const client = connect();
    await client.next("session.created");
    client.send({ type: "response.create" });
    const { response } = await client.next("response.done");
    const item_id = response.output[0].id;
    const truncate = (audio_end_ms: number, content_index = 0) =>
      client.send({ type: "conversation.item.truncate", item_id, content_index, audio_end_ms });
    truncate(60_000);
    assert.equal((await client.upTo("error").catch(() => client.events.slice(-1)))[0].error.param, "audio_end_ms");
    truncate(100, 1);
    await assert.rejects(client.next("conversation.item.truncated"), /content_index/);
    truncate(1000); // of 1.9 s for four words
    await client.next("conversation.item.truncated");
    client.send({ type: "response.create" });
    await client.next("response.done");
    const { messages } = h.chats.get("chat-a")!.calls[1].request;
    assert.deepEqual(messages.map(({ role, content }) => [role, content]), [["assistant", "One two "]]);
  }));

test("noise is no turn, and a turn in which nothing is said is not answered", () =>
  withVoice({ texts: [""] }, async ({ connect, h }) => {
    const client = connect();
    await client.next("session.created");
    await updated(client, transcriptionShown);
    listen(client, whiteNoise(3, RATE, -30));
    client.send({ type: "input_audio_buffer.clear" });
    const before = await client.upTo("input_audio_buffer.cleared");
    assert.deepEqual(before.map(({ type }) => type), ["input_audio_buffer.cleared"]);
    listen(client, sentence);
    const { transcript } = await client.next("conversation.item.input_audio_transcription.completed");
    assert.equal(transcript, "");
    client.send({ type: "response.cancel" });
    await assert.rejects(client.next("response.created"), /response_cancel_not_active/);
    assert.equal(h.chats.size, h.chats.get("chat-a") ? 1 : 0);
    assert.equal(h.chats.get("chat-a")?.calls.length ?? 0, 0);
  }));

// @row dialects > Realtime > `input_audio_buffer` commit and clear by the client, `input_audio` of items
test("without turn detection the client commits: too little is refused, sound is cleared, a response waits for the words", () =>
  withVoice({ texts: ["Now."] }, async ({ connect, h }) => {
    const client = connect();
    await client.next("session.created");
    const session = await updated(client, { audio: { input: { turn_detection: null } } });
    assert.equal(session.audio.input.turn_detection, null);
    const commit = () => client.send({ type: "input_audio_buffer.commit" });
    client.send({ type: "input_audio_buffer.append", audio: base64Pcm(quiet(0.09)) });
    commit();
    await assert.rejects(client.next("input_audio_buffer.committed"), /input_audio_buffer_commit_empty/);
    client.send({ type: "input_audio_buffer.clear" });
    await client.next("input_audio_buffer.cleared");
    client.send({ type: "input_audio_buffer.append", audio: base64Pcm(quiet(0.3)) });
    commit();
    client.send({ type: "response.create", response: { output_modalities: ["text"] } });
    const { item_id, previous_item_id } = await client.next("input_audio_buffer.committed");
    assert.equal(previous_item_id, null);
    const { response } = await client.next("response.done");
    assert.equal(response.output[0].content[0].text, "Hello there");
    assert.deepEqual(h.chats.get("chat-a")!.calls[0].request.messages.map(({ content }) => content), ["Now."]);
    client.send({ type: "conversation.item.retrieve", item_id });
    const { item } = await client.next("conversation.item.retrieved");
    assert.deepEqual(item.content, [{ type: "input_audio", transcript: "Now." }]);
  }));

// @row dialects > Realtime > `input_audio_buffer` commit and clear by the client, `input_audio` of items
test("an item with sound is written down", () =>
  withVoice({ texts: ["From a file."] }, async ({ connect, heard, h }) => {
    const client = connect();
    await client.next("session.created");
    const audio = base64Pcm(quiet(0.5));
    client.send({
      type: "conversation.item.create",
      item: { type: "message", role: "user", content: [{ type: "input_audio", audio }] },
    });
    client.send({ type: "response.create" });
    await client.next("response.done");
    assert.deepEqual(heard.seconds, [0.5]);
    assert.deepEqual(h.chats.get("chat-a")!.calls[0].request.messages.map(({ content }) => content), ["From a file."]);
  }));

test("a recogniser that fails is reported, and the session continues", () =>
  withVoice({ deaf: new SvcError("engine_crashed", "Cannot hear: it has crashed") }, async ({ connect }) => {
    const client = connect();
    await client.next("session.created");
    listen(client, sentence);
    const failed = await client.next("conversation.item.input_audio_transcription.failed");
    assert.equal(failed.error.code, "engine_crashed");
    await assert.rejects(client.next("response.created"), /engine_crashed/);
    client.send({
      type: "response.create",
      response: { conversation: "none", output_modalities: ["text"], input: [] },
    });
    assert.equal((await client.next("response.done")).response.status, "completed");
  }));

// @row dialects > Realtime > what is recorded and counted of a turn
test("a turn is in the records of transcriptions, and the session in the metrics", () => {
  const states: string[] = [];
  const transcription = {
    begin: ({ inputs: [{ name }] }: RunPlan) =>
      Promise.resolve({
        succeed: async (outputs: readonly RunOutput[]) =>
          void await states.push(name, ...outputs.map(({ name }) => name)),
        end: async (state: string) => void await states.push(state),
      }),
  };
  return withVoice({ records: { transcription, image: undefined } }, async ({ connect, h }) => {
    const client = connect();
    await client.next("session.created");
    await updated(client, transcriptionShown);
    listen(client, sentence);
    await client.next("conversation.item.input_audio_transcription.completed");
    await client.next("response.done");
    assert.deepEqual(states, ["audio", "result.json", "transcript.txt"]);
    const metrics = await (await h.call("GET", "/metrics")).text();
    assert.match(metrics, /^svc_realtime_sessions 1$/m);
    assert.match(metrics, /^svc_realtime_sessions_total 1$/m);
    assert.match(metrics, /^svc_http_requests_total{method="GET",route="\/v1\/realtime",status="101"} 1$/m);
  });
});

// @row dialects > Realtime > huge, binary and malformed messages, floods, slow and half-open clients
test("sound is made no faster than its client takes it, and one that takes nothing is disconnected", () => {
  const spokenAtMost = 12;
  const answer = () => ({ pieces: Array.from({ length: spokenAtMost }, () => `${"word ".repeat(60)}end. `) });
  const sockets = { ...SOCKET_LIMITS, goodbye: 60_000 }; // that of the server stays until it is read
  return withVoice({ answer, maxActiveRequests: 4, sockets }, async ({ connect, h, heard }) => {
    const stops = async (client: RealtimeTestClient) => {
      await client.next("session.created");
      client.socket.pause();
      heard.spoken.length = 0;
      const timers = h.clock.pending;
      client.send({ type: "response.create" });
      while (h.clock.pending <= timers) await settle(); // the one that waits for the client
      assert.ok(heard.spoken.length < spokenAtMost, String(heard.spoken.length));
    };
    const slow = connect();
    await stops(slow);
    slow.socket.resume();
    let isDone = false;
    const done = slow.next("response.done").then((event) => {
      isDone = true;
      return event;
    });
    while (!isDone) await h.clock.advance(0.05);
    assert.equal((await done).response.status, "completed");
    assert.equal(heard.spoken.length, spokenAtMost);
    const stalled = connect();
    await stops(stalled);
    await h.clock.advance(31);
    stalled.socket.resume();
    assert.equal((await stalled.closed).code, 1013);
  });
});

// @row dialects > Realtime > G.711 in and out
test("telephone sound goes in and out at 8 kHz", () =>
  withVoice({ answer: () => ({ pieces: ["Yes."] }) }, async ({ connect, heard }) => {
    const client = connect();
    await client.next("session.created");
    for (const type of ["audio/pcmu", "audio/pcma"]) {
      const format = { type };
      const session = await updated(client, { audio: { input: { format, turn_detection: null }, output: { format } } });
      assert.deepEqual(session.audio.output.format, format);
      client.send({ type: "input_audio_buffer.append", audio: Buffer.alloc(8_000, 0xd5).toString("base64") });
      client.send({ type: "input_audio_buffer.commit" });
      client.send({ type: "response.create" });
      const events = await client.upTo("response.done");
      const deltas = events.filter((event) => event.type === "response.output_audio.delta");
      const sound = Buffer.concat(deltas.map(({ delta }) => bytesOf(delta)));
      assert.equal(sound.length, 8_000 * 4 / 10, type);
      assert.equal(heard.seconds.at(-1), 8_000 / RATE); // a second of a file of 8 kHz
    }
  }));

test("a picture is in the transcript without sound, and a voice that fails ends the response", () => {
  let fails = false;
  const onSpeak = () => {
    if (fails) throw new SvcError("engine_crashed", "Cannot speak: it has crashed");
  };
  return withVoice({ answer: () => ({ pieces: ["Fine. ", "🙂\n", "Bye."] }), onSpeak }, async ({ connect, heard }) => {
    const client = connect();
    await client.next("session.created");
    client.send({ type: "response.create" });
    const { response } = await client.next("response.done");
    assert.equal(response.output[0].content[0].transcript, "Fine. 🙂\nBye.");
    assert.deepEqual(heard.spoken.map(({ text }) => text), ["Fine. ", "Bye."]);
    fails = true;
    client.send({ type: "response.create" });
    const failed = (await client.next("response.done")).response;
    assert.equal(failed.status, "failed");
    assert.equal(failed.status_details.error.code, "engine_crashed");
  });
});

// @row dialects > Realtime > without a voice or a recogniser: how to install one
test("without a recogniser or a voice answers are texts, and what is asked for says how to get it", () =>
  withRealtime({}, async ({ connect }) => {
    const client = connect();
    const { session } = await client.next("session.created");
    assert.deepEqual([session.output_modalities, session.audio.input.turn_detection], [["text"], null]);
    client.send({ type: "input_audio_buffer.append", audio: base64Pcm(quiet(0.1)) });
    await assert.rejects(client.next("none"), /svc model pull speech-asr-whisper-base/);
    client.send({ type: "session.update", session: { type: "realtime", output_modalities: ["audio"] } });
    await assert.rejects(client.next("session.updated"), /svc model add hibari_tts.*session\.audio\.output\.model/);
    client.send({ type: "response.create", response: { output_modalities: ["audio"] } });
    await assert.rejects(client.next("response.created"), /svc model add hibari_tts/);
  }));

// @row dialects > Realtime > `idle_timeout_ms`
test("when nothing is said after an answer, the model speaks again if it is asked to", () =>
  withVoice({}, async ({ connect, h }) => {
    const client = connect();
    await client.next("session.created");
    await updated(client, { audio: { input: { turn_detection: { type: "server_vad", idle_timeout_ms: 5_000 } } } });
    client.send({ type: "response.create" });
    await client.next("response.done");
    await h.clock.advance(4);
    assert.equal(client.events.some(({ type }) => type === "input_audio_buffer.timeout_triggered"), false);
    await h.clock.advance(4);
    const { item_id } = await client.next("input_audio_buffer.timeout_triggered");
    assert.equal((await client.next("input_audio_buffer.committed")).item_id, item_id);
    await client.next("response.done");
  }));

test("what the recogniser cannot honour is refused when it is asked for", () =>
  withVoice({}, async ({ connect }) => {
    const client = connect();
    await client.next("session.created");
    for (
      const [field, value] of [["prompt", "names"], ["language", "de"], ["language", "no code"], ["model", "voice"]]
    ) {
      const audio = { input: { transcription: { [field]: value } } };
      client.send({ type: "session.update", session: { type: "realtime", audio } });
      const path = new RegExp(`session\\.audio\\.input\\.transcription\\.${field}`);
      await assert.rejects(client.next("session.updated"), path, `${field} ${value}`);
    }
  }));

// @row dialects > Realtime > `session.update`, `turn_detection` of both kinds
test("semantic turn detection is that of the server with a silence for its eagerness, and says so", () =>
  withVoice({}, async ({ connect }) => {
    const client = connect();
    await client.next("session.created");
    for (const [eagerness, silence] of [["low", 1000], ["auto", 600], ["high", 300]] as const) {
      const turn_detection = { type: "semantic_vad", eagerness, interrupt_response: false };
      const session = await updated(client, { audio: { input: { turn_detection } } });
      const found = session.audio.input.turn_detection;
      assert.deepEqual([found.type, found.silence_duration_ms, found.interrupt_response], [
        "server_vad",
        silence,
        false,
      ]);
    }
  }));
