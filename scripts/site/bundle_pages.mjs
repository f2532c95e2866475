/** Bundles the scripts and the style of the pages around the world. */
import { build } from "esbuild";
import { fileURLToPath } from "node:url";

const source = (/** @type {string} */ path) => fileURLToPath(new URL(`../../site/${path}`, import.meta.url));

/**
 * Writes them into the folder of the site; what is returned names the modules of the scripts.
 *
 * @param {string} outdir
 */
export async function bundlePages(outdir) {
  const scripts = await build({
    entryPoints: {
      site: source("pages/site.ts"),
      start: source("pages/start.ts"),
      "manifest/editor": source("manifest/editor.ts"),
    },
    outdir,
    bundle: true,
    minify: true,
    charset: "utf8",
    format: "esm",
    target: "es2022",
    legalComments: "none",
    metafile: true,
  });
  await build({ entryPoints: { site: source("pages/site.css") }, outdir, bundle: true, minify: true, charset: "utf8" });
  return scripts;
}
