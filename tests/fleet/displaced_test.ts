import assert from "node:assert/strict";
import { test } from "node:test";
import type { ClusterBroker } from "../../fleet/protocol/broker.ts";
import { SimulatedGateway, SimulatedWorker } from "./simulation/fleet.ts";
import { MemoryBroker } from "./simulation/memory_broker.ts";
import { Process, throughNetwork } from "./simulation/network.ts";
import { randomFrom, VirtualClock } from "./simulation/virtual_clock.ts";

test("a full queue does not keep a displaced session from another worker; it goes ahead of all others", async () => {
  const clock = new VirtualClock();
  const random = randomFrom(1);
  const memory = new MemoryBroker({ clock, random, lease: 3000, ackWait: 2000, dropsDoubles: true, lineLength: 2 });
  const weather = { latency: () => 1, timeout: 800, lostRequest: 0, lostAnswer: 0, doubled: 0 };
  const network = { clock, random, weather: () => weather, isAway: false };
  const wrong: string[] = [];
  const start = async (name: string) => {
    const process = new Process();
    const worker = new SimulatedWorker({
      broker: throughNetwork(memory.port, process, network),
      clock: process.clock(clock),
      name,
      epoch: name,
      slots: 1,
      generate: () => clock.wait(100),
      complain: (message) => wrong.push(message),
    });
    await worker.start();
    return { process, worker };
  };
  const phases: string[] = [];
  const play = async (): Promise<void> => {
    const gateway = new SimulatedGateway(memory.port, clock);
    await gateway.start();
    const first = await start("first");
    const at = (id: string): string => {
      const value = gateway.view.session(id)?.value;
      return `${id} ${value?.phase}${value?.owner ? ` ${value.owner.worker}` : ""}`;
    };
    await gateway.open("used");
    while (gateway.view.session("used")?.value.phase !== "ready") await gateway.view.changed("used", 1000);
    await clock.wait(100); // its ticket leaves the line when it is done with
    await gateway.open("new-1");
    await gateway.open("new-2");
    await assert.rejects(gateway.open("new-3"), { reason: "full" });
    first.process.isDead = true;
    while (gateway.view.session("used")?.value.phase !== "waiting") await gateway.view.changed("used", 1000);
    assert.deepEqual([gateway.view.ahead("used"), gateway.view.ahead("new-1"), gateway.view.waiting("default")], [
      0,
      1,
      2,
    ]);
    const second = await start("second");
    await clock.wait(1000);
    phases.push(at("used"), at("new-1"));
    assert.equal(gateway.view.session("used")?.value.displaced, undefined, "it is a session like any other again");
    await second.worker.drain(); // leaving a full fleet loses its place as little
    await start("third");
    await clock.wait(1000);
    phases.push(at("used"));
    gateway.stop();
  };
  await clock.play(play, 60_000);
  assert.deepEqual(phases, ["used ready second", "new-1 waiting", "used ready third"]);
  assert.deepEqual(wrong, []);
});

test("a worker that starts takes all sessions that have lost theirs before those that wait", async () => {
  const clock = new VirtualClock();
  const random = randomFrom(1);
  const memory = new MemoryBroker({ clock, random, lease: 3000, ackWait: 2000, dropsDoubles: true, lineLength: 9 });
  // Another connection of the same broker answers sooner.
  const slow: ClusterBroker = {
    ...memory.port,
    displaced: {
      ...memory.port.displaced,
      async take(...given) {
        await clock.wait(20);
        return await memory.port.displaced.take(...given);
      },
    },
  };
  const wrong: string[] = [];
  const start = async (broker: ClusterBroker, name: string) => {
    const complain = (message: string) => void wrong.push(message);
    const worker = new SimulatedWorker({
      broker,
      clock,
      name,
      epoch: name,
      slots: 3,
      generate: async () => {},
      complain,
    });
    await worker.start();
    return worker;
  };
  const found: string[] = [];
  const play = async (): Promise<void> => {
    const gateway = new SimulatedGateway(memory.port, clock);
    await gateway.start();
    const first = await start(memory.port, "first");
    const readyOnes = () =>
      [...gateway.view.sessions].filter(([, { value }]) => value.phase === "ready").map(([id]) => id);
    for (const id of ["a", "b", "c"]) await gateway.open(id);
    while (readyOnes().length < 3) await clock.wait(100);
    for (let i = 0; i < 5; i++) await gateway.open(`new-${i}`);
    await first.drain();
    await start(slow, "second");
    while (readyOnes().length < 3) await clock.wait(100);
    found.push(...readyOnes().toSorted());
    gateway.stop();
  };
  await clock.play(play, 60_000);
  assert.deepEqual(found, ["a", "b", "c"]);
  assert.deepEqual(wrong, []);
});
