/**
 * Compares our modules with reference tensors: `deno run -A tests/goldens.ts DIR [--device cpu|webgpu]
 * [--adapter software|gpu] [--precision f32|f16]`.
 *
 * WebGPU runs on the software adapter in f32 by default. In f16 tolerances follow from how often a result was
 * rounded, see `goldens/half_tolerance.ts`.
 *
 * Every `*.safetensors`, `*.golden` (one that `goldens/pack.ts` has packed), `*.json` and `*.json.br` (the same packed)
 * below DIR is one golden, its name without the extension is the module. Prints a line a golden and exits with 1 when
 * one fails, with 2 on wrong usage.
 *
 * @module
 */
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { type GoldenResult, isWithin, runGolden, worstOf } from "./goldens/golden_checks.ts";
import { type GoldenAdapter, openGoldenDevice } from "./goldens/golden_device.ts";

const print = (line: string) => void process.stdout.write(`${line}\n`);

const USAGE =
  "Usage: deno run -A tests/goldens.ts DIR [--device cpu|webgpu] [--adapter software|gpu] [--precision f32|f16]";

function usage(problem: string): never {
  process.stderr.write(`${problem}\n${USAGE}\n`);
  process.exit(2);
}

function readArguments(): { readonly folder: string; readonly device: "cpu" | GoldenAdapter } {
  try {
    const options = { device: { type: "string" }, adapter: { type: "string" }, precision: { type: "string" } } as const;
    const { values, positionals } = parseArgs({ allowPositionals: true, options });
    if (positionals.length !== 1) usage(`Cannot compare: ${positionals.length} folders were given, expected one`);
    const [folder] = positionals;
    // What only WebGPU has asks for it.
    const isGpu = values.adapter !== undefined || values.precision !== undefined;
    const device = oneOf("device", values.device ?? (isGpu ? "webgpu" : "cpu"), ["cpu", "webgpu"]);
    const adapter = oneOf("adapter", values.adapter ?? "software", ["software", "gpu"]);
    const precision = oneOf("precision", values.precision ?? "f32", ["f32", "f16"]);
    if (device === "webgpu") return { folder, device: { adapter, precision } };
    if (isGpu) usage("Cannot compare on cpu: --adapter or --precision was given, expected --device webgpu with them");
    return { folder, device };
  } catch (error) {
    usage(error instanceof Error ? error.message : String(error));
  }
}

function oneOf<T extends string>(name: string, value: string, known: readonly T[]): T {
  const found = known.find((one) => one === value);
  return found ?? usage(`Cannot compare with --${name} "${value}": expected ${known.join(" or ")}`);
}

async function listGoldens(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error) =>
    usage(error.message)
  );
  return entries
    .filter((entry) => entry.isFile() && /\.(safetensors|golden|json|json\.br)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function describe(path: string, { verdict, comparisons, reason, leftOut }: GoldenResult): string[] {
  const name = basename(path).replace(/\.(json\.br|\w+)$/, "");
  const worst = worstOf(comparisons);
  const numbers = worst
    ? ` max_abs=${worst.maxAbs.toExponential(2)} tol=${Number(worst.tolerance.toPrecision(3))}`
    : "";
  const lines = [`${verdict} ${name}${numbers}${[reason, leftOut].filter(Boolean).map((why) => ` (${why})`).join("")}`];
  if (verdict === "FAIL") {
    for (const c of comparisons) {
      if (!isWithin(c)) {
        lines.push(`     ${c.name} max_abs=${c.maxAbs.toExponential(2)} tol=${Number(c.tolerance.toPrecision(3))}`);
      }
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
