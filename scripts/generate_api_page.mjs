/**
 * Writes api-page/generated.ts: the page of the model server packed into a string. What it shares with the page of the worlds is
 * in world-page/: colours, fields, icon.
 *
 *   node scripts/generate_api_page.mjs
 */
import { build } from "esbuild";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { deflateRawSync } from "node:zlib";

const root = new URL("../", import.meta.url);

/** The style sheets in their order: a later one overrules an earlier one. */
const STYLES = ["world-page/styles/colors", "world-page/styles/base", "world-page/styles/fields", "api-page/style"];

/** The files of the page, by what they are. */
export async function apiPageParts() {
  const read = (/** @type {string} */ path) => readFileSync(new URL(path, root), "utf8");
  const bundle = { bundle: true, write: false, minify: true, charset: "utf8", legalComments: "none" };
  const entryPoints = [fileURLToPath(new URL("api-page/main.ts", root))];
  const script = await build({ ...bundle, entryPoints, format: "esm", target: "es2022" });
  const stdin = { contents: STYLES.map((name) => read(`${name}.css`)).join("\n"), loader: "css" };
  const style = await build({ ...bundle, stdin });
  return {
    html: read("api-page/index.html"),
    docs: read("api-page/docs.html"),
    style: style.outputFiles[0].text,
    script: script.outputFiles[0].text,
    icon: read("world-page/icon.svg"),
  };
}

/**
 * The text of api-page/generated.ts.
 *
 * @returns {Promise<string>}
 */
async function generateApiPage() {
  const packed = deflateRawSync(JSON.stringify(await apiPageParts()), { level: 9 }).toString("base64");
  return [
    "// deno-fmt-ignore-file",
    "// Written by scripts/generate_api_page.mjs from the other files of this folder; do not edit.\n",
    "/** The documents, their style sheet, script and icon as JSON: deflated, in base64. */",
    `export const packedPage: string = ${JSON.stringify(packed)};\n`,
  ].join("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL("api-page/generated.ts", root), await generateApiPage());
}
