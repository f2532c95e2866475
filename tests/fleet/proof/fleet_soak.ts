/**
 * Walks through twelve worlds of a fleet for half an hour while every twenty seconds something is killed or stopped:
 * `deno task soak:cluster [--minutes N]`. Nothing may be lost, every picture has to be that of an undisturbed walk, and
 * the memory of a gateway has to stay flat.
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { readFileSync } from "node:fs";
import process from "node:process";
import { parseArgs } from "node:util";
import { startNats } from "../../support/nats_server.ts";
import { randomFrom } from "../simulation/virtual_clock.ts";
import { RealFleet, type Role } from "./real_fleet.ts";

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "30" }, seed: { type: "string", default: "1" } },
});
const WORLDS = 12;
const KEYS = ["w", "l", "w", "s", "a"];
/** Milliseconds between two faults, of a stop, until a killed role is started again, and between two moves. */
const EVERY = 20_000;
const STOP = 8000;
const AGAIN = 2000;
const THINKING = 1000;
/** Seconds. */
const LEASE = 3;
/** How much the memory of a gateway may grow from the first fifth of the soak to the last one. */
const GROWTH = 1.3;

const random = randomFrom(Number(values.seed));
const end = Date.now() + 60_000 * Number(values.minutes);
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
const nats = await startNats();
const fleet = new RealFleet(nats.url);
const faults = new Map<string, number>();
const wrong: string[] = [];
const megabytes: number[] = [];
/** Milliseconds from the death of a worker until each of its worlds was with another. */
const takeovers: number[] = [];
let longest = 0;
let moves = 0;
let started = 0;

async function startWorker(): Promise<void> {
  await fleet.startWorker(`worker-${++started}`, 8);
}

const faultOf: Record<string, () => Promise<void>> = {
  async "a worker is killed"() {
    const [name, { child }] = choose([...fleet.workers]);
    fleet.workers.delete(name);
    const lost = (await listed()).filter(({ worker }) => worker === name).map(({ world_id }) => world_id);
    child.kill("SIGKILL");
    const [begun, followed] = [Date.now(), new Set(lost)];
    const follow = async (): Promise<void> => {
      while (followed.size > 0 && Date.now() < end) {
        await pause(50);
        for (const { world_id, worker, phase } of await listed()) {
          if (phase !== "ready" || worker === name || !followed.delete(world_id)) continue;
          takeovers.push(Date.now() - begun);
        }
      }
    };
    const following = follow();
    await pause(AGAIN);
    await startWorker();
    await following;
  },
  async "a worker is stopped"() {
    const [, { child }] = choose([...fleet.workers]);
    child.kill("SIGSTOP");
    await pause(STOP);
    child.kill("SIGCONT");
  },
  async "a gateway is killed"() {
    choose(fleet.open.slice(1)).child.kill("SIGKILL"); // the first one shows that memory stays flat
    await pause(AGAIN);
    await fleet.startGateway();
  },
  async "the broker is killed"() {
    await nats.kill();
    await pause(AGAIN);
    await nats.restart();
  },
};

interface Listed {
  readonly world_id: string;
  readonly phase: string;
  readonly worker?: string;
}

async function listed(): Promise<Listed[]> {
  const ask = () => fetch(`${fleet.gateways[0].url}/v1/worlds`);
  // A kept connection may have been closed for its age at the moment at which it is used.
  return (await (await ask().catch(ask)).json()).data;
}

function choose<T>(from: readonly T[]): T {
  return from[Math.floor(random() * from.length)];
}

async function disturb(): Promise<void> {
  while (Date.now() + EVERY < end) {
    await pause(EVERY);
    const kind = choose(Object.keys(faultOf));
    faults.set(kind, (faults.get(kind) ?? 0) + 1);
    await faultOf[kind]();
  }
}

/** Walks the same walk again and again. */
async function live(world: string, expected: readonly string[]): Promise<void> {
  while (Date.now() < end) {
    await fleet.picture(world);
    for (const [i, key] of KEYS.entries()) {
      const { hash, took } = await fleet.move(world, key);
      moves++;
      longest = Math.max(longest, took);
      if (hash !== expected[i]) {
        const { worker, continuity = "new" } = await fleet.json("GET", `/v1/worlds/${world}`);
        wrong.push(`${world}: move ${i} has another picture, at ${worker}, continuity ${continuity}`);
      }
      await pause(THINKING);
    }
  }
}

function resident({ child }: Role): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}

async function report(): Promise<void> {
  while (Date.now() < end) {
    await pause(Math.min(10_000, Math.max(0, end - Date.now())));
    megabytes.push(resident(fleet.gateways[0]));
    if (megabytes.length % 6 > 0) continue;
    const memory = megabytes.at(-1)!.toFixed(0);
    const slowest = takeovers.length === 0 ? "none" : `${takeovers.length}, the longest ${Math.max(...takeovers)} ms`;
    console.log(
      `${
        megabytes.length / 6
      } min: ${moves} moves, the longest ${longest} ms; takeovers ${slowest}; gateway ${memory} MB`,
    );
  }
}

try {
  await fleet.run("cluster", "init", "--lease", String(LEASE));
  for (let i = 0; i < 3; i++) await startWorker();
  for (let i = 0; i < 2; i++) await fleet.startGateway();
  const worlds: string[] = [];
  for (let i = 0; i < WORLDS; i++) worlds.push((await fleet.json("POST", "/v1/worlds", { name: `${i}` })).world_id);
  await fleet.picture(worlds[0]);
  const expected: string[] = [];
  for (const key of KEYS) expected.push((await fleet.move(worlds[0], key)).hash);
  const living = worlds.map((world) => live(world, expected).catch((error) => void wrong.push(`${world}: ${error}`)));
  await Promise.all([...living, disturb(), report()]);
  const { data } = await fleet.json("GET", "/v1/worlds");
  const found = new Set(data.map(({ world_id }: { world_id: string }) => world_id));
  wrong.push(...worlds.filter((world) => !found.has(world)).map((world) => `${world} is lost`));
  takeovers.sort((a, b) => a - b);
  const at = (share: number): number => takeovers[Math.floor(share * (takeovers.length - 1))];
  if (takeovers.length > 0) {
    console.log(
      `${takeovers.length} worlds of killed workers: median ${at(0.5)} ms, longest ${at(1)} ms (lease ${LEASE} s)`,
    );
  }
  const fifth = Math.max(1, Math.floor(megabytes.length / 5));
  const most = (from: readonly number[]): number => Math.max(...from);
  const [before, after] = [most(megabytes.slice(0, fifth)), most(megabytes.slice(-fifth))];
  console.log(`the gateway had ${before.toFixed(0)} MB at the beginning and ${after.toFixed(0)} MB at the end`);
  if (after > GROWTH * before) wrong.push("the memory of the gateway has grown");
} finally {
  fleet.close();
  await nats.stop();
}
console.log([...faults].map(([kind, count]) => `${kind} ${count}`).join(", "));
for (const line of wrong) console.log(`WRONG: ${line}`);
console.log(`${moves} moves in ${WORLDS} worlds, ${wrong.length} wrong`);
process.exit(wrong.length === 0 ? 0 : 1);
