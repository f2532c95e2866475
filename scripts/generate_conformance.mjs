/**
 * Writes the tables that name the tests of each row of a contract, tests/conformance/*.md.
 *
 *   node scripts/generate_conformance.mjs
 *
 * The rows are listed in tests/conformance/rows/*.json. A test says above itself which rows it proves:
 *
 *   // @row world-session > Snapshot > `object`
 *   // @row world-session > Options > `--port` => --port has its default, takes its bounds and refuses what is beyond them
 *
 * The second form names one case of a test whose name has parameters; `…` at its end stands for any text.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { root } from "./install.mjs";

/**
 * @typedef {{ heading: string, intro: string, rows: string[] }} Section
 * @typedef {{ file: string, name: string }} RowTest
 */

const testsFolder = new URL("tests/", root);
const rowsFolder = new URL("conformance/rows/", testsFolder);

/** The contracts by name. */
export const contracts = readdirSync(rowsFolder).sort().map((file) => file.replace(".json", ""));

/** @param {string} contract @returns {Section[]} */
function sectionsOf(contract) {
  return JSON.parse(readFileSync(new URL(`${contract}.json`, rowsFolder), "utf8"));
}

/**
 * The tests of every row, by `contract > heading > row`.
 *
 * @returns {Map<string, RowTest[]>}
 * @throws {Error} for an annotation whose row is not listed, and a row without a test.
 */
export function testsOfRows() {
  /** @type {Map<string, RowTest[]>} */
  const tests = new Map();
  for (const contract of contracts) {
    for (const { heading, rows } of sectionsOf(contract)) {
      for (const row of rows) tests.set(`${contract} > ${heading} > ${row}`, []);
    }
  }
  const problems = [];
  const files = readdirSync(testsFolder, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/")).filter((name) => name.endsWith("_test.ts")).sort();
  for (const name of files) {
    const text = readFileSync(new URL(name, testsFolder), "utf8");
    for (const { row, test } of annotations(text)) {
      const found = tests.get(row);
      if (found) found.push({ file: `tests/${name}`, name: test });
      else problems.push(`tests/${name}: there is no row ${row}`);
    }
  }
  for (const [row, found] of tests) if (found.length === 0) problems.push(`the row ${row} has no test`);
  if (problems.length > 0) throw new Error(`Cannot write the conformance tables: ${problems.join("; ")}`);
  return tests;
}

/**
 * The annotations of a file, each with the name of the test below it.
 *
 * @param {string} text
 */
function* annotations(text) {
  const names = /\btest\(\s*("(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`)/g;
  for (const { 1: content, index } of text.matchAll(/^\s*\/\/ @row (.*)$/gm)) {
    names.lastIndex = index;
    const written = names.exec(text)?.[1] ?? '""';
    const below = written.startsWith('"') ? JSON.parse(written) : written.slice(1, -1);
    const [row, instance] = content.split(" => ");
    yield { row: row.trim(), test: instance?.trim() ?? below };
  }
}

/** @param {string} contract */
export function conformanceTable(contract) {
  const tests = testsOfRows();
  const cell = (/** @type {string} */ text) => text.replaceAll("|", "\\|");
  const lines = [
    `<!-- Written by scripts/generate_conformance.mjs from the annotations of the tests; do not edit. -->\n`,
    `# Rows of \`${contract}\` and their tests\n`,
    "`…` stands for any text: an id, the end of a name, one of many cases.\n",
  ];
  for (const { heading, intro, rows } of sectionsOf(contract)) {
    lines.push(`### ${heading}\n`);
    if (intro) lines.push(`${intro}\n`);
    lines.push("| Row | File | Tests |", "| --- | --- | --- |");
    for (const row of rows) {
      const found = tests.get(`${contract} > ${heading} > ${row}`) ?? [];
      const files = [...new Set(found.map(({ file }) => file))];
      for (const [index, file] of files.entries()) {
        const names = found.filter((one) => one.file === file).map(({ name }) => `\`${cell(name)}\``).join(" · ");
        lines.push(`| ${index === 0 ? cell(row) : "″"} | \`${file}\` | ${names} |`);
      }
    }
    lines.push("");
  }
  return `${lines.join("\n").trimEnd()}\n`;
}

/**
 * The rows none of whose tests has run.
 *
 * @param {ReadonlySet<string>} ran Names of the tests that ran and passed.
 */
export function rowsWithoutRun(ran) {
  const names = [...ran];
  const has = (/** @type {string} */ name) =>
    ran.has(name) || (name.endsWith("…") && names.some((one) => one.startsWith(name.slice(0, -1))));
  return [...testsOfRows()].filter(([, tests]) => !tests.some(({ name }) => has(name))).map(([row]) => row);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const contract of contracts) {
    writeFileSync(new URL(`conformance/${contract}.md`, testsFolder), conformanceTable(contract));
  }
}
