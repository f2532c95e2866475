import assert from "node:assert/strict";
import { test } from "node:test";
import { Resident } from "../../lib/scheduling/resident.ts";
import { FakeClock, settle } from "../support/fake_clock.ts";
import { type FakeEngine, FakeMachine } from "../support/fake_machine.ts";
import { SvcError } from "../../lib/errors/svc_error.ts";

const never = new AbortController().signal;
const stopped = new SvcError("load_cancelled", "stopped");

function oneModel({ held = false } = {}) {
  const machine = new FakeMachine();
  if (held) machine.hold("m");
  const ended: SvcError[] = [];
  const begin = () =>
    new Resident<FakeEngine>({
      id: "m",
      clock: new FakeClock(),
      start: (signal) => machine.start({ id: "m", bytes: 1 }, signal),
      onEnd: (reason) => ended.push(reason),
    });
  return { machine, ended, begin };
}

test("Resident loads once for all requests that arrive while it loads", async () => {
  const { machine, begin } = oneModel({ held: true });
  const resident = begin();
  const all = [1, 2, 3].map((n) => resident.use(never, (engine) => Promise.resolve(`${engine.id}${n}`)));
  assert.deepEqual([resident.ready, resident.idle, resident.open], [false, false, true]);
  machine.finish("m");
  assert.deepEqual(await Promise.all(all), ["m1", "m2", "m3"]);
  assert.deepEqual(machine.log, ["start m", "loaded m"]);
  assert.deepEqual([resident.ready, resident.idle], [true, true]);
  await resident.stop(stopped);
});

test("Resident keeps loading while one caller still waits", async () => {
  const { machine, begin } = oneModel({ held: true });
  const resident = begin();
  const abort = new AbortController();
  const gone = assert.rejects(resident.load(abort.signal), /gone/);
  const stays = resident.load(never);
  abort.abort(new Error("gone"));
  await gone;
  machine.finish("m");
  await stays;
  assert.deepEqual(machine.log, ["start m", "loaded m"]);
});

test("Resident gives up a load when the last waiting request is cancelled, and leaves nothing behind", async () => {
  const { machine, begin, ended } = oneModel({ held: true });
  const resident = begin();
  const clients = [new AbortController(), new AbortController()];
  const gone = clients.map((abort) => assert.rejects(resident.load(abort.signal), /gone/));
  for (const abort of clients) abort.abort(new Error("gone"));
  await Promise.all(gone);
  await resident.ended;
  assert.deepEqual(machine.log, ["start m", "gave up m"]);
  assert.deepEqual(ended.map(({ code }) => code), ["load_cancelled"]);
  await assert.rejects(resident.load(never), { code: "load_cancelled" });
});

test("Resident stops an engine that comes up after its load was given up", async () => {
  const { machine, ended } = oneModel();
  let finish = () => {};
  const resident = new Resident<FakeEngine>({
    id: "m",
    clock: new FakeClock(),
    start: async () => {
      await new Promise<void>((resolve) => finish = resolve); // an engine that does not heed its signal
      return await machine.start({ id: "m", bytes: 1 }, never);
    },
    onEnd: (reason) => ended.push(reason),
  });
  const abort = new AbortController();
  const gone = assert.rejects(resident.load(abort.signal));
  abort.abort();
  await settle();
  finish();
  await gone;
  assert.deepEqual(machine.log, ["start m", "loaded m", "stop m"]);
  assert.equal(ended.length, 1);
});

test("Resident rejects all waiting callers when the load fails, without the engine's message", async () => {
  const { machine, begin, ended } = oneModel({ held: true });
  machine.broken.add("m");
  const resident = begin();
  const all = [1, 2].map(() =>
    assert.rejects(resident.load(never), (error: SvcError) => {
      assert.deepEqual([error.status, error.code], [503, "model_unavailable"]);
      assert.doesNotMatch(error.message, /secret/);
      assert.match(String((error.cause as Error).message), /secret/);
      return true;
    })
  );
  machine.finish("m");
  await Promise.all(all);
  assert.equal(ended.length, 1);
});

test("Resident fails the requests of an engine that crashes, even when their work hangs", async () => {
  const { machine, begin, ended } = oneModel();
  const resident = begin();
  let seen: AbortSignal | undefined;
  const hanging = resident.use(never, (_, signal) => {
    seen = signal;
    return new Promise<never>(() => {});
  });
  await settle();
  machine.engines.get("m")!.crash("segmentation fault");
  await assert.rejects(hanging, (error: SvcError) => {
    assert.deepEqual([error.status, error.code, error.cause], [500, "engine_crashed", "segmentation fault"]);
    assert.match(error.message, /retry to load it again/);
    return true;
  });
  await resident.ended;
  assert.deepEqual([seen?.aborted, resident.open, resident.activeRequests], [true, false, 0]);
  assert.deepEqual(ended.map(({ code }) => code), ["engine_crashed"]);
});

test("Resident reports a crashed engine, whatever error the work throws", async () => {
  const { machine, begin } = oneModel();
  let fail = (_: Error) => {};
  const failing = begin().use(never, () => new Promise<never>((_, reject) => fail = reject));
  await settle();
  fail(new Error("the pipe is broken"));
  machine.engines.get("m")!.crash("segmentation fault");
  await assert.rejects(failing, { code: "engine_crashed" });
  await assert.rejects(begin().use(never, () => Promise.reject(new Error("its own"))), /its own/);
});

test("Resident notices an idle engine that crashes", async () => {
  const { machine, begin, ended } = oneModel();
  const resident = begin();
  await resident.load(never);
  machine.engines.get("m")!.crash("killed");
  await resident.ended;
  assert.equal(ended[0]?.code, "engine_crashed");
  await assert.rejects(resident.use(never, () => Promise.resolve()), { code: "engine_crashed" });
});

test("Resident passes the client's abort on to the work and waits for it", async () => {
  const { begin } = oneModel();
  const resident = begin();
  const abort = new AbortController();
  const work = resident.use(abort.signal, async (_, signal) => {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    assert.deepEqual([resident.activeRequests, resident.idle], [1, false]);
    return "cleaned up";
  });
  await settle();
  abort.abort();
  assert.equal(await work, "cleaned up");
  assert.deepEqual([resident.activeRequests, resident.idle], [0, true]);
});

test("Resident.stop() ends a load under way with its reason", async () => {
  const { machine, begin } = oneModel({ held: true });
  const resident = begin();
  const waiting = assert.rejects(resident.load(never), stopped);
  await resident.stop(stopped);
  await waiting;
  assert.deepEqual(machine.log, ["start m", "gave up m"]);
});
