/**
 * Makes 60 rollouts with real workers, one of which is killed in the middle, and compares every picture with an
 * undisturbed run: the second part of `deno task proof:fleet`.
 *
 * @module
 */
// deno-lint-ignore-file no-console
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";
import { WorldClient } from "../../../lib/world/client/world_client.ts";
import { startNats } from "../../support/nats_server.ts";

const COUNT = Number(process.argv[2] ?? 60);
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

const init = spawn(process.execPath, [
  "--import",
  "tsx",
  "cli/main.ts",
  "cluster",
  "init",
  "--join",
  nats.url,
  "--lease",
  "3",
]);
await new Promise((resolve) => init.once("exit", resolve));
const startWorker = (name: string) =>
  start(["world", "serve", "--take", "rollouts", "--slots", "1", "--threads", "1", "--device", "cpu", "--name", name]);
const client = new WorldClient((await start(["gateway", "serve"])).url);
const keys = ["w", "s", "l", "j", "wl", "a"];
const specs = Array.from({ length: COUNT }, (_, i) => ({
  id: `walk-${String(i).padStart(2, "0")}`,
  prompt: "a corridor",
  action_seq: [keys[i % keys.length]],
  num_output_frames: 3,
  seed: i,
  width: 96,
  height: 64,
}));

/** The pixels of all rollouts by their ids. */
async function make(name: string, disturb: (done: number) => void): Promise<string[]> {
  const dataset = client.rollouts(name);
  const begun = Date.now();
  await dataset.submit(specs);
  let status = await dataset.status();
  while (status.done + status.failed < COUNT) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    status = await dataset.status();
    disturb(status.done);
  }
  const results = [];
  for await (const result of dataset.results()) results.push(result);
  results.sort((a, b) => a.item < b.item ? -1 : 1);
  const again = results.filter(({ attempts }) => attempts > 1).map(({ item, attempts }) => `${item}: ${attempts}`);
  console.log(`  ${status.done} of ${COUNT} in ${((Date.now() - begun) / 1000).toFixed(1)} s`);
  console.log(`  begun more than once: ${again.join(", ") || "none"}`);
  return results.map(({ item, pixelsSha256 }) => `${item} ${pixelsSha256}`);
}

let isEqual = false;
try {
  const victim = await startWorker("one");
  await Promise.all(["two", "three"].map(startWorker));
  console.log("rollouts, undisturbed");
  const expected = await make("undisturbed", () => {});
  assert.equal(new Set(expected).size, COUNT);
  console.log("rollouts, a worker is killed");
  let isKilled = false;
  const found = await make("disturbed", (done) => {
    if (done < COUNT / 4 || isKilled) return;
    isKilled = true;
    victim.child.kill("SIGKILL");
  });
  assert.ok(isKilled);
  isEqual = JSON.stringify(found) === JSON.stringify(expected);
  console.log(isEqual ? "  all pixels are equal" : `  WRONG: ${JSON.stringify(found)}`);
} finally {
  for (const child of children) child.kill("SIGKILL");
  await nats.stop();
}
process.exit(isEqual ? 0 : 1);
