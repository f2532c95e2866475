import assert from "node:assert/strict";
import { test } from "node:test";
import { type LaneKind, LANES } from "../../lib/scheduling/lane_status.ts";
import { settle } from "../support/fake_clock.ts";
import { seededRandom } from "../support/random.ts";
import { runtimeWithLog } from "../support/runtime_harness.ts";
import { SvcError } from "../../lib/errors/svc_error.ts";

/** The same model has the same size in every request. */
const texts: readonly (readonly [string, number])[] = [["a", 30], ["b", 40], ["c", 20], ["d", 90]];
const lanes: Record<LaneKind, readonly (readonly [string, number])[]> = {
  image: [["i1", 10], ["i2", 50]],
  speech: [["s1", 10], ["s2", 20]],
  transcription: [["t1", 5]],
  embedding: [["e1", 3], ["e2", 6]],
  rerank: [["r1", 4]],
  vision: [["v1", 12]],
};

/** What a request has come to; the simple reference counts requests and nothing else. */
interface Tally {
  sent: number;
  done: number;
  failed: number;
  gone: number;
}

for (const seed of [1, 2, 3, 4, 5, 6]) {
  test(`no slot, no lane and no memory is ever lost or promised twice, whatever happens (seed ${seed})`, async () => {
    const random = seededRandom(seed);
    const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
    const maxActiveRequests = 1 + seed % 4;
    const { runtime, machine, clock, settings, model, text, lane, end, inUse } = runtimeWithLog({ maxActiveRequests });
    const tally: Tally = { sent: 0, done: 0, failed: 0, gone: 0 };
    const pending = new Set<Promise<void>>();
    const clients: AbortController[] = [];
    const send = (request: (signal: AbortSignal) => Promise<unknown>) => {
      const client = new AbortController();
      clients.push(client);
      tally.sent++;
      const outcome = request(client.signal).then(
        () => tally.done++,
        (error) => error instanceof SvcError ? tally.failed++ : (assert.equal(error, "gone"), tally.gone++),
      );
      const ended: Promise<void> = outcome.then(() => void pending.delete(ended));
      pending.add(ended);
    };
    const check = () => {
      assert.ok(machine.claimedGib < 95, `${machine.claimedGib} GiB are taken or about to be`);
      assert.ok(inUse().length <= maxActiveRequests, `${inUse()} work at a time`);
      const held = LANES.map((kind) => lanes[kind].filter(([id]) => machine.engines.has(id)));
      for (const models of held) assert.ok(models.length <= 1, `${models} share a lane`);
      const side = inUse().filter((id) => /\d/.test(id));
      if (side.some((id) => id.startsWith("i"))) assert.equal(side.length, 1, `${side} work beside an image`);
    };
    const useLane = () => {
      const kind = pick(LANES);
      const workGib = kind === "image" ? 10 : 0;
      send((signal) => lane(kind, ...pick(lanes[kind]), { lasting: random() < 0.7, workGib, signal }));
    };
    const operations: readonly (() => unknown)[] = [
      () => send((signal) => text(...pick(texts), { lasting: random() < 0.7, signal })),
      () => send((signal) => text(...pick(texts), { lasting: random() < 0.7, signal })),
      useLane,
      useLane,
      useLane,
      () => send((signal) => runtime.load(model(...pick(texts)), signal)),
      () => send((signal) => runtime.unload(pick(texts)[0], signal)),
      () => clients.length && pick(clients).abort("gone"),
      () => inUse().length && end(pick(inUse())),
      () => inUse().length && end(pick(inUse())),
      () => machine.engines.size && pick([...machine.engines.values()]).crash("crashed"),
      () => machine.otherGib = pick([0, 0, 0, 20, 60]),
      () => settings.set(pick(texts)[0], { pinned: random() < 0.3, ttlSeconds: pick([5, 50, 500]) }),
      () => random() < 0.3 && machine.broken.add(pick(texts)[0]),
      () => machine.broken.clear(),
      () => machine.hold(pick(texts)[0]),
      () => texts.forEach(([id]) => machine.finish(id)),
      () => clock.advance(pick([1, 10, 100])),
      () => runtime.status([]),
    ];
    for (let step = 0; step < 400; step++) {
      void pick(operations)();
      if (random() < 0.7) await settle();
      check();
    }

    // Everything that still works or waits comes to its end by itself once nothing holds it up.
    machine.otherGib = 0;
    for (let round = 0; pending.size > 0; round++) {
      assert.ok(round < 2000, `${pending.size} requests never end`);
      texts.forEach(([id]) => machine.finish(id));
      for (const id of inUse()) await end(id);
      await clock.advance(1);
      check();
    }
    const { admission, activeRequests, sidecars, models } = await runtime.status([]);
    assert.equal(tally.done + tally.failed + tally.gone, tally.sent);
    assert.deepEqual([admission.activeRequests, admission.queuedRequests, activeRequests], [0, 0, 0]);
    assert.equal(sidecars.queuedRequests + sidecars.activeRequests, 0);
    const { totalAdmittedRequests, totalCompletedRequests, totalCancelledRequests } = admission;
    assert.ok(totalAdmittedRequests <= totalCompletedRequests + totalCancelledRequests);
    const loaded = [...models, ...sidecars.residents].filter((entry) => entry.loaded).length;
    assert.equal(loaded, machine.engines.size);

    // All of it is free again: the largest model fits once the pins are gone.
    settings.clear();
    machine.broken.clear();
    await text("d", 90);
    await runtime.close(new AbortController().signal);
    assert.deepEqual([machine.engines.size, machine.usedGib], [0, 0]);
  });
}
