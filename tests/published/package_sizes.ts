import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { ROOT } from "../support/server_process.ts";
import { installedFolders, sizeOfTree } from "./empty_project.ts";
import { checkStarts, startsTable } from "./starts.ts";

/** A package as a registry has it. */
export interface PackageSize {
  readonly name: string;
  readonly registry: string;
  /** Sum of its files. */
  readonly bytes: number;
  readonly files: number;
  /** Of the archive that npm downloads. */
  readonly packed?: number | undefined;
}

const PAGE = join(ROOT, "docs/packages.md");
const START = "<!-- Measured; written by SVC_WRITE_SIZES=1 npm test -- published -->\n";
const END = "<!-- End of what is measured -->";

/** What the table may be wrong by before it has to be written again. */
const TOLERANCE = 0.1;

/** Bytes and files that each package may have at most. JSR takes 20 MiB for the sum of a package's files. */
const budgets: Readonly<Record<string, readonly [number, number]>> = {
  "@svc/sdk on JSR": [7e6, 1_800],
  "@svc/sdk on npm, without its world": [8e6, 3_600],
  "@svc/sdk on npm": [26e6, 3_600],
  "@svc/client": [0.25e6, 60],
  "@svc/fleet": [0.4e6, 80],
  "@svc/manifest": [0.3e6, 80],
  "@svc/world-corridor": [18e6, 40],
  "@svc/world-corridor-actions": [18e6, 40],
  "@svc/image-corridor": [18e6, 40],
  "@svc/onnxruntime-linux-x64": [50e6, 20],
  "npm install @svc/sdk, without ONNX Runtime and the world": [64e6, 7_500],
  "npm install @svc/sdk": [125e6, 7_500],
};

/**
 * Holds packages, what `npm install` brings and what each start loads to their budgets, and the page to what they are.
 *
 * @param project Where the npm packages of the SDK and of ONNX Runtime are installed.
 */
export function checkSizes(packages: readonly PackageSize[], project: string): void {
  const sdk = join(project, "node_modules/@svc/sdk");
  const rows = packages.map((one) => ({ ...one, label: `${one.name} on ${one.registry}` }));
  const all = rows.find(({ label }) => label === "@svc/sdk on npm")!;
  const [world, worldFiles] = sizeOfTree(join(sdk, "models"));
  const own = { bytes: all.bytes - world, files: all.files - worldFiles, packed: undefined };
  rows.push({ ...all, ...own, label: "@svc/sdk on npm, without its world" });
  const { dependencies } = JSON.parse(readFileSync(join(sdk, "package.json"), "utf8"));
  const [bytes, files] = installed(Object.keys(dependencies));
  const install = { name: "", registry: "npm", bytes: bytes + own.bytes, files: files + own.files };
  rows.push({ ...install, label: "npm install @svc/sdk, without ONNX Runtime and the world" });
  const [common, commonFiles] = installed(["onnxruntime-common"]);
  const runtime = rows.find(({ name }) => name.startsWith("@svc/onnxruntime-"))!;
  rows.push({
    ...{ name: "", registry: "npm", label: "npm install @svc/sdk" },
    bytes: install.bytes + world + common + runtime.bytes,
    files: install.files + worldFiles + commonFiles + runtime.files,
  });

  for (const { label, bytes, files } of rows) {
    const [most, count] = budgets[label] ?? budgets[label.replace(/ on \w+$/, "")];
    assert.ok(bytes <= most, `${label} has ${bytes} bytes, expected at most ${most}`);
    assert.ok(files <= count, `${label} has ${files} files, expected at most ${count}`);
  }
  checkStarts(sdk);
  const page = readFileSync(PAGE, "utf8").replaceAll("\r\n", "\n");
  const [at, end] = [page.indexOf(START) + START.length, page.indexOf(END)];
  assert.ok(at >= START.length && end > at, `${PAGE} has no place for the table`);
  if (process.env.SVC_WRITE_SIZES === "1") {
    const lines = rows.map(({ label, bytes, files, packed }) =>
      `| ${label} | ${megabytes(bytes)} | ${packed === undefined ? "" : megabytes(packed)} | ${files} |`
    );
    const table = ["| What | MB | MB packed | Files |", "| --- | ---: | ---: | ---: |", ...lines].join("\n");
    writeFileSync(PAGE, `${page.slice(0, at)}\n${table}\n\n${startsTable(sdk)}\n${page.slice(end)}`);
    return;
  }
  const recorded = new Map(
    [...page.slice(at, end).matchAll(/^\| (.+?) +\| +([\d.]+) \|.*\| +(\d+) \|$/gm)].map((m) => [m[1], [+m[2], +m[3]]]),
  );
  for (const { label, bytes, files } of rows) {
    const [mb, count] = recorded.get(label) ?? [0, 0];
    const remedy = `write the table of docs/packages.md again with SVC_WRITE_SIZES=1 npm test -- published`;
    assert.ok(
      Math.abs(bytes / 1e6 - mb) <= TOLERANCE * mb + 0.01 && Math.abs(files - count) <= TOLERANCE * count,
      `${label} has ${megabytes(bytes)} MB in ${files} files, the table says ${mb} MB in ${count}: ${remedy}`,
    );
  }
}

function installed(names: readonly string[]): [number, number] {
  let [bytes, count] = [0, 0];
  for (const folder of installedFolders(names)) {
    const nested = (path: string) => !path.slice(join(ROOT, folder).length).includes("node_modules");
    const [size, files] = sizeOfTree(join(ROOT, folder), nested);
    bytes += size;
    count += files;
  }
  return [bytes, count];
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(2);
}
