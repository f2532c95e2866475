import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChatEngine, OperationEngine } from "../../../lib/engines/contract/chat_engine.ts";
import { ChatModel } from "../../../lib/engines/text/chat_model.ts";
import { connectEngine } from "../../../lib/engines/process/connect_engine.ts";
import type { EngineChild } from "../../../lib/engines/process/engine_child.ts";
import type { TaskEvent } from "../../../lib/engines/process/engine_service.ts";
import type { RpcReply } from "../../../lib/platform/rpc/rpc_service.ts";
import type { OpenedEngine, OpenEngine } from "../../../lib/engines/contract/engine_entry.ts";
import { handle, operation } from "../../../lib/engines/contract/operation.ts";
import { serveEngine } from "../../../lib/engines/process/serve_engine.ts";
import { readChatRequest } from "../../../lib/protocol/mod.ts";
import type { LanguageModel } from "../../../lib/engines/contract/language_model.ts";
import { CHAT_OPTIONS, FAKE_SETTINGS, SILENT } from "../../support/fake_chat.ts";
import { FakeLanguageModel, type FakeModelOptions } from "../../support/fake_language_model.ts";
import { modelUnavailable, SvcError } from "../../../lib/errors/svc_error.ts";

const model = { id: "fake", folder: "/", files: [], profile: new FakeLanguageModel().profile };
const request = readChatRequest({ model: "", messages: [{ role: "user", content: "Hi" }] });
const timeouts = { cancel: 5, prepare: 60_000, stop: 5 };
const signal = () => new AbortController().signal;

interface Rig {
  readonly child: EngineChild;
  readonly replies: RpcReply[];
  killed: boolean;
  /** Held replies are released one by one. */
  release: () => void;
}

/**
 * An in-process stand-in for a process: both ends of its channel are here. `hold` keeps replies until they are
 * released.
 */
function rig(open: OpenEngine, hold = false): Rig {
  let end: (cause: Error) => void = () => {};
  const exited = new Promise<Error>((resolve) => end = resolve);
  let toEngine: (message: unknown) => void = () => {};
  let toServer: (reply: unknown) => void = () => {};
  const held: (() => void)[] = [];
  const self: Rig = {
    replies: [],
    killed: false,
    release: () => held.shift()?.(),
    child: {
      processID: 1,
      exited,
      kill: () => {
        self.killed = true;
        end(new Error("killed"));
      },
      port: {
        send: (message) => Promise.resolve(toEngine(message)),
        onMessage: (listener) => toServer = listener,
      },
    },
  };
  const ended = serveEngine({
    onMessage: (listener) => toEngine = listener,
    send: async (reply) => {
      // The first answer says that the engine is ready.
      if (hold && self.replies.length > 0) await new Promise<void>((resolve) => held.push(resolve));
      self.replies.push(reply as RpcReply);
      toServer(reply);
    },
  }, open);
  void ended.then(() => end(new Error("ended")));
  return self;
}

function opened(options: FakeModelOptions = {}): OpenedEngine {
  const model = new FakeLanguageModel(options);
  return { kind: "chat", model, chats: new ChatModel(model, { id: () => "0a1b2c3d", seed: () => 7 }) };
}

const eventsOf = (replies: readonly RpcReply[]): TaskEvent[] =>
  replies.flatMap((reply) => reply.kind === "event" ? [reply.event as TaskEvent] : []);

const connect = (child: EngineChild): Promise<ChatEngine> =>
  connectEngine(child, { model, settings: FAKE_SETTINGS, onProgress: () => {}, timeouts }, signal()) as Promise<
    ChatEngine
  >;

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
/** Ends after every limit of as many milliseconds that was set before and still holds: of equal timers the first ends first. */
const outlast = (limit: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, limit));

test("connectEngine() chats, trims, counts and stops", async () => {
  const engine = opened();
  const started = rig(() => Promise.resolve(engine));
  const chats = await connect(started.child);
  const { answer } = await chats.chat(request, CHAT_OPTIONS, SILENT, signal());
  assert.equal(answer.message.content, "Hello.");
  assert.equal(chats.counters.mtp?.rounds, 1);
  const { tokens, count, pieces } = await chats.look(
    { kind: "encode", text: "Hi", marks: false, pieces: true },
    {},
    signal(),
  );
  assert.deepEqual([tokens, count, pieces], [[72, 105], 2, [Uint8Array.of(72), Uint8Array.of(105)]]);
  assert.deepEqual(chats.tried, [{ device: "webgpu", reason: "its first run failed" }]);
  await chats.trim();
  assert.equal((engine.model as FakeLanguageModel).trims, 1);
  await chats.stop();
  assert.equal((engine.model as FakeLanguageModel).closed, true);
  assert.equal(started.killed, false);
  await assert.rejects(chats.chat(request, CHAT_OPTIONS, SILENT, signal()), /ended/);
});

test("connectEngine() ends an engine that prepares a request for too long, and refuses the request", async () => {
  const engine = opened();
  let prepare: () => Promise<void> = () => new Promise(() => {});
  (engine.model as LanguageModel).prepareConstraint = () => prepare();
  const { child, replies } = rig(() => Promise.resolve(engine));
  const within = (prepare: number) => ({
    model,
    settings: FAKE_SETTINGS,
    onProgress: () => {},
    timeouts: { ...timeouts, prepare },
  });
  const chats = await connectEngine(child, within(20), signal()) as ChatEngine;
  const json = readChatRequest({
    model: "",
    messages: [{ role: "user", content: "Hi" }],
    response_format: { type: "json_object" },
  });
  await assert.rejects(chats.chat(json, CHAT_OPTIONS, SILENT, signal()), {
    code: "preparation_timeout",
    status: 400,
    message: /were not prepared after 1 s, expected simpler ones$/,
  });
  assert.deepEqual(replies.map(({ kind }) => kind), ["answer", "event"]);
  assert.deepEqual(eventsOf(replies), [{ kind: "preparing" }]);
  assert.match((await child.exited).message, /killed/);

  // What is prepared in time may take any time afterwards.
  prepare = () => Promise.resolve();
  const patient = opened({ beforeToken: () => outlast(50) });
  const other = rig(() => Promise.resolve(patient));
  const answers = await connectEngine(other.child, within(50), signal()) as ChatEngine;
  await assert.rejects(answers.chat(json, CHAT_OPTIONS, SILENT, signal()), { code: "invalid_output" });
  assert.equal(other.killed, false);
});

test("serveEngine() sends a token at a time, and what comes faster than it is read in one piece", async () => {
  const answer = () => "x".repeat(100);
  const fast = rig(() => Promise.resolve(opened({ answer, beforeToken: turn })));
  await (await connect(fast.child)).chat(request, CHAT_OPTIONS, SILENT, signal());
  const texts = eventsOf(fast.replies).filter((event) => event.kind === "text");
  assert.equal(texts.length, 100);
  assert.equal(texts.filter(({ counters }) => counters !== undefined).length, 3);

  const slow = rig(() => Promise.resolve(opened({ answer })), true);
  const heard: string[] = [];
  let tokens = 0;
  const chats = await connect(slow.child);
  const chat = chats.chat(request, CHAT_OPTIONS, {
    ...SILENT,
    onText: (text) => heard.push(text),
    onTokens: (count) => tokens += count,
  }, signal());
  let done = false;
  void chat.then(() => done = true);
  while (!done) {
    await turn();
    slow.release();
  }
  assert.ok(heard.length <= 3, `${heard.length} pieces`);
  assert.equal(heard.join(""), "x".repeat(100));
  assert.equal(tokens, 100);
});

test("serveEngine() carries errors for clients whole, and others for the log", async () => {
  const { child } = rig(() => Promise.resolve(opened()));
  const chats = await connect(child);
  await assert.rejects(chats.chat(request, { ...CHAT_OPTIONS, context: 3 }, SILENT, signal()), (error) => {
    assert.ok(error instanceof SvcError);
    assert.deepEqual([error.type, error.code, error.param], [
      "invalid_request_error",
      "context_length_exceeded",
      "messages",
    ]);
    return true;
  });
  const broken = rig(() => Promise.resolve(opened({ answer: () => assert.fail("a tensor is gone") })));
  const other = await connect(broken.child);
  await assert.rejects(other.chat(request, CHAT_OPTIONS, SILENT, signal()), (error) => {
    assert.ok(error instanceof Error && !(error instanceof SvcError));
    assert.match(`${error.message} ${error.stack}`, /a tensor is gone.*fake_language_model/s);
    return true;
  });
  await assert.rejects(connect(rig(() => Promise.reject(modelUnavailable("template_invalid", "No"))).child), {
    code: "template_invalid",
  });
});

test("a chat that is cancelled has ended in the engine when it rejects", async () => {
  let ended = false;
  const abort = new AbortController();
  const { child } = rig(() =>
    Promise.resolve(opened({
      beforeToken: async (index, signal) => {
        if (index === 3) abort.abort(new Error("gone"));
        await turn();
        ended = signal.aborted;
      },
    }))
  );
  const chats = await connect(child);
  await assert.rejects(chats.chat(request, CHAT_OPTIONS, SILENT, abort.signal), /gone/);
  assert.equal(ended, true);
  const next = await chats.chat(request, { ...CHAT_OPTIONS, presetMaxTokens: 2 }, SILENT, signal());
  assert.equal(next.completionTokens, 2);
});

test("an engine that does not end a chat or itself is ended", async () => {
  const hanging = () => opened({ beforeToken: () => new Promise(() => {}) });
  const first = rig(() => Promise.resolve(hanging()));
  const abort = new AbortController();
  const chat = (await connect(first.child)).chat(request, CHAT_OPTIONS, SILENT, abort.signal);
  abort.abort(new Error("gone"));
  await assert.rejects(chat, /gone/);
  assert.equal(first.killed, true);

  const second = rig(() => Promise.resolve(hanging()));
  const engine = await connect(second.child);
  const lost = assert.rejects(engine.chat(request, CHAT_OPTIONS, SILENT, signal()), /killed/);
  await engine.stop();
  await lost;
  assert.equal(second.killed, true);
});

test("connectEngine() ends the process when the load fails or no caller waits for it", async () => {
  const failing = rig(() => Promise.reject(new Error("Cannot open it")));
  await assert.rejects(connect(failing.child), /Cannot open it/);
  assert.equal(failing.killed, true);
  const never = rig(() => new Promise(() => {}));
  const abort = new AbortController();
  const load = connectEngine(never.child, { model, settings: FAKE_SETTINGS, onProgress: () => {} }, abort.signal);
  abort.abort(new Error("gone"));
  await assert.rejects(load, /gone/);
  assert.equal(never.killed, true);
});

test("connectEngine() reports load progress, and trims any engine", async () => {
  const fractions: number[] = [];
  const engine = await connectEngine(
    rig((_model, _settings, onProgress) => {
      onProgress(0.25);
      return Promise.resolve(counting());
    }).child,
    { model, settings: FAKE_SETTINGS, onProgress: (fraction) => fractions.push(fraction) },
    signal(),
  );
  assert.deepEqual(fractions, [0.25]);
  await engine.trim();
});

test("an operation sends its parts one at a time, each when the one before was taken", async () => {
  const engine = await connectOperations(counting());
  const heard: number[] = [];
  let open = 0;
  const result = await engine.perform(count, { upTo: 5 }, {
    onEvent: async (number) => {
      assert.equal(open++, 0);
      await turn();
      heard.push(number);
      open--;
    },
  }, signal());
  assert.deepEqual([heard, result], [[1, 2, 3, 4, 5], "5"]);
});

test("an operation reports how far it is, the last word too, and gets the folder of its caller", async () => {
  const told: (readonly [number, string])[] = [];
  const engine = await connectOperations({
    ...counting(),
    operations: handle(count, async (_input, call) => {
      for (let step = 1; step <= 100; step++) {
        call.progress(step / 100, `step ${step} of 100`);
        if (step % 25 === 0) await turn();
      }
      call.progress(2, "done");
      return call.folder;
    }),
  });
  const onProgress = (fraction: number, stage: string) => void told.push([fraction, stage]);
  assert.equal(await engine.perform(count, { upTo: 0 }, { onProgress, folder: "/here" }, signal()), "/here");
  assert.deepEqual(told.at(-1), [1, "done"]);
  assert.ok(told.length < 50, `${told.length} reports`);
  await assert.rejects(engine.perform(count, { upTo: 0 }, {}, signal()), /gave no folder/);
});

test("an operation whose caller leaves or fails has ended in the engine when it rejects", async () => {
  for (const how of ["leaves", "fails"]) {
    let seen: boolean | undefined;
    const abort = new AbortController();
    const engine = await connectOperations({
      ...counting(),
      operations: handle(count, async ({ upTo }, call) => {
        try {
          for (let number = 1; number <= upTo; number++) await call.send(number);
        } finally {
          seen = call.signal.aborted;
        }
        return "whole";
      }),
    });
    const onEvent = (number: number) => {
      if (number < 3) return;
      if (how === "fails") throw new Error("the disk is full");
      abort.abort(new Error("gone"));
    };
    await assert.rejects(
      engine.perform(count, { upTo: 1000 }, { onEvent }, abort.signal),
      how === "fails" ? /the disk is full/ : /gone/,
    );
    assert.equal(seen, true);
  }
});

test("an engine refuses an operation that it does not have, names of objects included", async () => {
  const engine = await connectOperations(counting());
  for (const name of ["sing", "toString", "__proto__"]) {
    await assert.rejects(engine.perform({ name }, {}, {}, signal()), /Cannot run the task/);
  }
});

const count = operation<{ readonly upTo: number }, number, string>("count");

function counting(): Extract<OpenedEngine, { kind: "operations" }> {
  return {
    kind: "operations",
    model: {
      profile: { kind: "embedding", engine: "onnx-embedding", context: 8, dimensions: 1 },
      device: "cpu",
      close: () => Promise.resolve(),
    },
    operations: handle(count, async ({ upTo }, call) => {
      for (let number = 1; number <= upTo; number++) await call.send(number);
      return String(upTo);
    }),
  };
}

async function connectOperations(opened: OpenedEngine): Promise<OperationEngine> {
  const { child } = rig(() => Promise.resolve(opened));
  const options = { model, settings: FAKE_SETTINGS, onProgress: () => {} };
  return await connectEngine(child, options, signal()) as OperationEngine;
}

test("a chat that cannot be sent fails, and the engine continues", async () => {
  const { child } = rig(() => Promise.resolve(opened()));
  const { send } = child.port;
  const failing = { ...child, port: { ...child.port, send } };
  const chats = await connect(failing);
  failing.port.send = () => Promise.reject(new RangeError("too deep"));
  await assert.rejects(chats.chat(request, CHAT_OPTIONS, SILENT, signal()), /too deep/);
  failing.port.send = send;
  assert.equal((await chats.chat(request, CHAT_OPTIONS, SILENT, signal())).answer.message.content, "Hello.");
});

test("a process whose device is lost ends before its task fails, and the task says why", async () => {
  const draw = operation<string, never, string>("draw");
  const lost = new SvcError("device_lost", "Cannot use WebGPU device: it was lost (reset), open it again");
  const started = rig(() =>
    Promise.resolve({
      kind: "operations",
      model: {
        profile: { kind: "speech", engine: "onnx-hibari", voices: ["one"], sampleRate: 24_000 },
        device: "webgpu",
        close: () => Promise.resolve(),
      },
      operations: handle(draw, () => Promise.reject(lost)),
    })
  );
  let ended = false;
  void started.child.exited.then(() => ended = true);
  const engine = await connectEngine(
    started.child,
    { model, settings: FAKE_SETTINGS, onProgress: () => {}, timeouts },
    signal(),
  ) as OperationEngine;
  assert.equal(started.killed, false);
  await assert.rejects(engine.perform(draw, "x", {}, signal()), { code: "device_lost", message: lost.message });
  assert.equal(ended, true);
  assert.equal(started.killed, true);
});

test("an operation that is prepared in time takes as long as it wants, one that is not is ended", async () => {
  const say = operation<{ readonly ready: boolean }, never, string>("embed");
  const { child } = rig(() =>
    Promise.resolve({
      ...counting(),
      operations: handle(say, async ({ ready }, call) => {
        const word = await call.prepare(() => ready ? Promise.resolve("done") : new Promise(() => {}));
        await outlast(50);
        return word;
      }),
    })
  );
  const within = { ...timeouts, prepare: 50 };
  const options = { model, settings: FAKE_SETTINGS, onProgress: () => {}, timeouts: within };
  const engine = await connectEngine(child, options, signal()) as OperationEngine;
  assert.equal(await engine.perform(say, { ready: true }, {}, signal()), "done");
  await assert.rejects(engine.perform(say, { ready: false }, {}, signal()), { code: "preparation_timeout" });
  assert.match((await child.exited).message, /killed/);
});
