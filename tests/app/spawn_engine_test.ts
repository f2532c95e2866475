import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import type { ChatEngine } from "../../lib/engines/contract/chat_engine.ts";
import { ENGINE_TIMEOUTS, type EngineEndedError, type EngineTimeouts } from "../../lib/engines/process/engine_child.ts";
import { connectEngine } from "../../lib/engines/process/connect_engine.ts";
import { type ChatRequest, readChatRequest } from "../../lib/protocol/mod.ts";
import { engineEnvironment, forkEngine } from "../../lib/app/models/engine/spawn_engine.ts";
import { thisMachine } from "../../lib/platform/processes/processes.ts";
import { siblingModule } from "../../lib/platform/workers/spawn_worker.ts";
import { CHAT_OPTIONS, FAKE_SETTINGS, SILENT } from "../support/fake_chat.ts";
import { FakeLanguageModel } from "../support/fake_language_model.ts";

const module = siblingModule("../support/fake_engine_process", import.meta.url);
const forever = new AbortController().signal;

const said = (content: string): ChatRequest =>
  readChatRequest({ model: "", messages: [{ role: "user", content }], logit_bias: { 65: 1 } });

function open(
  folder: string,
  signal: AbortSignal = forever,
  onProgress: (fraction: number) => void = () => {},
  timeouts: EngineTimeouts = ENGINE_TIMEOUTS,
): Promise<ChatEngine> {
  const child = forkEngine(module, "fake", () => {});
  const model = { id: "fake", folder, files: [], profile: new FakeLanguageModel().profile };
  return connectEngine(child, { model, settings: FAKE_SETTINGS, onProgress, timeouts }, signal) as Promise<ChatEngine>;
}

test("forkEngine() serves chats in another process, which ends when it is asked to", async () => {
  const progress: number[] = [];
  const engine = await open("/", forever, (fraction) => progress.push(fraction));
  assert.notEqual(engine.processID, process.pid);
  assert.equal(engine.device, "cpu");
  assert.deepEqual(progress, [0.5]);
  assert.ok(engine.profile.capabilities.features.has("tools"));
  const texts: string[] = [];
  let tokens = 0;
  const outcome = await engine.chat(said("long"), CHAT_OPTIONS, {
    ...SILENT,
    onText: (text) => texts.push(text),
    onTokens: (count) => tokens += count,
  }, forever);
  const whole = "Hello there. ".repeat(100);
  assert.equal(outcome.answer.message.content, whole);
  assert.equal(texts.join("") + outcome.answer.rest, whole);
  assert.equal(tokens, 1300);
  assert.equal(engine.counters.mtp?.rounds, 1);
  await engine.trim();
  await engine.stop();
  assert.equal(thisMachine.isRunning(engine.processID), false);
  await engine.stop();
});

test("forkEngine() hands no secret to the process", async () => {
  process.env.SVC_API_KEY = "of the server";
  const engine = await open("/");
  delete process.env.SVC_API_KEY;
  const { answer } = await engine.chat(said("secret"), CHAT_OPTIONS, SILENT, forever);
  assert.equal(answer.message.content, "undefined");
  await engine.stop();
});

test("llama.cpp on a CPU gets a process with a single worker thread, unless the environment says how many", async () => {
  const environment = engineEnvironment("gguf-text", "cpu");
  assert.deepEqual(environment, { UV_THREADPOOL_SIZE: "1" });
  assert.deepEqual(engineEnvironment("gguf-rerank", "cpu"), environment);
  assert.deepEqual(engineEnvironment("onnx-text", "cpu"), {});
  const workers = async (): Promise<unknown> => {
    const child = forkEngine(module, "fake", () => {}, environment);
    const model = { id: "fake", folder: "/", files: [], profile: new FakeLanguageModel().profile };
    const connected = connectEngine(child, { model, settings: FAKE_SETTINGS, onProgress: () => {} }, forever);
    const engine = await connected as ChatEngine;
    const { answer } = await engine.chat(said("workers"), CHAT_OPTIONS, SILENT, forever);
    await engine.stop();
    return answer.message.content;
  };
  assert.equal(await workers(), "1");
  process.env.UV_THREADPOOL_SIZE = "6";
  try {
    assert.equal(await workers(), "6");
  } finally {
    delete process.env.UV_THREADPOOL_SIZE;
  }
});

test("a process that never ends preparing a request is ended, and another one answers the next request", async () => {
  const engine = await open("/", forever, () => {}, { ...ENGINE_TIMEOUTS, prepare: 200 });
  await assert.rejects(engine.chat(said("spin"), CHAT_OPTIONS, SILENT, forever), { code: "preparation_timeout" });
  await engine.exited;
  assert.equal(thisMachine.isRunning(engine.processID), false);
  const next = await open("/");
  assert.equal((await next.chat(said("Hi"), CHAT_OPTIONS, SILENT, forever)).answer.message.content, "Hello there. ");
  await next.stop();
});

test("a process that ends within a chat fails it and reports its exit", async () => {
  const engine = await open("/");
  await assert.rejects(
    engine.chat(said("crash"), CHAT_OPTIONS, SILENT, forever),
    /Cannot continue with the engine of fake: its process has exited \(code 9\)/,
  );
  const cause = await engine.exited;
  assert.match(String(cause), /code 9/);
  assert.equal((cause as EngineEndedError).exitCode, 9);
  await assert.rejects(engine.chat(said("more"), CHAT_OPTIONS, SILENT, forever), /has exited/);
});

// @row model-api > Engine behavior > Engines are killable processes
test("a process that is killed within a chat fails it", async () => {
  const engine = await open("/");
  const chat = engine.chat(said("long"), CHAT_OPTIONS, {
    ...SILENT,
    onText: () => process.kill(engine.processID, "SIGKILL"),
  }, forever);
  await assert.rejects(chat, /its process has exited \(SIGKILL\)/);
  await engine.exited;
});

test("chats at a time are answered apart, and a cancelled one leaves the others alone", async () => {
  const engine = await open("/");
  const abort = new AbortController();
  const chats = Array.from({ length: 50 }, (_, i) =>
    engine.chat(said(i % 2 === 0 ? "long" : "short"), CHAT_OPTIONS, {
      ...SILENT,
      onText: () => i === 20 && abort.abort(new Error("client has disconnected")),
    }, i === 20 ? abort.signal : new AbortController().signal));
  const results = await Promise.allSettled(chats);
  for (const [i, result] of results.entries()) {
    if (i === 20) assert.match(String((result as PromiseRejectedResult).reason), /client has disconnected/);
    else {
      assert.equal(result.status, "fulfilled");
      assert.equal(result.value.completionTokens, i % 2 === 0 ? 1300 : 13);
    }
  }
  await engine.stop();
});

test("connectEngine() reports why a model cannot be opened, and leaves no process", async () => {
  await assert.rejects(open("/broken"), /Cannot open the model: weights are missing/);
  await assert.rejects(open("/crash"), /its process has exited \(code 9\)/);
});

test("connectEngine() ends a process that never becomes ready when its signal aborts", async () => {
  const child = forkEngine(module, "fake", () => {});
  const model = { id: "fake", folder: "/never", files: [], profile: new FakeLanguageModel().profile };
  const abort = new AbortController();
  const opening = connectEngine(child, { model, settings: FAKE_SETTINGS, onProgress: () => {} }, abort.signal);
  abort.abort(new Error("nobody waits"));
  await assert.rejects(opening, /nobody waits/);
  assert.equal(thisMachine.isRunning(child.processID), false);
});
