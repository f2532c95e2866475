/**
 * `deno task bench:manifest` (or `node --import tsx tests/bench/manifest_bench.ts`): how fast manifests are validated,
 * beside ajv, valibot, zod and JSON.parse, all of which report every issue; what the module weighs and how long its
 * import takes. All run in turns in one process, and the least time of each counts, so that other work on the machine
 * disturbs none of them more than the others.
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { spawnSync } from "node:child_process";
import { cpus } from "node:os";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { buildSync } from "esbuild";
import { type Manifest, manifestSchema, validateManifest, validateManifestText } from "../../lib/manifest/mod.ts";
import { compileSchema } from "../manifest/compile_schema.ts";
import { manifestText, realManifests } from "../manifest/manifest_cases.ts";
import { acceptsWithValibot, acceptsWithZod } from "./manifest_schemas.ts";
import { printTable } from "./table.ts";

const RUNTIME = "Deno" in globalThis ? `Deno ${process.versions["deno"]}` : `Node ${process.versions.node}`;
const ROUNDS = 60;
const ROUND_MILLISECONDS = 3;

/** Least microseconds of a call of each function. */
function minMicroseconds(calls: readonly (() => unknown)[]): number[] {
  const min = calls.map(() => Infinity);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, call] of calls.entries()) {
      let count = 0;
      const start = performance.now();
      let time: number;
      do {
        call();
        count++;
        time = performance.now() - start;
      } while (time < ROUND_MILLISECONDS);
      // The first rounds are for the compiler.
      if (round >= ROUNDS / 3) min[i] = Math.min(min[i], time / count * 1000);
    }
  }
  return min;
}

/** As many nodes as asked for, from those of a real manifest. */
function repeated(manifest: Manifest, count: number): Manifest {
  const nodes = Array.from({ length: count }, (_, i) => {
    const node = manifest.nodes[i % manifest.nodes.length];
    return { ...structuredClone(node), kind: `${node.kind}-${i}` };
  });
  return { ...manifest, nodes: nodes as unknown as Manifest["nodes"] };
}

/** A copy with three mistakes in its first and last nodes. */
function invalid(manifest: Manifest): unknown {
  const copy = JSON.parse(JSON.stringify(manifest));
  copy.nodes[0].extra = 1;
  copy.nodes.at(-1).title = "";
  copy.nodes.at(-1).traits.cacheable = "yes";
  return JSON.parse(JSON.stringify(copy));
}

const ajv = compileSchema(manifestSchema());
const core: Manifest = JSON.parse(manifestText("WRAPPED-core-builtin-14-material-nodes.json"));
const real: Manifest[] = realManifests().map((text) => JSON.parse(text));
const subjects: readonly (readonly [string, readonly unknown[], number | undefined])[] = [
  [`${real.length} real manifests`, real, 2],
  [`${real.length} real manifests, invalid`, real.map(invalid), 2],
  ["1,000 nodes", [repeated(core, 1000)], undefined],
  ["1,000 nodes, invalid", [invalid(repeated(core, 1000))], undefined],
  ["1,000 nodes, indented", [repeated(core, 1000)], 2],
  ["1,000 nodes, indented, invalid", [invalid(repeated(core, 1000))], 2],
];

const [cpu] = cpus();
console.log(`${cpu.model}, ${cpus().length} cores, ${RUNTIME}, ${new Date().toISOString().slice(0, 10)}\n`);
const rows = subjects.map(([name, manifests, indent]) => {
  const texts = manifests.map((manifest) => JSON.stringify(manifest, null, indent));
  const parsed: unknown[] = texts.map((text) => JSON.parse(text));
  for (const value of parsed) {
    const verdicts = [ajv, acceptsWithValibot, acceptsWithZod, (v: unknown) => validateManifest(v).valid].map((f) =>
      f(value)
    );
    if (new Set(verdicts).size !== 1) throw new Error(`Cannot compare on ${name}: the verdicts are ${verdicts}`);
  }
  const forAll = <T>(list: readonly T[], work: (item: T) => unknown) => () => {
    for (const item of list) work(item);
  };
  const [parse, ajvTime, valibot, zod, value, text] = minMicroseconds([
    forAll(texts, JSON.parse),
    forAll(parsed, ajv),
    forAll(parsed, acceptsWithValibot),
    forAll(parsed, acceptsWithZod),
    forAll(parsed, validateManifest),
    forAll(texts, validateManifestText),
  ]);
  const size = texts.reduce((sum, text) => sum + text.length, 0) / 1000;
  const times = [parse, ajvTime, valibot, zod, value, text].map((time) => time.toFixed(time < 1000 ? 1 : 0));
  return [name, size.toFixed(0), ...times, (value / ajvTime).toFixed(2), (text / parse).toFixed(2)];
});
printTable(
  [
    "microseconds",
    "kB",
    "JSON.parse",
    "ajv",
    "valibot",
    "zod",
    "ours, value",
    "ours, text",
    "value : ajv",
    "text : JSON.parse",
  ],
  rows,
);

/** Bytes of a bundle of these exports, as it is and compressed. */
function bundleSize(contents: string): string[] {
  const resolveDir = fileURLToPath(new URL("../../", import.meta.url));
  const { outputFiles: [file] } = buildSync({
    stdin: { contents, resolveDir, loader: "ts" },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target: "es2022",
  });
  return [file.contents.length, gzipSync(file.contents).length].map((bytes) => (bytes / 1000).toFixed(1));
}
printTable(["minified, kB", "bytes", "gzip"], [
  [
    "validateManifest",
    ...bundleSize('export { validateManifest } from "./lib/manifest/validate/validate_manifest.ts"'),
  ],
  [
    "validateManifest, validateManifestText",
    ...bundleSize(
      'export { validateManifest } from "./lib/manifest/validate/validate_manifest.ts";' +
        'export { validateManifestText } from "./lib/manifest/validate/validate_manifest.ts"',
    ),
  ],
  ["everything", ...bundleSize('export * from "./lib/manifest/mod.ts"')],
]);

/** Milliseconds of a module's import in a fresh Node, the least of some. */
function importTime(module: string): number {
  const program = `const t = performance.now(); await import(${
    JSON.stringify(module)
  }); console.log(performance.now() - t)`;
  const times = Array.from({ length: 20 }, () => {
    const { stdout } = spawnSync("node", ["--input-type=module", "-e", program], { encoding: "utf8" });
    return Number(stdout);
  });
  return Math.min(...times);
}
const build = fileURLToPath(new URL("../../scripts/build.mjs", import.meta.url));
const { status } = spawnSync("node", [build], { stdio: "inherit" });
if (status !== 0) throw new Error(`Cannot measure the import: ${build} ended with status ${status}, expected 0`);
const built = importTime(new URL("../../dist/lib/manifest/mod.js", import.meta.url).href).toFixed(1);
const empty = importTime("data:text/javascript,").toFixed(1);
console.log(`import of @svc/sdk/manifest in Node: ${built} ms, of an empty module: ${empty} ms`);
