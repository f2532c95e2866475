/** Files of packages that are laid out. */
import { copyFileSync, linkSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Links a file, or copies it to another disk. */
export function put(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}

/** Writes a file of JSON. */
export function writeJson(file, value) {
  write(file, `${JSON.stringify(value, null, 2)}\n`);
}

/** Writes a file of text. */
export function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
