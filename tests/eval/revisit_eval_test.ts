import { test } from "node:test";
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import process from "node:process";
import { promisify } from "node:util";
import { programArguments, ROOT } from "../support/program_arguments.ts";

const run = (...args: readonly string[]) =>
  promisify(execFile)(process.execPath, [...programArguments(), "tests/eval/revisit_eval.ts", ...args], { cwd: ROOT });

test("eval:revisit walks every embedded world away and back, with scene memory and without", async () => {
  const { stdout, stderr } = await run("--scenes", "1", "--motion", "yaw", "--blocks", "1", "--json");
  const [arworld, ...others] = stdout.trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(
    others.map(({ name, revisits }) => [name, Object.keys(revisits), Object.values<unknown[]>(revisits)[0].length]),
    [["corridor-nano-actions", ["without scene memory"], 1]],
  );
  const { name, width, height, revisits } = arworld;
  assert.deepEqual([name, width, height], ["corridor-nano", 384, 256]);
  assert.deepEqual(Object.keys(revisits), ["with scene memory", "without scene memory"]);
  const [[kept], [lost]] = Object.values(revisits) as { psnr: number; away: number; distance: number }[][];
  assert.ok(kept.psnr > lost.psnr, `${kept.psnr} dB with scene memory, ${lost.psnr} dB without`);
  assert.ok(lost.psnr > lost.away && kept.distance < 1e-5);
  assert.match(stderr, /^corridor-nano with scene memory, scene 1 of 1, yaw: [\d.]+ dB$/m);
});

test("eval:revisit names the motions that it takes", async () => {
  await assert.rejects(run("--motion", "jump"), /Cannot walk the motion "jump": expected one of forward, strafe, yaw/);
});
