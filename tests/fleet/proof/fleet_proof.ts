/**
 * Walks through worlds of a fleet with real processes while they are killed, stopped and drained, and compares every
 * picture with an undisturbed walk, on one NATS server and on three: `deno task proof:fleet`.
 *
 * @module
 */
// deno-lint-ignore-file no-console
import process from "node:process";
import { type NatsServer, startNats, startNatsNodes } from "../../support/nats_server.ts";
import { RealFleet } from "./real_fleet.ts";

const KEYS = ["w", "w", "l", "s", "wl", "a"];
const LEASE = 3;

/** Milliseconds within which another worker has the world of a lost one: the lease, and two seconds. */
const TAKEOVER = 1000 * (LEASE + 2);

/** Milliseconds until NATS has a new leader for what a lost node led: its followers wait 4 to 9 s. */
const ELECTION = 9000;

interface Disturbance {
  readonly name: string;
  readonly disturb: (owner: string) => Promise<void>;
  /** Whether its worker is lost: another one has to have the world in time. */
  readonly isLost?: boolean;
  /** Milliseconds more that this may take. */
  readonly more?: number;
  /** Makes the fleet whole again. */
  readonly repair?: () => Promise<void>;
}

let failed = false;

/** Hashes of the pictures of a walk, which is disturbed in its fourth move. */
async function walk(
  fleet: RealFleet,
  { disturb, isLost = false, more = 0 }: Partial<Disturbance> = {},
): Promise<string> {
  const { world_id } = await fleet.json("POST", "/v1/worlds", {});
  const at = `/v1/worlds/${world_id}`;
  await fleet.picture(world_id);
  const hashes: string[] = [];
  for (const [i, key] of KEYS.entries()) {
    const isDisturbed = i === 3 && disturb !== undefined;
    let taken: Promise<number> | undefined;
    const { hash, took } = await fleet.move(world_id, key, async () => {
      if (!isDisturbed) return;
      const { worker } = await fleet.json("GET", at);
      await disturb(worker);
      if (isLost) taken = takenOver(fleet, world_id, worker);
    });
    hashes.push(hash);
    if (isDisturbed) console.log(`  the disturbed move took ${took} ms`);
    if (!taken) continue;
    const after = await taken;
    console.log(`  another worker had the world after ${after} ms`);
    if (after <= TAKEOVER + more) continue;
    console.log(`  LATE: expected at most ${TAKEOVER + more} ms`);
    failed = true;
  }
  const { continuity, worker } = await fleet.json("GET", at);
  console.log(`  at the end at ${worker}, continuity ${continuity ?? "new"}`);
  await fleet.ask("DELETE", at);
  return hashes.join();
}

/** Milliseconds until another worker has a world. */
async function takenOver(fleet: RealFleet, world: string, lost: string): Promise<number> {
  const begun = Date.now();
  while (true) {
    const { data } = await fleet.json("GET", "/v1/worlds");
    const found = data.find(({ world_id }: { world_id: string }) => world_id === world);
    if (found.phase === "ready" && found.worker !== lost) return Date.now() - begun;
    await pause(20);
  }
}

async function prove(nodes: readonly NatsServer[], disturbancesOf: (fleet: RealFleet) => Disturbance[]): Promise<void> {
  const fleet = new RealFleet(nodes.map(({ url }) => url).join(","));
  try {
    await fleet.run("cluster", "init", "--lease", String(LEASE), "--replicas", String(nodes.length));
    for (const name of ["one", "two", "three"]) await fleet.startWorker(name);
    for (let i = 0; i < 2; i++) await fleet.startGateway();
    console.log("undisturbed");
    const expected = await walk(fleet);
    for (const disturbance of disturbancesOf(fleet)) {
      console.log(disturbance.name);
      const found = await walk(fleet, disturbance).catch((error) => String(error));
      await disturbance.repair?.();
      console.log(found === expected ? "  all pictures are equal" : `  WRONG: ${found}`);
      failed ||= found !== expected;
    }
  } finally {
    fleet.close();
    for (const node of nodes) await node.stop();
  }
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
const kill = (fleet: RealFleet): Disturbance => ({
  name: "a worker is killed",
  disturb: (owner) => Promise.resolve(void fleet.workers.get(owner)!.child.kill("SIGKILL")),
  isLost: true,
});

const nats = await startNats();
await prove([nats], (fleet) => [
  {
    name: "a worker is stopped for 8 s",
    disturb(owner) {
      const { child } = fleet.workers.get(owner)!;
      child.kill("SIGSTOP");
      setTimeout(() => child.kill("SIGCONT"), 8000);
      return Promise.resolve();
    },
    isLost: true,
  },
  { name: "a worker is drained", disturb: (owner) => fleet.run("cluster", "drain", owner) },
  {
    name: "a gateway is killed",
    disturb: () => Promise.resolve(void fleet.open[0].child.kill("SIGKILL")),
  },
  {
    name: "the broker is killed and started again",
    async disturb() {
      await nats.kill();
      await pause(1000);
      await nats.restart();
    },
  },
  kill(fleet),
]);
console.log("\nthree nodes, every entry three times");
const nodes = await startNatsNodes();
await prove(nodes, (fleet) => [
  ...nodes.map((node, i): Disturbance => ({
    name: `node ${i} is killed, and comes back after 6 s`,
    async disturb() {
      await node.kill();
      setTimeout(() => void node.restart(), 6000);
      await Promise.resolve();
    },
  })),
  ...nodes.map((node, i): Disturbance => ({
    name: `node ${i} is lost, and a worker with it`,
    async disturb(owner) {
      await pause(8000); // the node before has come back
      await node.kill();
      fleet.workers.get(owner)!.child.kill("SIGKILL");
    },
    isLost: true,
    more: ELECTION,
    async repair() {
      await fleet.startWorker(`instead-${i}`);
      await node.restart();
    },
  })),
]);
process.exit(failed ? 1 : 0);
