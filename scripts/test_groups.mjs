/**
 * Puts test files together in groups that one process runs: starting a process for every file, and reading the same
 * modules again in it, takes longer than most files' tests.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { root } from "./install.mjs";

/** Where the entries of groups are written. */
const FOLDER = ".cache/test-groups";

/**
 * Neighbouring files share most of their modules, so a run is a part of the sorted list.
 *
 * @param {readonly string[]} files
 * @param {number} size how many files a run has at most
 */
export function runsOf(files, size) {
  return Array.from({ length: Math.ceil(files.length / size) }, (_, i) => files.slice(i * size, (i + 1) * size));
}

/**
 * Writes a module for each run that imports its files, for a test runner that starts a process, or reads all modules
 * again, for every file that it is given.
 *
 * @param {string} step whose groups they are
 * @param {readonly string[]} files relative to the root
 * @param {number} size how many files a group has at most
 * @returns {string[]} the modules, relative to the root
 */
export function groupTests(step, files, size) {
  const folder = new URL(`${FOLDER}/${step}/`, root);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return runsOf(files, size).map((run, i) => {
    const entry = `${FOLDER}/${step}/${String(i + 1).padStart(2, "0")}_test.ts`;
    writeFileSync(new URL(entry, root), run.map((file) => `import "../../../${file}";\n`).join(""));
    return entry;
  });
}
