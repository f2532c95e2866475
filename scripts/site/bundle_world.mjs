/** Bundles the walk page and the world that it shows, in the same tab. */
import { build } from "esbuild";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = new URL("../../", import.meta.url);
const source = (/** @type {string} */ path) => fileURLToPath(new URL(path, root));

/** Modules that a browser gets another one for. */
const twins = new Map([
  ["world-page/session/open_client.ts", "site/world/open_client.ts"],
  ["lib/platform/processes/onnx_telemetry.ts", "site/world/no_telemetry.ts"],
].map(([of, twin]) => [source(of), source(twin)]));

/** The package names its build for Node as its entry; the one for browsers is a script with a global variable. */
const H264_OF_BROWSERS = "node_modules/h264-mp4-encoder/embuild/dist/h264-mp4-encoder.web.js";

/** Packages and modules of other runtimes: they resolve to empty modules. */
const ABSENT = /^(?:@napi-rs\/webcodecs|webgpu|node:.*)$/;

/** @type {import("esbuild").Plugin} */
const browserTwins = {
  name: "browser twins",
  setup({ onLoad, onResolve, resolve }) {
    onResolve({ filter: /^onnxruntime-node$/ }, () => ({ path: source("scripts/site/onnxruntime_in_tab.mjs") }));
    onResolve({ filter: /^h264-mp4-encoder$/ }, () => ({ path: source(H264_OF_BROWSERS) }));
    onResolve({ filter: /ort\.wasm\.min\.mjs$/ }, () => ({ path: "./ort/ort.wasm.min.mjs", external: true }));
    onResolve({ filter: ABSENT }, ({ path }) => ({ path, namespace: "absent" }));
    onLoad({ filter: /^/, namespace: "absent" }, () => ({ contents: "module.exports = {};" }));
    onLoad({ filter: /h264-mp4-encoder\.web\.js$/ }, ({ path }) => ({
      contents: `${readFileSync(path, "utf8")}\nexport default HME;`,
    }));
    onResolve({ filter: /^\.{1,2}\// }, async ({ path, importer, kind, resolveDir, pluginData }) => {
      if (pluginData === "resolved") return undefined;
      const found = await resolve(path, { importer, kind, resolveDir, pluginData: "resolved" });
      const twin = twins.get(found.path);
      return twin === undefined ? found : { path: twin };
    });
  },
};

/**
 * Writes the scripts into a folder.
 *
 * @param {string} outdir
 */
export async function bundleWorld(outdir) {
  return await build({
    entryPoints: {
      page: source("world-page/main.ts"),
      world_worker: source("site/world/world_worker.ts"),
      model_worker: source("site/world/model_worker.ts"),
    },
    outdir,
    bundle: true,
    splitting: true,
    minify: true,
    charset: "utf8",
    format: "esm",
    platform: "browser",
    target: "es2022",
    chunkNames: "[name]-[hash]",
    legalComments: "none",
    metafile: true,
    plugins: [browserTwins],
  });
}
