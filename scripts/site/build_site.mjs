/**
 * Writes the site into dist/site: static files for any web server, with a world that runs in the visitor's browser.
 *
 *   node scripts/site/build_site.mjs [folder]
 */
// deno-lint-ignore-file no-console
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { pageStyle } from "../generate_page.mjs";
import { noticesOfSite } from "../notices/write_notices.mjs";
import { bundleWorld } from "./bundle_world.mjs";
import { bundlePages } from "./bundle_pages.mjs";
import { ONNXRUNTIME_WEB, packageFiles } from "./package_files.mjs";
import { writePages } from "./pages/write_pages.mjs";
import { walkDocument } from "./walk_document.mjs";

const root = new URL("../../", import.meta.url);

/** The model that is walked in. */
const MODEL = "corridor-nano";

/**
 * Builds everything.
 *
 * @param {URL} target a folder, which is emptied first
 */
export async function buildSite(target) {
  rmSync(target, { recursive: true, force: true });
  const walk = new URL("walk/", target);
  mkdirSync(new URL("ort/", walk), { recursive: true });
  await bundleWorld(fileURLToPath(walk));
  writeFileSync(
    new URL("index.html", walk),
    walkDocument(readFileSync(new URL("world-page/index.html", root), "utf8")),
  );
  writeFileSync(new URL("page.css", walk), pageStyle() + readFileSync(new URL("site/world/tab.css", root), "utf8"));
  copyFileSync(new URL("site/world/embed.js", root), new URL("embed.js", walk));
  copyFileSync(new URL("world-page/icon.svg", root), new URL("page.svg", walk));
  cpSync(packageFiles(ONNXRUNTIME_WEB), new URL("ort/", walk), { recursive: true });
  for (const part of ["base/", "causal/"]) {
    const folder = `models/${MODEL}/${part}`;
    cpSync(new URL(folder, root), new URL(folder, target), { recursive: true });
  }
  await bundlePages(fileURLToPath(target));
  writePages(target);
  writeFileSync(new URL("third-party-notices.txt", target), await noticesOfSite());
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const target = process.argv[2]
    ? pathToFileURL(`${process.argv[2].replace(/\/*$/, "")}/`)
    : new URL("dist/site/", root);
  await buildSite(target);
  console.log(`The site is in ${fileURLToPath(target)}`);
}
