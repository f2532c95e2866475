/**
 * Writes world-page/generated.ts: the page of the world server as strings, its TypeScript bundled into one script.
 *
 *   node scripts/generate_page.mjs
 */
import { build } from "esbuild";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = new URL("../world-page/", import.meta.url);

/** The style sheets in their order: a later one overrules an earlier one. */
const STYLES = ["colors", "base", "fields", "picture", "controls", "panels", "map", "narrow"];

/**
 * The text of world-page/generated.ts.
 *
 * @returns {Promise<string>}
 */
export async function generatePage() {
  const { outputFiles } = await bundlePage();
  const read = (/** @type {string} */ name) => readFileSync(new URL(name, folder), "utf8");
  return [
    "// deno-fmt-ignore-file",
    "// Written by scripts/generate_page.mjs from the other files of this folder; do not edit.\n",
    constant("pageHtml", "The document.", read("index.html")),
    constant("pageStyle", "Its style sheet.", pageStyle()),
    constant("pageScript", "Its script, one module.", outputFiles[0].text),
    constant("pageIcon", "Its icon, an SVG.", read("icon.svg")),
  ].join("\n");
}

/** The page's script, and which modules are in it. */
export function bundlePage() {
  return build({
    entryPoints: [fileURLToPath(new URL("main.ts", folder))],
    bundle: true,
    write: false,
    metafile: true,
    minifySyntax: true,
    minifyWhitespace: true,
    charset: "utf8",
    format: "esm",
    target: "es2022",
    legalComments: "none",
  });
}

/** The style sheets of the page as one. */
export function pageStyle() {
  return STYLES.map((name) => readFileSync(new URL(`styles/${name}.css`, folder), "utf8")).join("\n");
}

/**
 * An exported string.
 *
 * @param {string} name
 * @param {string} doc
 * @param {string} text
 */
export function constant(name, doc, text) {
  const literal = text.replace(/[\\`]|\$\{/g, "\\$&");
  return `/** ${doc} */\nexport const ${name}: string = \`${literal}\`;\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL("generated.ts", folder), await generatePage());
}
