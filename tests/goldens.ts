/**
 * Compares our modules with reference tensors: `deno run -A tests/goldens.ts DIR [--device cpu|webgpu]`.
 *
 * Every `*.safetensors` and `*.json` below DIR is one golden, its name without the extension is the module. Prints a
 * line a golden and exits with 1 when one fails, with 2 on wrong usage.
 *
 * @module
 */
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { type GoldenResult, isWithin, runGolden, worstOf } from "./goldens/golden_checks.ts";
import { openGoldenDevice } from "./goldens/golden_device.ts";

const print = (line: string) => void process.stdout.write(`${line}\n`);

function usage(problem: string): never {
  process.stderr.write(`${problem}\nUsage: deno run -A tests/goldens.ts DIR [--device cpu|webgpu]\n`);
  process.exit(2);
}

function readArguments(): { readonly folder: string; readonly device: "cpu" | "webgpu" } {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { device: { type: "string" } } });
    const { device = "cpu" } = values;
    if (positionals.length !== 1) usage(`Cannot compare: ${positionals.length} folders were given, expected one`);
    if (device !== "cpu" && device !== "webgpu") usage(`Cannot compare on "${device}": expected cpu or webgpu`);
    return { folder: positionals[0], device };
  } catch (error) {
    usage(error instanceof Error ? error.message : String(error));
  }
}

async function listGoldens(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error) =>
    usage(error.message)
  );
  return entries
    .filter((entry) => entry.isFile() && /\.(safetensors|json)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function describe(path: string, { verdict, comparisons, reason }: GoldenResult): string[] {
  const name = basename(path).replace(/\.\w+$/, "");
  const worst = worstOf(comparisons);
  const numbers = worst ? ` max_abs=${worst.maxAbs.toExponential(2)} tol=${worst.tolerance}` : "";
  const lines = [`${verdict} ${name}${numbers}${reason ? ` (${reason})` : ""}`];
  if (verdict === "FAIL") {
    for (const c of comparisons) {
      if (!isWithin(c)) lines.push(`     ${c.name} max_abs=${c.maxAbs.toExponential(2)} tol=${c.tolerance}`);
    }
  }
  return lines;
}

const { folder, device: kind } = readArguments();
const device = await openGoldenDevice(kind).catch((error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
const count = { PASS: 0, FAIL: 0, SKIP: 0 };
for (const path of await listGoldens(folder)) {
  const result = await runGolden(path, new Uint8Array(await readFile(path)), device);
  count[result.verdict]++;
  for (const line of describe(path, result)) print(line);
}
print(`${count.PASS} passed, ${count.FAIL} failed, ${count.SKIP} skipped`);
device.dispose();
process.exit(count.FAIL > 0 ? 1 : 0);
