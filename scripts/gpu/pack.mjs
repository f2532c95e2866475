/**
 * Makes the folder that proves a GPU on a bare machine (Linux x86-64, no Node, no network): Node, Dawn, the programs as
 * bundles, the embedded world, goldens, Vulkan loaders, and `run.sh`, which starts them.
 */
// deno-lint-ignore-file no-console
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "../install.mjs";
import { writeBitmap } from "./bitmap.mjs";
import { bundlePrograms } from "./bundle.mjs";

const MEBIBYTE = 1024 * 1024;
/** The largest pack, in bytes. */
const LARGEST = 45 * MEBIBYTE;
/** What is often the most that travels to a machine with a card, working tree included. */
const TRAVELS = 64 * MEBIBYTE;
const clone = fileURLToPath(root);
const cache = join(clone, ".cache/gpu-pack");

/** What the recorded results of the larger operator cases depend on. */
const recordedSources = [
  "tests/proof/gpu/larger_expected.ts",
  "tests/proof/gpu/operator_cases.ts",
  "tests/support/graph_cases.ts",
  "tests/support/tile_cases.ts",
  "tests/support/tiling_cases.ts",
];

/** Loaders of Vulkan and OpenGL, and what a driver or Node may also need; packages of Debian. */
const loaders = {
  debs: ["libvulkan1", "libegl1", "libglvnd0", "libopengl0", "libgl1", "libglx0", "libgles2"],
  "debs/spare": [
    "libx11-6",
    "libxext6",
    "libxcb1",
    "libxau6",
    "libxdmcp6",
    "libbsd0",
    "libmd0",
    "libstdc++6",
    "libgcc-s1",
  ],
};

/**
 * @param {{ folder: string, quick?: boolean }} options `quick` compresses little and leaves out loaders and most goldens,
 * for a rehearsal on the same machine
 */
export async function pack({ folder, quick = false }) {
  const target = resolve(folder);
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new Error(`Cannot make the pack: this is ${process.platform}-${process.arch}, expected linux-x64`);
  }
  for (const tool of ["xz", "tar"]) {
    if (spawnSync(tool, ["--version"]).status !== 0) {
      throw new Error(
        `Cannot make the pack: ${tool} is missing; install it (Debian and Ubuntu: apt-get install xz-utils tar)`,
      );
    }
  }
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  mkdirSync(cache, { recursive: true });
  compressBinary(process.execPath, join(target, "node.xz"), quick);
  compressBinary(join(clone, "node_modules/webgpu/dist/linux-x64/dawn.node"), join(target, "dawn.node.xz"), quick);
  copyFileSync(fileURLToPath(new URL("run.sh", import.meta.url)), join(target, "run.sh"));
  if (!quick) copyLoaders(target);

  const app = join(cache, quick ? "quick-app" : "app");
  rmSync(app, { recursive: true, force: true });
  await stage(app);
  const digests = recordedSources.map((path) => digest(join(clone, path)));
  const recorded = join(cache, `larger_expected-${digests.join("-")}.safetensors`);
  if (!existsSync(recorded) || !quick) recordExpected(recorded);
  copyFileSync(recorded, join(app, "tests/proof/gpu/larger_expected.safetensors"));
  const archive = join(target, "app.tar.xz");
  compressTree(app, archive, true);
  const goldens = addGoldens(app, quick ? MEBIBYTE : LARGEST - sizeOf(target) - MEBIBYTE / 2);
  compressTree(app, archive, quick);
  writeFileSync(join(target, "made.txt"), `${digest(archive)}\n`);
  if (!quick) report(target, folder, goldens);
}

/** Everything but the goldens, in folders like the clone's, where the programs look for it.
 *
 * @param {string} app
 */
async function stage(app) {
  await bundlePrograms(app);
  const copied = [
    "models/corridor-nano",
    "training/corridor",
    "tests/proof/data",
    "tests/bench/pytorch_block.py",
    "tests/bench/stopwatch.py",
    "tests/proof/gpu/pytorch_speed.py",
    "tests/proof/gpu/shapes.json",
    "node_modules/webgpu/index.js",
    "node_modules/webgpu/package.json",
  ];
  for (const path of copied) {
    mkdirSync(dirname(join(app, path)), { recursive: true });
    const filter = (/** @type {string} */ source) => !/__pycache__|README/.test(source);
    cpSync(join(clone, path), join(app, path), { recursive: true, filter });
  }
  mkdirSync(join(app, "examples"));
  mkdirSync(join(app, "tests/goldens/data"), { recursive: true });
  // A bitmap under the same name: without a native package nothing there decodes PNG.
  await writeBitmap(join(clone, "examples/corridor.png"), join(app, "examples/corridor.png"));
  const { stdout } = spawnSync("git", ["rev-parse", "--short", "HEAD"], { cwd: clone, encoding: "utf8" });
  writeFileSync(join(app, "tests/proof/gpu/commit.txt"), stdout?.trim() || "unknown");
}

/**
 * What ONNX Runtime gives for the larger operator cases: it does not travel.
 *
 * @param {string} file
 */
function recordExpected(file) {
  const args = ["--import", "tsx", "tests/proof/gpu/record_expected.ts", file];
  if (spawnSync(process.execPath, args, { cwd: clone, stdio: "inherit" }).status !== 0) {
    throw new Error("Cannot make the pack: ONNX Runtime did not compute the larger operator cases, see above");
  }
}

/**
 * A binary without its symbols, compressed. It takes a minute, so it is kept by the hash of the binary.
 *
 * @param {string} source
 * @param {string} target
 * @param {boolean} quick
 */
function compressBinary(source, target, quick) {
  const kept = join(cache, `${digest(source)}${quick ? "-quick" : ""}.xz`);
  if (!existsSync(kept)) {
    const copy = `${kept}.${process.pid}`;
    copyFileSync(source, copy);
    chmodSync(copy, 0o755);
    if (!quick) spawnSync("strip", [copy]); // where it is there: a tenth less
    compress(quick ? ["-0", "-T0"] : ["--x86", "--lzma2=preset=9e,dict=96MiB", "-T1"], copy);
    renameSync(`${copy}.xz`, kept);
  }
  copyFileSync(kept, target);
}

/**
 * @param {string} folder
 * @param {string} target
 * @param {boolean} quick
 */
function compressTree(folder, target, quick) {
  const tar = target.replace(/\.xz$/, "");
  const args = ["--sort=name", "--owner=0", "--group=0", "--mtime=@0", "-C", folder, "-cf", tar, "."];
  if (spawnSync("tar", args, { stdio: "inherit" }).status !== 0) {
    throw new Error(`Cannot make the pack: tar of ${folder}`);
  }
  rmSync(target, { force: true });
  compress(quick ? ["-0", "-T0"] : ["-9e"], tar);
}

/**
 * Replaces a file by its compressed form, with `.xz` after its name.
 *
 * @param {readonly string[]} options
 * @param {string} file
 */
function compress(options, file) {
  if (spawnSync("xz", [...options, file], { stdio: "inherit" }).status !== 0) {
    throw new Error(`Cannot make the pack: xz failed on ${file}`);
  }
}

/**
 * Downloads the loaders once. Without apt-get the pack has none, and the machine with the GPU needs its own.
 *
 * @param {string} target
 */
function copyLoaders(target) {
  const lists = join(cache, "lists");
  const options = ["-qq", "-oAPT::Architecture=amd64", "-oAPT::Architectures=amd64", `-oDir::State::Lists=${lists}`];
  const isComplete = () => Object.keys(loaders).every((folder) => existsSync(join(cache, folder)));
  if (!isComplete()) {
    mkdirSync(join(lists, "partial"), { recursive: true });
    spawnSync("apt-get", [...options, "update"], { stdio: "inherit" });
    for (const [folder, names] of Object.entries(loaders)) {
      mkdirSync(join(cache, folder), { recursive: true });
      const cwd = join(cache, folder);
      if (spawnSync("apt-get", [...options, "download", ...names], { cwd, stdio: "inherit" }).status !== 0) {
        rmSync(cwd, { recursive: true, force: true });
        console.error("svc: the pack has no Vulkan loader: apt-get did not download it; the machine needs libvulkan1");
        return;
      }
    }
  }
  for (const folder of Object.keys(loaders)) {
    mkdirSync(join(target, folder), { recursive: true });
    for (const name of readdirSync(join(cache, folder)).filter((name) => name.endsWith(".deb"))) {
      // Versions have characters that not every way of travelling takes.
      copyFileSync(join(cache, folder, name), join(target, folder, `${name.split("_")[0].replaceAll("+", "x")}.deb`));
    }
  }
}

/**
 * Adds the smallest goldens while their bytes, next to incompressible, stay below what is left.
 *
 * @param {string} app
 * @param {number} left
 */
function addGoldens(app, left) {
  const data = join(clone, "tests/goldens/data");
  const names = readdirSync(data, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".golden"));
  const sized = names.map((name) => ({ name, size: statSync(join(data, name)).size })).sort((a, b) => a.size - b.size);
  let count = 0;
  for (const { name, size } of sized) {
    left -= size;
    if (left < 0) break;
    mkdirSync(dirname(join(app, "tests/goldens/data", name)), { recursive: true });
    copyFileSync(join(data, name), join(app, "tests/goldens/data", name));
    count++;
  }
  return `${count} of ${sized.length} goldens`;
}

/**
 * Prints what the pack has and how it is run.
 *
 * @param {string} target
 * @param {string} folder
 * @param {string} goldens
 */
function report(target, folder, goldens) {
  const files = readdirSync(target, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const { name, parentPath } of files) {
    const size = statSync(join(parentPath, name)).size;
    if (size > MEBIBYTE) console.log(`${name}: ${(size / MEBIBYTE).toFixed(1)} MiB`);
  }
  const size = sizeOf(target);
  console.log(`${target}: ${(size / MEBIBYTE).toFixed(1)} MiB of at most ${LARGEST / MEBIBYTE}, ${goldens}`);
  console.log(`
On the machine with the GPU (Linux x86-64 with bash; xz or python3), from the folder that holds ${folder}:
  OUT=out bash ${folder}/run.sh
It ends within nine minutes. Bring the files of out/ back, then write docs/gpu/<card>.md and its row with:
  npm run proof:gpu -- --results out`);
  const { stdout } = spawnSync("git", ["ls-files", "-z"], { cwd: clone, encoding: "utf8" });
  const tracked = (stdout ?? "").split("\0").filter((name) => name && existsSync(join(clone, name)));
  const tree = tracked.reduce((sum, name) => sum + statSync(join(clone, name)).size, 0);
  if (tree + size > TRAVELS) {
    console.log(`
Where the whole checkout travels and at most ${TRAVELS / MEBIBYTE} MiB do, this one is too large: its tracked files have
${(tree / MEBIBYTE).toFixed(0)} MiB. Leave the pack alone in it for the time of the call:
  git sparse-checkout set --no-cone /package.json
  git sparse-checkout disable     (afterwards)`);
  }
  if (size > LARGEST) throw new Error(`Cannot make the pack: it has ${size} bytes, expected at most ${LARGEST}`);
}

/** @param {string} file */
function digest(file) {
  return createHash("sha256").update(readFileSync(file)).digest("hex").slice(0, 16);
}

/** @param {string} folder */
function sizeOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { name, parentPath }) => sum + statSync(join(parentPath, name)).size, 0);
}
