/**
 * The Chromium of the npm package `@sparticuz/chromium`, so that the page can be tested where no browser is installed.
 * With it come fonts and the libraries of NSS, which a slim system has not.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import { readTar } from "./read_tar.mjs";

const archives = new URL("../node_modules/@sparticuz/chromium/bin/", import.meta.url);
const target = new URL("../node_modules/.cache/chromium/", import.meta.url);

/**
 * @typedef {{ ok: true, path: string, env: Record<string, string> }} FoundChromium
 * @typedef {{ ok: false, reason: string, remedy: string }} MissingChromium
 */

/**
 * Unpacks the browser when it is missing; returns where it is and what must be in its environment.
 *
 * @returns {FoundChromium | MissingChromium}
 */
export function packedChromium() {
  if (process.platform !== "linux" || process.arch !== "x64") {
    const reason = `Chromium from npm is built for linux-x64, this is ${process.platform}-${process.arch}`;
    return { ok: false, reason, remedy: "name an installed Chromium with SVC_CHROMIUM" };
  }
  if (!isUnpacked()) {
    if (!existsSync(archives)) {
      return {
        ok: false,
        reason: "the package @sparticuz/chromium is not installed",
        remedy: "install it with npm ci",
      };
    }
    try {
      unpack();
    } catch (error) {
      const reason = `Chromium cannot be unpacked: ${error instanceof Error ? error.message : error}`;
      return { ok: false, reason, remedy: "make node_modules writable, or remove it and run npm ci" };
    }
  }
  const folder = fileURLToPath(target);
  const inherited = process.env.LD_LIBRARY_PATH;
  const env = {
    LD_LIBRARY_PATH: inherited ? `${inherited}:${folder}lib` : `${folder}lib`,
    FONTCONFIG_FILE: `${folder}fonts.conf`,
  };
  return { ok: true, path: `${folder}chromium`, env };
}

/** Whether the browser is there. Without the libraries beside it, which older unpackings lack, there is no WebGL. */
function isUnpacked() {
  return ["chromium", "libGLESv2.so"].every((name) => existsSync(new URL(name, target)));
}

/**
 * Writes everything into a fresh folder and moves it into place, so that half an unpacking is never used. Of several
 * processes that unpack at the same time, the first one to finish puts its folder there.
 */
function unpack() {
  const fresh = new URL(`../node_modules/.cache/chromium.${process.pid}/`, import.meta.url);
  const archive = (/** @type {string} */ name) => brotliDecompressSync(readFileSync(new URL(name, archives)));
  mkdirSync(fresh, { recursive: true });
  writeFileSync(new URL("chromium", fresh), archive("chromium.br"), { mode: 0o755 });
  for (const name of ["fonts.tar.br", "al2023.tar.br", "swiftshader.tar.br"]) {
    for (const file of readTar(archive(name))) {
      const path = fileURLToPath(new URL(file.name, fresh));
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, file.content, { mode: 0o755 });
    }
  }
  const fontFolders = ["/usr/share/fonts", `${fileURLToPath(target)}fonts`].map((path) => `<dir>${path}</dir>`);
  writeFileSync(new URL("fonts.conf", fresh), `<fontconfig>${fontFolders.join("")}</fontconfig>\n`);
  if (!isUnpacked()) {
    const old = new URL(`../node_modules/.cache/chromium.${process.pid}.old/`, import.meta.url);
    try {
      if (existsSync(target) && !isUnpacked()) renameSync(target, old);
      renameSync(fresh, target);
    } catch (error) {
      if (!isUnpacked()) throw error;
    }
    rmSync(old, { recursive: true, force: true });
  }
  rmSync(fresh, { recursive: true, force: true });
}
