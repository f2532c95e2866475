/**
 * The goldens on the GPU, in 32 and in 16 bits, each precision in half of the time. 16 bits have the tolerances of
 * `tests/goldens/half_tolerance.ts`, as in the tests.
 *
 * @module
 */
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { isWithin, runGolden, worstOf } from "../../goldens/golden_checks.ts";
import { PACKED } from "../../goldens/packed/packed_golden.ts";
import { openGpu } from "./open_gpu.ts";
import { log, type PartResults, runPart, secondsLeft, SMALL } from "./part.ts";

/** Seconds of each precision in a rehearsal. */
const REHEARSED = 6;

await runPart("goldens", async (results) => {
  const paths = await goldenPaths();
  results.set("files", paths.length);
  const single = await compareAll(results, paths, "f32", SMALL ? REHEARSED : secondsLeft() / 2);
  const half = await compareAll(results, paths, "f16", SMALL ? REHEARSED : Infinity);
  if (single + half > 0) throw new Error(`${single} goldens differ in 32 bits, ${half} in 16`);
});

/** The smallest first, so that the most are compared where the time ends. */
async function goldenPaths(): Promise<string[]> {
  const entries = await readdir(new URL("../../goldens/data/", import.meta.url), {
    recursive: true,
    withFileTypes: true,
  });
  const paths = entries.filter((e) => e.isFile() && e.name.endsWith(PACKED))
    .map((e) => join(e.parentPath, e.name));
  const sized = await Promise.all(paths.map(async (path) => ({ path, size: (await stat(path)).size })));
  return sized.sort((a, b) => a.size - b.size || (a.path < b.path ? -1 : 1)).map(({ path }) => path);
}

async function compareAll(
  results: PartResults,
  paths: readonly string[],
  precision: "f32" | "f16",
  seconds: number,
): Promise<number> {
  const opened = await openGpu({ precision });
  if (typeof opened === "string") {
    results.set(precision, { skipped: opened });
    return 0;
  }
  const { device, tiles } = opened;
  const until = performance.now() + 1000 * Math.min(seconds, secondsLeft() - 4);
  const count = { PASS: 0, FAIL: 0, SKIP: 0 };
  const failed: string[] = [];
  for (const path of paths) {
    if (performance.now() > until) break;
    const name = basename(path, PACKED);
    const { verdict, comparisons, reason } = await runGolden(path, new Uint8Array(await readFile(path)), device);
    count[verdict]++;
    const worst = worstOf(comparisons);
    if (verdict === "FAIL") {
      const outside = comparisons.filter((c) => !isWithin(c)).length;
      const times = worst ? `${(worst.maxAbs / worst.tolerance).toFixed(1)} times the tolerance` : reason;
      failed.push(`${name} (${outside} of ${comparisons.length}, ${times})`);
    }
    log(`${precision} ${verdict} ${name}${worst ? ` ${worst.maxAbs.toExponential(2)} of ${worst.tolerance}` : ""}`);
    results.set(precision, { tiles, ...count, left: paths.length - count.PASS - count.FAIL - count.SKIP, failed });
  }
  device.dispose();
  return count.FAIL;
}
