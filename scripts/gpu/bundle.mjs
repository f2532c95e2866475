/** Bundles the programs of the GPU proof for a machine without the project: one module a program, and shared chunks. */
import { readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { root } from "../install.mjs";

/** What is bundled: the program that starts the others, and every part in TypeScript. */
const PROGRAMS = [
  "run_parts",
  ...["adapter", "operators", "goldens", "speed", "pass", "decoder", "embedded_world", "cancel", "full_width"].map((
    name,
  ) => `${name}_part`),
];

/** Native packages: WebGPU is next to the bundles, the others are not reached there. */
const external = [
  "webgpu",
  "onnxruntime-node",
  "sharp",
  "node-llama-cpp",
  "@napi-rs/webcodecs",
  "@fugood/llama.node",
  "@huggingface/transformers",
];

/**
 * Writes the bundles to `tests/proof/gpu` below a folder.
 *
 * @param {string} folder
 */
export async function bundlePrograms(folder) {
  const clone = fileURLToPath(root);
  const programs = join(clone, "tests/proof/gpu");
  await build({
    entryPoints: PROGRAMS.map((name) => join(programs, `${name}.ts`)),
    outdir: join(folder, "tests/proof/gpu"),
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    minifySyntax: true,
    platform: "node",
    format: "esm",
    target: "node20",
    external,
    banner: {
      js: 'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);',
    },
    logLevel: "error",
    plugins: [sourceAddresses(clone, programs)],
  });
}

/**
 * Lets modules find files next to them as if they were where their sources do.
 *
 * @param {string} clone
 * @param {string} programs where the bundles seem to lie
 * @returns {import("esbuild").Plugin}
 */
function sourceAddresses(clone, programs) {
  return {
    name: "source addresses",
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (!path.startsWith(clone) || path.includes("node_modules") || dirname(path) === programs) return undefined;
        const text = await readFile(path, "utf8");
        if (!text.includes("import.meta.url")) return undefined;
        const address = `new URL(${JSON.stringify(relative(programs, path))}, import.meta.url).href`;
        return { contents: text.replaceAll("import.meta.url", address), loader: "ts" };
      });
    },
  };
}
