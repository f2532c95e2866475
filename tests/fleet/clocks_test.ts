import assert from "node:assert/strict";
import { test } from "node:test";
import type { ClusterClock } from "../../fleet/protocol/broker.ts";
import { SimulatedGateway, SimulatedWorker } from "./simulation/fleet.ts";
import { MemoryBroker } from "./simulation/memory_broker.ts";
import { randomFrom, VirtualClock } from "./simulation/virtual_clock.ts";

const HOUR = 3_600_000;

for (const ahead of [HOUR, -HOUR]) {
  const off = ahead > 0 ? "ahead" : "behind";
  test(`a session continues after a worker has left whose clock is an hour ${off}`, async () => {
    const clock = new VirtualClock();
    const random = randomFrom(1);
    const memory = new MemoryBroker({ clock, random, lease: 3000, ackWait: 2000, dropsDoubles: true, lineLength: 10 });
    const wrong: string[] = [];
    const start = async (name: string, clock: ClusterClock) => {
      const worker = new SimulatedWorker({
        broker: memory.port,
        clock,
        name,
        epoch: name,
        slots: 1,
        generate: () => Promise.resolve(),
        complain: (message) => wrong.push(message),
      });
      await worker.start();
      return worker;
    };
    let took = 0;
    let generations = 0;
    const play = async (): Promise<void> => {
      const gateway = new SimulatedGateway(memory.port, clock);
      await gateway.start();
      const session = () => gateway.view.session("world")!.value;
      const first = await start("first", { now: () => clock.now() + ahead, wait: (...given) => clock.wait(...given) });
      await gateway.open("world");
      while (session().phase !== "ready") await clock.wait(100);
      await first.drain();
      const before = session().generation;
      await clock.wait(300_000); // its tickets expire
      generations = session().generation - before;
      const begun = clock.now();
      await start("second", clock);
      while (session().phase !== "ready" && clock.now() < begun + 2 * HOUR) await clock.wait(100);
      took = clock.now() - begun;
      gateway.stop();
    };
    await clock.play(play, 3 * HOUR);
    assert.ok(took < 5000, `${took} ms`);
    assert.ok(generations <= 3, `a new ticket every two minutes, not ${generations} in five`);
    assert.deepEqual(wrong, []);
  });
}
