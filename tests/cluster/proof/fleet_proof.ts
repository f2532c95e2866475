/**
 * Walks through worlds of a fleet with real processes while they are killed, stopped and drained, and compares every
 * picture with an undisturbed walk: `deno task proof:fleet`.
 *
 * @module
 */
// deno-lint-ignore-file no-console
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import process from "node:process";
import { startNats } from "../../support/nats_server.ts";

const KEYS = ["w", "w", "l", "s", "wl", "a"];
const nats = await startNats();
const children: ChildProcess[] = [];

/** Starts a program of the command line; resolves with its address. */
async function start(words: string[]): Promise<{ child: ChildProcess; url: string }> {
  const args = ["--import", "tsx", "cli/main.ts", ...words, "--join", nats.url, "--port", "0", "--json"];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
  children.push(child);
  let text = "";
  for await (const part of child.stdout!) {
    text += part;
    if (text.includes("\n")) break;
  }
  return { child, url: JSON.parse(text).url };
}

async function run(words: string[]): Promise<void> {
  const args = ["--import", "tsx", "cli/main.ts", ...words, "--join", nats.url];
  const child = spawn(process.execPath, args, { stdio: "inherit" });
  assert.equal(await new Promise((resolve) => child.once("exit", resolve)), 0);
}

await run(["cluster", "init", "--lease", "3"]);
const workers = new Map<string, ChildProcess>();
const serve = ["world", "serve", "--slots", "4", "--threads", "1", "--device", "cpu"];
const startWorker = async (name: string): Promise<void> => {
  workers.set(name, (await start([...serve, "--name", name])).child);
};
for (const name of ["one", "two", "three"]) await startWorker(name);
const gateways = [await start(["gateway", "serve"]), await start(["gateway", "serve"])];
let gateway = gateways[0].url;

/** Asks a gateway, and another one where that is gone. */
async function ask(method: string, path: string, body?: unknown, key: string = crypto.randomUUID()): Promise<Response> {
  while (true) {
    try {
      const isBytes = body instanceof Uint8Array;
      const headers = { "content-type": isBytes ? "image/png" : "application/json", "idempotency-key": key };
      const text = body === undefined ? undefined : isBytes ? body as BodyInit : JSON.stringify(body);
      const response = await fetch(gateway + path, { method, headers, ...(text !== undefined && { body: text }) });
      if (response.ok) return response;
      throw new assert.AssertionError({ message: `${path}: ${response.status} ${await response.text()}` });
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      gateway = gateways.find(({ url, child }) => url !== gateway && child.exitCode === null)!.url;
    }
  }
}

type Disturb = (owner: string) => Promise<void>;

/** Hashes of the pictures of a walk, which is disturbed in its fourth move. */
async function walk(disturb: Disturb = () => Promise.resolve()): Promise<string[]> {
  const { world_id } = await (await ask("POST", "/v1/worlds", {})).json();
  const base = `/worlds/${world_id}/v1/world`;
  await ask("POST", `${base}/session/source`, new Uint8Array(readFileSync("models/corridor-nano/base/source.png")));
  const hashes: string[] = [];
  for (const [i, key] of KEYS.entries()) {
    const body = { prompt: "a corridor", action_seq: [key, key], num_output_frames: 6, seed: 7 };
    const { job_id } = await (await ask("POST", `${base}/session/rollouts`, body)).json();
    const begun = Date.now();
    if (i === 3) await disturb((await (await ask("GET", `/v1/worlds/${world_id}`)).json()).worker);
    let status = "";
    while (status !== "completed") {
      ({ status } = await (await ask("GET", `${base}/jobs/${job_id}`)).json());
      assert.ok(!["failed", "cancelled"].includes(status), `${job_id} is ${status}`);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    if (i === 3) console.log(`  the disturbed move took ${Date.now() - begun} ms`);
    const frame = await ask("GET", `${base}/jobs/${job_id}/media/terminal-frame`);
    hashes.push(createHash("sha256").update(new Uint8Array(await frame.arrayBuffer())).digest("hex"));
  }
  const { continuity, worker } = await (await ask("GET", `/v1/worlds/${world_id}`)).json();
  console.log(`  at the end at ${worker}, continuity ${continuity ?? "new"}`);
  await ask("DELETE", `/v1/worlds/${world_id}`);
  return hashes;
}

const disturbances: Record<string, Disturb> = {
  "a worker is stopped for 8 s": (owner) => {
    workers.get(owner)!.kill("SIGSTOP");
    setTimeout(() => workers.get(owner)!.kill("SIGCONT"), 8000);
    return Promise.resolve();
  },
  "a worker is drained": (owner) => run(["cluster", "drain", owner]),
  "a gateway is killed": () => {
    gateways.find(({ url }) => url === gateway)!.child.kill("SIGKILL");
    return Promise.resolve();
  },
  "the engine is killed and started again": async () => {
    await nats.kill();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await nats.restart();
  },
  "a worker is killed": async (owner) => {
    workers.get(owner)!.kill("SIGKILL");
    await Promise.resolve();
  },
};
let failed = false;
try {
  console.log("undisturbed");
  const expected = await walk();
  for (const [name, disturb] of Object.entries(disturbances)) {
    console.log(name);
    const found = await walk(disturb).catch((error) => [String(error)]);
    const isEqual = JSON.stringify(found) === JSON.stringify(expected);
    console.log(isEqual ? "  all pictures are equal" : `  WRONG: ${JSON.stringify(found)}`);
    failed ||= !isEqual;
  }
} finally {
  for (const child of children) child.kill("SIGKILL");
  await nats.stop();
}
process.exit(failed ? 1 : 0);
