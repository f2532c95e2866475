import { test } from "node:test";
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import process from "node:process";
import { promisify } from "node:util";
import { programArguments, ROOT } from "../support/program_arguments.ts";

const run = (...args: readonly string[]) =>
  promisify(execFile)(process.execPath, [...programArguments(), "tests/eval/revisit_eval.ts", ...args], { cwd: ROOT });

test("eval:revisit walks the embedded world away and back, with scene memory and without", async () => {
  const short = ["--model-root", "models/corridor-nano", "--scenes", "1", "--motion", "yaw", "--blocks", "1"];
  const { stdout, stderr } = await run(...short, "--json");
  const { name, width, height, revisits } = JSON.parse(stdout);
  assert.deepEqual([name, width, height], ["corridor-nano", 192, 128]);
  assert.deepEqual(Object.keys(revisits), ["with scene memory", "without scene memory"]);
  const [[kept], [lost]] = Object.values(revisits) as { psnr: number; away: number; distance: number }[][];
  assert.ok(kept.psnr > lost.psnr, `${kept.psnr} dB with scene memory, ${lost.psnr} dB without`);
  assert.ok(lost.psnr > lost.away && kept.distance < 1e-5);
  assert.match(stderr, /^corridor-nano with scene memory, scene 1 of 1, yaw: [\d.]+ dB$/m);
});

test("eval:revisit names the motions that it takes", async () => {
  await assert.rejects(run("--motion", "jump"), /Cannot walk the motion "jump": expected one of forward, strafe, yaw/);
});
