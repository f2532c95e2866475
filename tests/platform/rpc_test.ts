import assert from "node:assert/strict";
import { test } from "node:test";
import { SvcError } from "../../lib/errors/svc_error.ts";
import { forkProcess } from "../../lib/platform/processes/fork_process.ts";
import { RpcClient } from "../../lib/platform/rpc/rpc_client.ts";
import type { RpcPort } from "../../lib/platform/rpc/rpc_port.ts";
import { buffersIn, type RpcRequest } from "../../lib/platform/rpc/rpc_service.ts";
import type { RpcServer } from "../../lib/platform/rpc/serve_calls.ts";
import { siblingModule, spawnWorker } from "../../lib/platform/workers/spawn_worker.ts";
import { REFUSAL, serveTest, type TestService } from "./rpc_test_service.ts";

type Client = RpcClient<TestService>;
type Use = (client: Client) => Promise<void>;

function portOf(port: MessagePort): RpcPort {
  return {
    send: (message, transfer = []) => port.postMessage(message, [...transfer]),
    onMessage: (listener) => void (port.onmessage = ({ data }) => listener(data)),
  };
}

/** Both ends of a channel as a browser has it. */
async function withPorts(use: (one: RpcPort, other: RpcPort) => Promise<void>): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  try {
    await use(portOf(port1), portOf(port2));
  } finally {
    port1.close();
    port2.close();
  }
}

const overPorts = (use: (client: Client, server: RpcServer) => Promise<void>): Promise<void> =>
  withPorts((one, other) => {
    const server = serveTest(other, () => {});
    return use(new RpcClient(one), server);
  });

async function overWorker(use: Use): Promise<void> {
  const worker = await spawnWorker(siblingModule("rpc_worker", import.meta.url), { name: "rpc" });
  const ended = worker.ended.then((cause) => cause ?? new Error("terminated"));
  try {
    await use(new RpcClient(worker, { ended }));
  } finally {
    await worker.terminate();
  }
}

async function overProcess(use: Use, hangs?: number): Promise<void> {
  const ended = (how: string) => new Error(`the process has ended (${how})`);
  const child = forkProcess(siblingModule("rpc_process", import.meta.url), { onLine: () => {}, ended });
  try {
    const options = { ended: child.exited, ...hangs !== undefined && { hangs: { after: hangs, kill: child.kill } } };
    await use(new RpcClient(child, options));
  } finally {
    child.kill();
    await child.exited;
  }
}

for (
  const [where, over, isThread] of [
    ["a MessageChannel", overPorts, true],
    ["a worker", overWorker, true],
    ["a child process", overProcess, false],
  ] as const
) {
  test(`calls over ${where} are answered, those at the same time each for itself`, () =>
    over(async (client) => {
      const sums = await Promise.all([1, 2, 3].map((n) => client.call("add", [n, 10 * n])));
      assert.deepEqual(sums, [11, 22, 33]);
    }));

  test(`events over ${where} come in order and before the answer, handed ones when the last one was taken`, () =>
    over(async (client) => {
      const said: number[] = [];
      await client.call("say", [5], { onEvent: (number) => void said.push(number) });
      assert.deepEqual(said, [1, 2, 3, 4, 5]);
      const taken: number[] = [];
      let open = 0;
      const answer = await client.call("count", [4], {
        onEvent: async (number) => {
          assert.equal(open++, 0, "one at a time");
          await client.call("add", [0, 0]); // more than a turn
          taken.push(number);
          open--;
        },
      });
      assert.deepEqual([taken, answer], [[1, 2, 3, 4], "counted"]);
    }));

  test(`an error over ${where} keeps type, code, parameter, problems, status and remedy`, () =>
    over(async (client) => {
      await assert.rejects(client.call("refuse", []), (error) => {
        assert.ok(error instanceof SvcError);
        const fieldsOf = (
          { name, message, type, code, param, problems, status, remedy }: SvcError,
        ) => [name, message, type, code, param, problems, status, remedy];
        assert.deepEqual(fieldsOf(error), fieldsOf(REFUSAL));
        assert.match(error.stack!, /rpc_test_service/);
        return true;
      });
    }));

  test(`a call over ${where} that is cancelled rejects with the reason once the other side has ended it`, () =>
    over(async (client) => {
      const abort = new AbortController();
      const cancelled = client.call("wait", ["fails"], {
        signal: abort.signal,
        onEvent: () => abort.abort(new RangeError("enough")),
      });
      await assert.rejects(cancelled, { name: "RangeError", message: "enough" });
      await assert.rejects(client.call("add", [1, 1], { signal: abort.signal }), /enough/);
      const other = new AbortController();
      const onEvent = () => other.abort();
      assert.equal(await client.call("wait", ["answers"], { signal: other.signal, onEvent }), "late");
    }));

  test(`a call over ${where} whose listener fails is cancelled and fails with that`, () =>
    over(async (client) => {
      const taken: number[] = [];
      const onEvent = (number: number): Promise<void> => {
        taken.push(number);
        return number === 2 ? Promise.reject(new Error("the disk is full")) : Promise.resolve();
      };
      await assert.rejects(client.call("count", [1000], { onEvent }), /the disk is full/);
      assert.ok(taken.length <= 3, `${taken.length} events`);
    }));

  test(`buffers over ${where} are ${isThread ? "moved" : "copied"}`, () =>
    over(async (client) => {
      const bytes = new Uint8Array(100_000).fill(7);
      const back = await client.call("pass", [bytes], { transfer: [bytes.buffer] });
      assert.ok(back instanceof Uint8Array && back.length === 100_000 && back.every((byte) => byte === 7));
      const kept = isThread ? 0 : 100_000;
      assert.deepEqual([bytes.length, await client.call("left", [])], [kept, kept]);
    }));

  test(`what cannot be cloned fails its call over ${where} alone`, () =>
    over(async (client) => {
      for (const at of ["answer", "event"] as const) {
        await assert.rejects(client.call("uncloned", [at]), /clone/i);
      }
      await assert.rejects(client.call("pass", [(() => {}) as never]), /clone/i);
      assert.equal(await client.call("add", [1, 1]), 2);
    }));
}

for (
  const [where, over, cause] of [["worker", overWorker, /out of luck/], ["process", overProcess, /code 3/]] as const
) {
  test(`a ${where} that dies fails open calls and those that follow`, () =>
    over(async (client) => {
      const waiting = client.call("wait", ["fails"], { onEvent: () => void client.call("die", []).catch(() => {}) });
      await assert.rejects(waiting, cause);
      await assert.rejects(client.call("add", [1, 1]), cause);
      assert.match(client.closed!.message, cause);
    }));
}

test("a process that does not end a cancelled call is ended", () =>
  overProcess(async (client) => {
    const abort = new AbortController();
    const onEvent = () => abort.abort(new Error("enough"));
    await assert.rejects(client.call("spin", [], { signal: abort.signal, onEvent }), /enough/);
    await assert.rejects(client.call("add", [1, 1]), /the process has ended \(SIGKILL\)/);
  }, 20));

test("the serving side cancels what it runs, and has answered when it has closed", () =>
  overPorts(async (client, server) => {
    let closed: Promise<void> | undefined;
    const onEvent = () => void (closed ??= server.close(new SvcError("device_lost", "Cannot continue: it closes")));
    await assert.rejects(client.call("wait", ["fails"], { onEvent }), { code: "device_lost" });
    await closed;
    assert.equal(await client.call("add", [1, 1]), 2);
  }));

test("close() fails open calls at once, even those whose answers are on their way", () =>
  overPorts(async (client) => {
    const call = client.call("add", [1, 1]);
    client.close(new Error("closed meanwhile"));
    client.close(new Error("twice"));
    await assert.rejects(call, /closed meanwhile/);
    await assert.rejects(client.call("add", [1, 1]), /closed meanwhile/);
  }));

test("a caller that leaves rejects at once, and an answer that comes too late is ignored", () =>
  withPorts(async (one, other) => {
    const heard: unknown[] = [];
    serveTest(other, () => {});
    const client = new RpcClient<TestService>({
      send: one.send,
      onMessage: (listener) =>
        one.onMessage((message) => {
          heard.push(message);
          listener(message);
        }),
    });
    const abort = new AbortController();
    const onEvent = () => abort.abort(new Error("gone"));
    await assert.rejects(client.call("wait", ["answers"], { signal: abort.signal, leaves: true, onEvent }), /gone/);
    assert.equal(heard.length, 1);
    assert.equal(await client.call("add", [1, 1]), 2);
    assert.deepEqual(heard[1], { kind: "answer", id: 1, answer: "late" });
  }));

test("the serving side ignores what is not a call, and refuses calls of what it does not have", () =>
  withPorts(async (one, other) => {
    serveTest(other, () => {});
    const replies: Record<string, unknown>[] = [];
    const last = new Promise<void>((resolve) =>
      one.onMessage((message) => {
        replies.push(message as Record<string, unknown>);
        if (replies.at(-1)!.kind === "answer") resolve();
      })
    );
    for (const message of [null, 1, "call", [], {}, { kind: "call" }, { kind: "call", id: "1", method: "add" }]) {
      await one.send(message);
    }
    for (const kind of ["cancel", "taken", "sing", "__proto__"]) await one.send({ kind, id: 1 });
    for (const [id, method] of [[1, "sing"], [2, "toString"], [3, "__proto__"], [4, 5], [5, undefined]] as const) {
      await one.send({ kind: "call", id, method, args: [] });
    }
    for (const [id, args] of [[6, undefined], [7, "list"], [8, { length: 1 }]] as const) {
      await one.send({ kind: "call", id, method: "add", args });
    }
    await one.send({ kind: "call", id: 9, method: "add", args: [1, 2] });
    await last;
    assert.deepEqual(replies.map(({ id, kind }) => [id, kind]), [
      ...[1, 2, 3, 4, 5, 6, 7, 8].map((id) => [id, "error"]),
      [9, "answer"],
    ]);
    assert.match((replies[0].error as Error).message, /^Cannot call "sing": there is no such method$/);
    assert.match((replies[6].error as Error).message, /^Cannot call "add": its arguments are "list", expected a list$/);
  }));

test("a call under the id of one that runs is ignored", () =>
  withPorts(async (one, other) => {
    serveTest(other, () => {});
    const answer = new Promise((resolve) =>
      one.onMessage((message) => {
        const { kind } = message as { readonly kind: string };
        if (kind === "event") {
          for (const method of ["add", "wait"]) void one.send({ kind: "call", id: 1, method, args: [] });
        }
        if (kind === "event") void one.send({ kind: "cancel", id: 1 });
        else resolve(message);
      })
    );
    await one.send({ kind: "call", id: 1, method: "wait", args: ["answers"] });
    assert.deepEqual(await answer, { kind: "answer", id: 1, answer: "late" });
  }));

test("the calling side ignores what is not a reply, and fails a call whose answer is malformed", () =>
  withPorts(async (one, other) => {
    const asked: RpcRequest[] = [];
    const answers: ((id: number) => unknown)[] = [
      (id) => ({ kind: "answered", id }),
      (id) => ({ kind: "error", id }),
      (id) => ({ kind: "error", id, error: { message: 5 } }),
      (id) => ({ kind: "answer", id, answer: 7 }),
    ];
    other.onMessage(async (message) => {
      const request = message as RpcRequest;
      asked.push(request);
      if (request.kind !== "call") return;
      for (const nothing of [null, "answer", {}, { kind: "answer" }, { kind: "answer", id: 99 }]) {
        await other.send(nothing);
      }
      await other.send(answers.shift()!(request.id));
    });
    const client = new RpcClient<TestService>(one);
    const add = () => client.call("add", [3, 4]);
    await assert.rejects(add(), /^Error: Cannot read the answer to add: found a message of kind "answered", expected/);
    await assert.rejects(add(), /found an error without a message/);
    await assert.rejects(add(), /found an error without a message/);
    assert.equal(await add(), 7);
    // The other side may still be at it.
    assert.deepEqual(asked.map(({ kind, id }) => [kind, id]), [
      ...[1, 2, 3].flatMap((id) => [["call", id], ["cancel", id]]),
      ["call", 4],
    ]);
  }));

test("buffersIn() finds the memory of typed arrays in objects, once each", () => {
  const bytes = new Uint8Array(8);
  const value = { ok: true, text: "x", none: null, frames: { data: bytes, half: bytes.subarray(4) }, list: [bytes] };
  assert.deepEqual(buffersIn(value), [bytes.buffer]);
  assert.deepEqual(buffersIn(new Float32Array(new SharedArrayBuffer(8))), []);
  assert.deepEqual(buffersIn("text"), []);
});
