/**
 * Writes vision-page/generated.ts: the page that shows results of vision commands, with its viewer in one script.
 *
 *   node scripts/generate_vision_page.mjs
 */
import { build } from "esbuild";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { constant } from "./generate_page.mjs";

const folder = new URL("../vision-page/", import.meta.url);

/**
 * The text of vision-page/generated.ts.
 *
 * @returns {Promise<string>}
 */
export async function generateVisionPage() {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("viewer.js", folder))],
    bundle: true,
    write: false,
    minify: true,
    charset: "utf8",
    format: "esm",
    target: "es2022",
    legalComments: "inline",
  });
  const read = (/** @type {string} */ name) => readFileSync(new URL(name, folder), "utf8");
  // A page ends its script where this stands, even in a string.
  const script = outputFiles[0].text.replaceAll("</script", "<\\/script");
  return [
    "// deno-fmt-ignore-file",
    "// Written by scripts/generate_vision_page.mjs from the other files of this folder; do not edit.\n",
    constant("visionHtml", "The document, with names in braces where the rest goes.", read("index.html")),
    constant("visionStyle", "Its style sheet.", read("style.css")),
    constant("visionScript", "Its script, with three.js (MIT).", script),
  ].join("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL("generated.ts", folder), await generateVisionPage());
}
