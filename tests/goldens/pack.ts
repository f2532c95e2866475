/**
 * Puts goldens into the repository: `deno run -A tests/goldens/pack.ts DIR [OUT]`.
 *
 * Reads every `*.safetensors` below DIR, compares it on the CPU, keeps what shows the same (`packed/keep_outputs.ts`),
 * packs it (`packed/packed_golden.ts`), compares what is unpacked, and writes `*.golden` at the same place below OUT, by
 * default `tests/goldens/data`. Every `*.json` becomes a `*.json.br`.
 *
 * @module
 */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { openOnnxDevice } from "../../lib/compute/onnx/onnx_device.ts";
import { runGolden, tolerancesOf } from "./golden_checks.ts";
import { keepOutputs } from "./packed/keep_outputs.ts";
import { compress, packGolden } from "./packed/pack_golden.ts";
import { PACKED, PACKED_JSON } from "./packed/packed_golden.ts";

const [from, to = fileURLToPath(new URL("./data/", import.meta.url))] = process.argv.slice(2);
if (from === undefined) {
  process.stderr.write("Cannot pack: no folder was given\nUsage: deno run -A tests/goldens/pack.ts DIR [OUT]\n");
  process.exit(2);
}
const device = await openOnnxDevice();
const names = (await readdir(from, { recursive: true })).sort();
for (const name of names.filter((one) => one.endsWith(".json"))) {
  const target = join(to, name.replace(/\.json$/, PACKED_JSON));
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, compress(await readFile(join(from, name))));
}
for (const name of names.filter((one) => one.endsWith(".safetensors"))) {
  const file = new Uint8Array(await readFile(join(from, name)));
  const target = join(to, name.replace(/\.safetensors$/, PACKED));
  let packed = await packGolden(await keepOutputs(file, await tolerancesOf(name, file, device)));
  let { verdict, reason } = await runGolden(target, packed, device);
  if (verdict === "FAIL") {
    // A comparison that uses all of its tolerance has no room for rounding: everything is kept.
    packed = await packGolden(file);
    ({ verdict, reason } = await runGolden(target, packed, device));
  }
  process.stdout.write(`${verdict} ${name} ${file.length} -> ${packed.length} bytes${reason ? ` (${reason})` : ""}\n`);
  if (verdict === "FAIL") process.exitCode = 1;
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, packed);
}
device.dispose();
