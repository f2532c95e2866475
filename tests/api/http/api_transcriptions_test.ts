import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import type { Transcript, TranscriptSegment } from "../../../lib/protocol/transcription/transcript.ts";
import { openRunRecords } from "../../../lib/app/run_records/run_record_folder.ts";
import { listRuns } from "../../../lib/app/run_records/list_runs.ts";
import { checkSound } from "../../../lib/app/models/open_model_api.ts";
import { handle, type OperationCall } from "../../../lib/engines/contract/operation.ts";
import type { TranscriptionModelProfile } from "../../../lib/engines/contract/transcription_model.ts";
import { transcribe, type TranscriptionOrder } from "../../../lib/engines/transcription/transcription_operations.ts";
import { SvcError } from "../../../lib/errors/svc_error.ts";
import { type ApiHarness, type ApiHarnessOptions, modelApi, refusal, withApi } from "../../support/api_harness.ts";
import { installed, usualModels } from "../../support/fake_catalog.ts";
import { withFolder } from "../../support/temporary_folder.ts";
import { deferred } from "../../support/world_harness.ts";

const PATH = "/v1/audio/transcriptions";

function profile(more: Partial<TranscriptionModelProfile> = {}): TranscriptionModelProfile {
  const able = { languages: ["en", "de"], translates: true, words: true, prompts: true };
  return { kind: "transcription", engine: "onnx-whisper", ...able, ...more };
}

const able = installed("whisper", "audio.transcriptions", profile());
const small = installed(
  "moonshine",
  "audio.transcriptions",
  profile({ engine: "onnx-moonshine", languages: ["en"], translates: false, words: false, prompts: false }),
);
const many = installed(
  "parakeet",
  "audio.transcriptions",
  profile({ engine: "onnx-parakeet", translates: false, prompts: false }),
);

function segment(start: number, end: number, text: string): TranscriptSegment {
  const rest = {
    tokens: [1, 2],
    seek: 0,
    temperature: 0,
    avgLogprob: -0.25,
    compressionRatio: 1.1,
    noSpeechProb: 0.01,
  };
  return { start, end, text, ...rest };
}

const segments = [segment(0, 1.5, " Hello there."), segment(1.5, 3, " How are you?")];

/** Sound of any content for a model. */
function heard({ task, language = "en", words }: TranscriptionOrder): Transcript {
  const transcript = { task, language, duration: 3.2, segments };
  return words ? { ...transcript, words: [{ word: "Hello", start: 0, end: 0.5 }] } : transcript;
}

type Listen = (order: TranscriptionOrder, call: OperationCall<TranscriptSegment>) => Promise<Transcript>;

const plainly: Listen = async (order, { send }) => {
  for (const one of segments) await send(one);
  return heard(order);
};

interface Setting extends Omit<ApiHarnessOptions, "operations"> {
  readonly listen?: Listen;
}

function withSpeech(setting: Setting, work: (h: ApiHarness) => Promise<void>): Promise<void> {
  const { listen = plainly, ...options } = setting;
  return withApi({ models: [...usualModels(), able], ...options, operations: handle(transcribe, listen) }, work);
}

/** A form with a sound; a list is given as several parts. */
function form(fields: Record<string, string | string[]> = {}, file: File | null = sound()): FormData {
  const made = new FormData();
  for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) made.append(name, one);
  if (file) made.append("file", file);
  return made;
}

const sound = () => new File(["RIFF\0\0\0\0WAVEfmt "], "talk.wav", { type: "audio/wav" });
const ask = (h: ApiHarness, fields: Record<string, string | string[]> = {}, signal?: AbortSignal) =>
  h.call("POST", PATH, { form: form(fields), ...signal && { signal } });

// @row model-api > Endpoints > POST `/v1/audio/transcriptions`
// @row model-api > Transcription request > `response_format`: json, text, verbose_json, srt, vtt
test("a recording is answered in each format", () =>
  withSpeech({}, async (h) => {
    const answer = async (format?: string) => {
      const response = await ask(h, format === undefined ? {} : { response_format: format });
      return [response.status, response.headers.get("content-type"), await response.text()];
    };
    const json = JSON.stringify({ text: "Hello there. How are you?", language: "en" });
    assert.deepEqual(await answer(), [200, "application/json", json]);
    assert.deepEqual(await answer("json"), [200, "application/json", json]);
    assert.deepEqual(await answer("text"), [200, "text/plain; charset=utf-8", "Hello there. How are you?"]);
    assert.deepEqual(await answer("srt"), [
      200,
      "application/x-subrip; charset=utf-8",
      "1\n00:00:00,000 --> 00:00:01,500\nHello there.\n\n2\n00:00:01,500 --> 00:00:03,000\nHow are you?\n\n",
    ]);
    const [, type, vtt] = await answer("vtt");
    assert.equal(type, "text/vtt; charset=utf-8");
    assert.match(String(vtt), /^WEBVTT\n\n00:00:00\.000 --> 00:00:01\.500\nHello there\.\n/);
    const verbose = JSON.parse(String((await answer("verbose_json"))[2]));
    const { segments: found, ...rest } = verbose;
    const usage = { type: "duration", seconds: 4 };
    assert.deepEqual(rest, {
      task: "transcribe",
      language: "english",
      duration: 3.2,
      text: JSON.parse(json).text,
      usage,
    });
    assert.deepEqual(found[1], {
      ...{ id: 1, seek: 0, start: 1.5, end: 3, text: " How are you?", tokens: [1, 2] },
      ...{ temperature: 0, avg_logprob: -0.25, compression_ratio: 1.1, no_speech_prob: 0.01 },
    });
  }));

// @row model-api > Transcription request > `timestamp_granularities[]`
test("the times of words come where they are asked for", () =>
  withSpeech({}, async (h) => {
    const both = await ask(h, { response_format: "verbose_json", "timestamp_granularities[]": ["word", "segment"] });
    const { words, segments } = await both.json();
    assert.deepEqual([words, segments.length], [[{ word: "Hello", start: 0, end: 0.5 }], 2]);
    const one = await (await ask(h, { response_format: "verbose_json", timestamp_granularities: "word" })).json();
    assert.deepEqual(["words" in one, "segments" in one], [true, false]);
    const refused = await refusal(
      await ask(h, { "timestamp_granularities[]": "word" }),
      400,
      "invalid_timestamp_granularities",
    );
    assert.match(refused.message, /goes with the response format verbose_json, not with json/);
  }));

// @row model-api > Transcription request > `language`, `prompt`, `temperature`, `max_tokens`: 1 to 4096, 448 by default
test("the model gets the fields as they are meant", () =>
  withSpeech({}, async (h) => {
    const orderOf = async (fields: Record<string, string>) => {
      const response = await ask(h, fields);
      assert.equal(response.status, 200, await response.text());
      const { path, ...order } = h.sidecars.get("whisper")!.inputs.at(-1) as TranscriptionOrder;
      assert.equal(existsSync(path), false);
      return order;
    };
    assert.deepEqual(await orderOf({}), { task: "transcribe", words: false, maxTokens: 448 });
    assert.deepEqual(
      await orderOf({ language: "German", prompt: " Ada ", temperature: "0.4", max_tokens: "4096", task: "translate" }),
      { task: "translate", language: "de", prompt: "Ada", temperature: 0.4, words: false, maxTokens: 4096 },
    );
    const plain = { language: "", prompt: "", temperature: "0", max_tokens: "", stream: "false", model: "" };
    assert.deepEqual(await orderOf({ ...plain, chunking_strategy: "auto" }), {
      task: "transcribe",
      words: false,
      maxTokens: 448,
    });
  }));

// @row model-api > Endpoints > POST `/v1/audio/translations`
test("a translation is the transcription with task translate, and takes no other", () =>
  withSpeech({}, async (h) => {
    const post = (fields: Record<string, string>) => h.call("POST", "/v1/audio/translations", { form: form(fields) });
    const answer = await post({ response_format: "verbose_json", language: "de" });
    assert.deepEqual([answer.status, (await answer.json()).task], [200, "translate"]);
    const { task, language } = h.sidecars.get("whisper")!.inputs.at(-1) as TranscriptionOrder;
    assert.deepEqual([task, language], ["translate", "de"]);
    assert.equal((await refusal(await post({ task: "transcribe" }), 400, "unknown_field")).param, "task");
  }));

// @row model-api > Transcription request > What a model cannot honour is refused by name
test("wrong fields are refused by name, before a model is loaded", () =>
  withSpeech({ models: [able, small], defaultModel: "" }, async (h) => {
    const wrong: [Record<string, string | string[]>, string, string][] = [
      [{ response_format: "xml" }, "invalid_response_format", "response_format"],
      [{ response_format: "diarized_json" }, "invalid_response_format", "response_format"],
      [{ task: "summarize" }, "invalid_task", "task"],
      [{ temperature: "1.5" }, "invalid_temperature", "temperature"],
      [{ temperature: "warm" }, "wrong_type", "temperature"],
      [{ max_tokens: "0" }, "invalid_max_tokens", "max_tokens"],
      [{ max_tokens: "4097" }, "invalid_max_tokens", "max_tokens"],
      [{ max_tokens: "1.5" }, "invalid_max_tokens", "max_tokens"],
      [{ stream: "yes" }, "wrong_type", "stream"],
      [{ stream: "true", response_format: "srt" }, "invalid_stream", "stream"],
      [{ language: "Klingon" }, "invalid_language", "language"],
      [{ language: "fr" }, "invalid_language", "language"],
      [{ prompt: "x".repeat(20_000) }, "invalid_prompt", "prompt"],
      [{ "include[]": "logprobs" }, "unsupported_parameter", "include[]"],
      [{ chunking_strategy: '{"type":"server_vad"}' }, "unsupported_parameter", "chunking_strategy"],
      [{ "chunking_strategy[type]": "server_vad" }, "unsupported_parameter", "chunking_strategy[type]"],
      [{ "known_speaker_names[]": ["a", "b"] }, "unsupported_parameter", "known_speaker_names[]"],
      [{ model: ["whisper", "whisper"] }, "duplicate_field", "model"],
      [{ languages: "en" }, "unknown_field", "languages"],
      [{ model: "moonshine", task: "translate" }, "unsupported_parameter", "task"],
      [{ model: "moonshine", prompt: "x" }, "unsupported_parameter", "prompt"],
      [{ model: "moonshine", temperature: "0.1" }, "unsupported_parameter", "temperature"],
      [
        { model: "moonshine", response_format: "verbose_json", "timestamp_granularities[]": "word" },
        "unsupported_parameter",
        "timestamp_granularities[]",
      ],
    ];
    for (const [fields, code, param] of wrong) {
      const error = await refusal(await ask(h, fields), 400, code);
      assert.equal(error.param, param, JSON.stringify(fields));
    }
    const missing = await refusal(
      await h.call("POST", PATH, { form: form({ model: "" }, null) }),
      400,
      "missing_field",
    );
    assert.equal(missing.param, "file");
    assert.deepEqual(h.starts, []);
  }));

// @row model-api > Transcription request > `file`: any sound file, else 400 that says what it is
test("a file that is not a sound file is refused as what it is, before a model is loaded", () =>
  withSpeech({ checkSound }, async (h) => {
    const files: [BlobPart, string, RegExp][] = [
      ["\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "audio/wav", /the file is of no known format|a PNG image/],
      ["%PDF-1.7", "application/pdf", /the file is a PDF document/],
      ["hello", "audio/mpeg", /the file is text, expected WAV/],
      ["\0".repeat(5000), "", /the file is nothing but zeros/],
    ];
    for (const [content, type, message] of files) {
      const file = new File([content], "talk.wav", { type });
      const error = await refusal(await h.call("POST", PATH, { form: form({}, file) }), 400, "audio_unsupported");
      assert.match(error.message, message);
      assert.equal(error.param, "file");
    }
    assert.deepEqual(h.starts, []);
  }));

// @row model-api > Transcription request > `model`: an id, a path, a name of OpenAI's or none for the default
// @row model-api > Transcription request > `task`: transcribe or translate, by a model that can
test("a model is chosen by its name, and for names of others by what it can do", () =>
  withSpeech({ models: [...usualModels(), small, many, able] }, async (h) => {
    const used = async (fields: Record<string, string>) => {
      const response = await ask(h, fields);
      assert.equal(response.status, 200, await response.text());
      return h.starts.at(-1)!.id;
    };
    for (const model of ["", "whisper-1", "gpt-4o-transcribe", "GPT-4o-mini-transcribe"]) {
      assert.equal(await used({ model }), "moonshine");
    }
    assert.equal(await used({ model: "whisper-1", task: "translate" }), "whisper");
    assert.equal(await used({ model: "parakeet" }), "parakeet");
    const warned = await ask(h, { model: "parakeet", language: "de" });
    assert.match(
      warned.headers.get("x-svc-warning") ?? "",
      /"language": the model parakeet finds the language by itself/,
    );
    await refusal(await ask(h, { model: "chat-a" }), 400, "wrong_model_task");
    const unknown = await refusal(await ask(h, { model: "speech-asr-parakeet" }), 404, "model_not_found");
    assert.match(unknown.message, /svc model pull/);
  }));

test("without a model that translates, a translation is refused", () =>
  withSpeech({ models: [small], defaultModel: "" }, async (h) => {
    const error = await refusal(await ask(h, { task: "translate" }), 400, "unsupported_parameter");
    assert.match(error.message, /expected transcribe, or a Whisper model of many languages/);
  }));

/** The events of a stream, parsed. */
async function eventsOf(response: Response) {
  assert.equal(response.headers.get("content-type"), "text/event-stream");
  const frames = (await response.text()).split("\n\n").filter((frame) => frame !== "");
  return frames.map((frame) => JSON.parse(frame.replace(/^(event: .*\n)?data: /, "")));
}

// @row model-api > Transcription request > `stream`: the events of OpenAI
test("a stream has the text in pieces, and then the whole", () =>
  withSpeech({}, async (h) => {
    const events = await eventsOf(await ask(h, { stream: "true", response_format: "text" }));
    const usage = { type: "duration", seconds: 4 };
    assert.deepEqual(events, [
      { type: "transcript.text.delta", delta: "Hello there." },
      { type: "transcript.text.delta", delta: " How are you?" },
      { type: "transcript.text.done", text: "Hello there. How are you?", usage },
    ]);
    for (const [i, name] of ["TranscriptDelta", "TranscriptDelta", "TranscriptDone"].entries()) {
      modelApi.assertMatches(`/components/schemas/${name}`, events[i], name);
    }
  }));

test("an error before the first text has its own status, a later one is an event", async () => {
  const failure = new SvcError("audio_damaged", "Cannot read the sound: it is cut off", { param: "file" });
  const when = deferred();
  const listen: Listen = async (order, { send }) => {
    if (order.language === "de") throw failure;
    await send(segments[0]);
    await when.promise;
    throw failure;
  };
  await withSpeech({ listen }, async (h) => {
    await refusal(await ask(h, { stream: "true", language: "de" }), 400, "audio_damaged");
    await refusal(await ask(h, { language: "de" }), 400, "audio_damaged");
    const response = await ask(h, { stream: "true" });
    when.resolve();
    const [delta, last] = await eventsOf(response);
    assert.equal(delta.delta, "Hello there.");
    assert.deepEqual(last.error, { ...failure.toObject() });
  });
});

// @row model-api > Transcription request > The upload is private and gone with its request
test("the recording is private while it is transcribed, and gone afterwards, also when its client disconnects", async () => {
  const started = deferred();
  let path = "";
  const listen: Listen = async (order, { signal }) => {
    path = order.path;
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.equal(statSync(dirname(path)).mode & 0o777, 0o700);
    if (order.language === undefined) return heard(order);
    started.resolve();
    return await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  };
  await withSpeech({ listen }, async (h) => {
    assert.equal((await ask(h)).status, 200);
    assert.equal(existsSync(dirname(path)), false);
    const abort = new AbortController();
    const answer = ask(h, { language: "en" }, abort.signal);
    await started.promise;
    assert.equal((await h.api.status()).activeRequests, 1);
    abort.abort(new Error("gone"));
    await refusal(await answer, 499, "client_disconnected");
    assert.equal(existsSync(dirname(path)), false);
    assert.equal((await h.api.status()).activeRequests, 0);
  });
});

// @row model-api > Service > Rule 4: `--transcription-run-records` keeps each operation whose plan has resolved
test("records keep the upload, the settings, the result and the text of resolved operations alone", () =>
  withFolder(async (folder) => {
    const root = join(folder, "records");
    mkdirSync(root);
    const records = await openRunRecords({ transcriptionRunRecords: root });
    const listen: Listen = (order) =>
      order.language === "de"
        ? Promise.reject(new SvcError("audio_damaged", "Cannot read the sound: it is cut off"))
        : Promise.resolve(heard(order));
    await withSpeech({ listen, records, apiKey: "secret-key-of-this-test" }, async (h) => {
      const headers = { authorization: "Bearer secret-key-of-this-test" };
      const send = (fields: Record<string, string>) => h.call("POST", PATH, { form: form(fields), headers });
      await refusal(await send({ model: "none" }), 404, "model_not_found");
      await refusal(await send({ task: "x" }), 400, "invalid_task");
      assert.deepEqual(readdirSync(root), []);
      assert.equal((await send({ model: "whisper-1", response_format: "srt", prompt: "Names: Ada" })).status, 200);
      await refusal(await send({ language: "de" }), 400, "audio_damaged");
    });
    const { entries } = await listRuns(root, { maxDepth: 1, limit: 10 });
    assert.deepEqual(entries.map(({ state }) => state).sort(), ["failed", "succeeded"]);
    const { path } = entries.find(({ state }) => state === "succeeded")!;
    const record = JSON.parse(readFileSync(join(path, "transcription-run.json"), "utf8"));
    assert.deepEqual(record.requested, { model: "whisper-1", response_format: "srt", prompt: "Names: Ada" });
    assert.deepEqual(record.effective, {
      ...{ model: "whisper", engine: "onnx-whisper", task: "transcribe", prompt: "Names: Ada", temperature: 0 },
      ...{ max_tokens: 448, format: "srt", granularities: ["segment"], stream: false },
    });
    assert.equal(readFileSync(join(path, "inputs", "audio.wav"), "latin1").slice(0, 4), "RIFF");
    assert.equal(readFileSync(join(path, "transcript.txt"), "utf8"), "Hello there. How are you?\n");
    assert.equal(JSON.parse(readFileSync(join(path, "result.json"), "utf8")).segments.length, 2);
    for (const { path } of entries) {
      const text = readFileSync(join(path, "transcription-run.json"), "utf8");
      assert.doesNotMatch(text, /secret-key|authorization|Bearer/i);
    }
  }));
