import assert from "node:assert/strict";
import { test } from "node:test";
import { SvcError } from "../../../lib/errors/svc_error.ts";
import { GrammarPool } from "../../../lib/engines/constrained_decoding/grammar_pool.ts";
import type {
  OutputConstraint,
  TokenConstraint,
  TokenVocabulary,
} from "../../../lib/engines/contract/language_model.ts";
import { type GrammarService, serveGrammars } from "../../../lib/engines/constrained_decoding/grammar_service.ts";
import { MessageQueue, type RpcPort, type WorkerHandle } from "../../../lib/platform/rpc/rpc_port.ts";
import { serveCalls } from "../../../lib/platform/rpc/serve_calls.ts";
import { siblingModule, spawnWorker } from "../../../lib/platform/workers/spawn_worker.ts";

const module = siblingModule("grammar_worker", new URL("../../../lib/app/models/engine/x.ts", import.meta.url).href);
const signal = () => new AbortController().signal;

/** Each byte is a token, and the last one ends an answer. */
const vocabulary: TokenVocabulary = {
  size: 257,
  endTokens: [256],
  bytesOf: (id) => id < 256 ? Uint8Array.of(id) : new Uint8Array(),
  isSpecial: (id) => id === 256,
};

function open(limits = { threads: 3, idle: 2, compile: 30_000 }): GrammarPool {
  return new GrammarPool(vocabulary, () => spawnWorker(module, { name: "grammars", native: false }), limits);
}

const asSchema = (schema: Record<string, unknown>): OutputConstraint => ({
  kind: "json_schema",
  schema,
  strict: false,
});

/** Counted strings are the costliest part of a grammar: this one takes some ten seconds or more. */
const SLOW = asSchema({
  type: "object",
  properties: Object.fromEntries(
    Array.from({ length: 400 }, (_, i) => [`p${i}`, { type: "string", minLength: i + 1, maxLength: 30_000 }]),
  ),
});

async function write(match: TokenConstraint, text: string): Promise<boolean> {
  for (const byte of new TextEncoder().encode(text)) {
    const mask = await match.mask();
    if (((mask[byte >> 5] >>> (byte & 31)) & 1) === 0 || !await match.accept(byte)) return false;
  }
  return true;
}

test("GrammarPool holds answers to their schemas, several at a time, and compiles a schema once", async () => {
  const pool = open();
  await Promise.all([1, 2, 3].map(() => pool.prepare(asSchema({ const: "ab" }), signal())));
  assert.equal(pool.threads, 1);
  const [first, second] = [
    await pool.constrain(asSchema({ const: "ab" }), signal()),
    await pool.constrain(asSchema({ const: "ab" }), signal()),
  ];
  const other = await pool.constrain(asSchema({ type: "integer" }), signal());
  assert.equal(pool.threads, 2, "a grammar is compiled where no answer is matched");
  assert.ok(await write(first, '"a') && await write(second, '"ab"') && await write(other, "12"));
  assert.equal(await first.accept("a".charCodeAt(0)), false);
  assert.ok(await write(first, 'b"'));
  const end = await first.mask();
  assert.deepEqual([...end].map((word) => word >>> 0), [0, 0, 0, 0, 0, 0, 0, 0, 1]);
  for (const match of [first, second, other]) match.close();
  await assert.rejects(pool.prepare(asSchema({ uniqueItems: true }), signal()), { code: "unsupported_parameter" });
  pool.close();
});

test("GrammarPool compiles beside running answers, and ends a thread when all waiting requests have been cancelled", async () => {
  const pool = open({ threads: 2, idle: 1, compile: 300_000 });
  const match = await pool.constrain(asSchema({ type: "array", items: { type: "integer" } }), signal());
  const [leaving, later] = [new AbortController(), new AbortController()];
  const slow = [leaving, later].map(({ signal }) => pool.prepare(SLOW, signal));
  const ended = slow.map((one) => assert.rejects(one, /left/));
  const began = performance.now();
  assert.ok(await write(match, "[1, 2, 33]"));
  leaving.abort(new Error("left"));
  await ended[0];
  assert.equal(pool.threads, 2, "somebody still waits");
  // What comes next waits for a thread, and gets one when the last has left.
  const next = pool.prepare(asSchema({ const: 1 }), signal());
  later.abort(new Error("left"));
  await ended[1];
  await next;
  assert.ok(performance.now() - began < 15_000, `${performance.now() - began} ms`);
  match.close();
  pool.close();
});

test("GrammarPool refuses a schema that takes too long to compile, and continues", async () => {
  const pool = open({ threads: 1, idle: 1, compile: 3_000 });
  await assert.rejects(pool.prepare(SLOW, signal()), {
    code: "preparation_timeout",
    status: 400,
    message: /its schema was not compiled after 3 s, expected a simpler one$/,
  });
  const match = await pool.constrain(asSchema({ type: "null" }), signal());
  assert.ok(await write(match, "null"));
  match.close();
  pool.close();
});

test("GrammarPool says that a schema is too large only where memory has run out", async () => {
  const failing = (error: Error) => {
    const served = new MessageQueue();
    const answers = new MessageQueue();
    serveCalls<GrammarService>({
      send: (message) => answers.deliver(message),
      onMessage: (heard) => served.listen(heard),
    }, {
      ...{ begin: () => 1, mask: () => new Int32Array(), accept: () => true, open: () => {}, end: () => {} },
      compile: () => {
        throw error;
      },
    });
    let resolve = (_: undefined): void => {};
    const ended = new Promise<undefined>((end) => resolve = end);
    return new GrammarPool(vocabulary, () =>
      Promise.resolve({
        send: (message) => served.deliver(message),
        onMessage: (listener) => answers.listen(listener),
        ended,
        terminate: () => Promise.resolve(resolve(undefined)),
      }));
  };
  const compile = async (error: Error): Promise<void> => {
    const pool = failing(error);
    await pool.prepare(asSchema({ const: 1 }), signal()).finally(() => pool.close());
  };
  const memory = Object.assign(new Error("memory access out of bounds"), { name: "RuntimeError" });
  await assert.rejects(compile(memory), {
    code: "preparation_timeout",
    status: 400,
    message: /its schema is too large/,
  });
  const missing = new Error("Cannot use @mlc-ai/web-xgrammar: it has no exports");
  await assert.rejects(compile(missing), (error) => !(error instanceof SvcError) && String(error) === String(missing));
});

test("GrammarPool refuses a schema at which the compiler aborts, ends its thread, and continues with another", async () => {
  const threads: (() => Promise<WorkerHandle>)[] = [
    abortingThread,
    () => spawnWorker(module, { name: "grammars", native: false }),
  ];
  const pool = new GrammarPool(vocabulary, () => threads.shift()!(), { threads: 1, idle: 1, compile: 300_000 });
  await assert.rejects(pool.prepare(asSchema({ const: "ab" }), signal()), (error: SvcError) => {
    assert.deepEqual([error.code, error.status, (error.cause as Error).message], [
      "preparation_timeout",
      400,
      "Aborted(out of memory)",
    ]);
    return /its schema is too large for the grammar compiler, expected a simpler one$/.test(error.message);
  });
  assert.equal(pool.threads, 0);
  const match = await pool.constrain(asSchema({ const: "ab" }), signal());
  assert.ok(await write(match, '"ab"'));
  match.close();
  pool.close();
});

/** A thread whose compiler aborts, as WebAssembly does where its memory ends. */
function abortingThread(): Promise<WorkerHandle> {
  const [there, here] = [new MessageQueue(), new MessageQueue()];
  const port = (from: MessageQueue, to: MessageQueue): RpcPort => ({
    send: (message) => to.deliver(structuredClone(message)),
    onMessage: (listener) => from.listen(listener),
  });
  serveGrammars(port(there, here), () => Promise.reject(new Error("Aborted(out of memory)")));
  let end = (): void => {};
  const ended = new Promise<undefined>((resolve) => end = () => resolve(undefined));
  return Promise.resolve({ ...port(here, there), ended, terminate: () => Promise.resolve(end()) });
}
