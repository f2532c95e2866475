import assert from "node:assert/strict";
import { test } from "node:test";
import type { AdmittedRequest } from "../../lib/scheduling/admitted_request.ts";
import type { Pressure } from "../../lib/scheduling/memory/memory_limits.ts";
import { RequestQueue } from "../../lib/scheduling/request_queue.ts";
import { FakeClock, settle } from "../support/fake_clock.ts";
import type { SvcError } from "../../lib/errors/svc_error.ts";

const never = new AbortController().signal;

/** A queue whose requests note in `inside` that they have a slot and work until `end(name)`. */
function queueWithLog(maxActiveRequests = 1, maxQueuedRequests = 100) {
  const clock = new FakeClock();
  const memory = { pressure: "nominal" as Pressure, sample: () => Promise.resolve() };
  let ids = 0;
  const queue = new RequestQueue({
    maxActiveRequests,
    maxQueuedRequests,
    clock,
    pressure: async () => {
      await memory.sample();
      return memory.pressure;
    },
    newId: () => `id-${++ids}`,
  });
  const inside = new Map<string, AdmittedRequest>();
  const ends = new Map<string, () => void>();
  const run = (name: string, signal: AbortSignal = new AbortController().signal): Promise<string> =>
    queue.run({ model: name }, signal, async (request) => {
      inside.set(name, request);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      inside.delete(name);
      return name;
    });
  const end = async (name: string) => {
    ends.get(name)!();
    await settle();
  };
  const names = async () => {
    await settle();
    return [...inside.keys()].join(" ");
  };
  const counts = () => {
    const { totalAdmittedRequests, totalCompletedRequests, totalCancelledRequests } = queue.status();
    return [totalAdmittedRequests, totalCompletedRequests, totalCancelledRequests];
  };
  return { queue, clock, memory, inside, run, end, names, counts };
}

// @row model-api > Engine behavior > 1: one fair line for requests, loads and unloads
test("RequestQueue serves one request at a time in the order of arrival by default", async () => {
  const { run, end, names } = queueWithLog();
  const all = ["a", "b", "c"].map((name) => run(name));
  for (const name of ["a", "b", "c"]) {
    assert.equal(await names(), name);
    await end(name);
  }
  assert.deepEqual(await Promise.all(all), ["a", "b", "c"]);
});

test("RequestQueue serves --max-active-requests at a time", async () => {
  const { queue, run, end, names } = queueWithLog(3);
  const all = ["a", "b", "c", "d", "e"].map((name) => run(name));
  assert.equal(await names(), "a b c");
  assert.equal(queue.status().queuedRequests, 2);
  await end("b");
  assert.equal(await names(), "a c d");
  for (const name of ["a", "c", "d", "e"]) await end(name);
  await Promise.all(all);
});

test("RequestQueue removes a client that disconnects from the queue", async () => {
  const { run, end, names, counts, queue } = queueWithLog();
  const first = run("a");
  const abort = new AbortController();
  const gone = assert.rejects(run("b", abort.signal), /gone/);
  const last = run("c");
  abort.abort(new Error("gone"));
  await gone;
  assert.equal(queue.status().queuedRequests, 1);
  await end("a");
  assert.equal(await names(), "c");
  await end("c");
  await Promise.all([first, last]);
  assert.deepEqual(counts(), [2, 2, 1]);
  assert.equal(queue.status().lastCancellationAt, "2026-01-01T00:00:00.000Z");
});

test("RequestQueue keeps the slot of a client that disconnects until its work has ended", async () => {
  const { queue, run, end, names, counts } = queueWithLog();
  const abort = new AbortController();
  const gone = run("a", abort.signal);
  const next = run("b");
  await settle();
  abort.abort();
  assert.equal(await names(), "a");
  assert.equal(queue.status().activeRequestDetails[0]?.phase, "cancelling");
  await end("a");
  assert.equal(await names(), "b");
  await end("b");
  await Promise.all([gone, next]);
  assert.deepEqual(counts(), [2, 1, 1]);
});

test("RequestQueue frees the slot of work that fails", async () => {
  const { queue, run, end } = queueWithLog();
  await assert.rejects(queue.run({}, never, () => Promise.reject(new Error("no"))), /no/);
  const next = run("b");
  await settle();
  await end("b");
  assert.equal(await next, "b");
  assert.equal(queue.status().activeRequests, 0);
});

test("RequestQueue refuses a request when the line is full", async () => {
  const { run, end, queue } = queueWithLog(1, 2);
  const taken = ["a", "b", "c"].map((name) => run(name));
  await assert.rejects(run("d"), (error: SvcError) => {
    assert.deepEqual([error.status, error.type, error.code], [429, "rate_limit_error", "queue_full"]);
    assert.match(error.message, /2 are queued already/);
    return true;
  });
  for (const name of ["a", "b", "c"]) await end(name);
  await Promise.all(taken);
  assert.equal(queue.status().totalAdmittedRequests, 3);
});

test("RequestQueue admits only one request while pressure is elevated or critical", async () => {
  for (const pressure of ["elevated", "critical"] as const) {
    const { queue, memory, run, end, names } = queueWithLog(2);
    memory.pressure = pressure;
    const all = ["a", "b"].map((name) => run(name));
    assert.equal(await names(), "a");
    const status = queue.status();
    assert.deepEqual([status.admissionPaused, status.pressure], [true, pressure]);
    await end("a");
    assert.equal(await names(), "b");
    assert.equal(queue.status().admissionPaused, false);
    await end("b");
    await Promise.all(all);
  }
});

test("RequestQueue continues when the pressure has ended", async () => {
  const { clock, memory, run, end, names } = queueWithLog(2);
  memory.pressure = "elevated";
  const all = ["a", "b"].map((name) => run(name));
  await settle();
  await clock.advance(1);
  assert.equal(await names(), "a");
  memory.pressure = "nominal";
  await clock.advance(0.9);
  assert.equal(await names(), "a");
  await clock.advance(0.1);
  assert.equal(await names(), "a b");
  assert.equal(clock.pending, 0);
  await end("a");
  await end("b");
  await Promise.all(all);
});

test("RequestQueue gives no slot to a client that disconnects while memory is sampled", async () => {
  const { memory, run, end, names, counts } = queueWithLog(2);
  const first = run("a");
  let sampled = () => {};
  memory.sample = () => new Promise((resolve) => sampled = resolve);
  const abort = new AbortController();
  const gone = assert.rejects(run("b", abort.signal), /gone/);
  const last = run("c");
  await settle();
  abort.abort(new Error("gone"));
  sampled();
  await gone;
  assert.equal(await names(), "a c");
  await end("a");
  await end("c");
  await Promise.all([first, last]);
  assert.deepEqual(counts(), [2, 2, 1]);
});

test("RequestQueue begins no work for a client that disconnects in the moment of its admission", async () => {
  const { run, inside, queue } = queueWithLog();
  const abort = new AbortController();
  const gone = run("a", abort.signal);
  abort.abort(new Error("gone"));
  await assert.rejects(gone, /gone/);
  assert.deepEqual([inside.size, queue.status().activeRequests], [0, 0]);
});

test("RequestQueue shows what each request with a slot is doing", async () => {
  const { queue, clock } = queueWithLog();
  const seen: unknown[] = [];
  const look = () => seen.push(queue.status().activeRequestDetails[0]);
  await queue.run({ model: "m", streaming: true, requestedMaxTokens: 9, toolCount: 2 }, never, async (request) => {
    look();
    request.enter("prefill", "512 of 1500 tokens");
    look();
    await clock.advance(2);
    request.generated();
    request.generated();
    look();
  });
  const about = {
    id: "id-1",
    admittedAt: "2026-01-01T00:00:00.000Z",
    modelID: "m",
    streaming: true,
    requestedMaxTokens: 9,
    toolCount: 2,
  };
  assert.deepEqual(seen, [
    { ...about, phase: "admitted", generatedTokenUpdates: 0 },
    { ...about, phase: "prefill", phaseDetail: "512 of 1500 tokens", generatedTokenUpdates: 0 },
    { ...about, phase: "decode", firstTokenAt: "2026-01-01T00:00:02.000Z", generatedTokenUpdates: 2 },
  ]);
  assert.equal(queue.status().lastSlotReleaseAt, "2026-01-01T00:00:02.000Z");
});

test("RequestQueue.wantedBy() counts requests for a model, waiting or with a slot", async () => {
  const { queue, run, end } = queueWithLog();
  const all = [run("a"), run("b"), run("b")];
  await settle();
  assert.deepEqual(["a", "b", "c"].map((model) => queue.wantedBy(model)), [1, 2, 0]);
  for (const name of ["a", "b", "b"]) await end(name);
  await Promise.all(all);
});

test("RequestQueue.close() sends away those that wait and lets those with a slot end", async () => {
  const { queue, run, end, inside } = queueWithLog();
  const first = run("a");
  const second = assert.rejects(run("b"), { code: "server_stopping", status: 503 });
  await settle();
  let closed = false;
  const closing = queue.close(never).then(() => closed = true);
  await second;
  await assert.rejects(run("c"), { code: "server_stopping" });
  await settle();
  assert.deepEqual([closed, inside.get("a")?.signal.aborted], [false, false]);
  await end("a");
  await closing;
  assert.equal(await first, "a");
  await queue.close(never);
});

test("RequestQueue.close() cancels what has a slot at its deadline", async () => {
  const { queue, run, end, inside } = queueWithLog();
  const first = run("a");
  await settle();
  const deadline = new AbortController();
  const closing = queue.close(deadline.signal);
  deadline.abort();
  assert.equal((inside.get("a")?.signal.reason as SvcError).code, "server_stopping");
  await end("a");
  await Promise.all([first, closing]);
});

test("RequestQueue keeps nothing of 1000 clients that disconnect", async () => {
  const { queue, run, end, names, counts } = queueWithLog(1, 1000);
  const first = run("a");
  const clients = Array.from({ length: 1000 }, () => new AbortController());
  const gone = clients.map((abort) => assert.rejects(run("x", abort.signal)));
  for (const abort of clients) abort.abort();
  await Promise.all(gone);
  assert.deepEqual([queue.status().queuedRequests, queue.wantedBy("x")], [0, 0]);
  const last = run("b");
  await end("a");
  assert.equal(await names(), "b");
  await end("b");
  await Promise.all([first, last]);
  assert.deepEqual(counts(), [2, 2, 1000]);
});
