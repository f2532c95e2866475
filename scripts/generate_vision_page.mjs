/**
 * Writes vision-page/generated.ts: the page that shows results of vision commands, with its viewer in one script.
 *
 *   node scripts/generate_vision_page.mjs
 */
import { build } from "esbuild";
import { readFileSync, writeFileSync } from "node:fs";
import { deflateRawSync } from "node:zlib";
import { fileURLToPath } from "node:url";
import { constant } from "./generate_page.mjs";

const folder = new URL("../vision-page/", import.meta.url);

/** What the page is made of, and which modules are in its script. */
export async function visionPageParts() {
  const { outputFiles, metafile } = await build({
    entryPoints: [fileURLToPath(new URL("viewer.js", folder))],
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    charset: "utf8",
    format: "esm",
    target: "es2022",
    legalComments: "inline",
  });
  const read = (/** @type {string} */ name) => readFileSync(new URL(name, folder), "utf8");
  // A page ends its script at this text, even in a string.
  const script = outputFiles[0].text.replaceAll("</script", "<\\/script");
  return { html: read("index.html"), style: read("style.css"), script, metafile };
}

/**
 * The text of vision-page/generated.ts.
 *
 * @returns {Promise<string>}
 */
async function generateVisionPage() {
  const { html, style, script } = await visionPageParts();
  return [
    "// deno-fmt-ignore-file",
    "// Written by scripts/generate_vision_page.mjs from the other files of this folder; do not edit.\n",
    constant("visionHtml", "The document, with names in braces where the rest goes.", html),
    constant("visionStyle", "Its style sheet.", style),
    "/** Its script, with three.js (MIT): deflated, in base64. */",
    `export const visionScript: string = ${JSON.stringify(deflateRawSync(script, { level: 9 }).toString("base64"))};\n`,
  ].join("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL("generated.ts", folder), await generateVisionPage());
}
