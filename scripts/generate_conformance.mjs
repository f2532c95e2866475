/**
 * Writes the tables that name the tests of each row of a contract, tests/conformance/*.md.
 *
 *   node scripts/generate_conformance.mjs
 *
 * The rows are listed in tests/conformance/rows/*.json. A test says above itself which rows it proves:
 *
 *   // @row world-session > Snapshot > `object`
 *   // @row world-session > Options > `--port` => port
 *   // @row world-session > Rollout > `width` => width · rollouts
 *
 * A test whose title has parameters is many: what follows the arrow are the values of one case, in the order of the
 * title; those that are left out may be anything. A row so depends on the case, not on the words of the title.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { root } from "./install.mjs";

/**
 * @typedef {{ heading: string, intro: string, rows: string[] }} Section
 * @typedef {{ file: string, name: string }} RowTest
 */

/** Any value of a parameter, in the name of a test. */
const ANY = "…";

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
 * The annotations of a file, each with the name of the test below it, in which `…` is any value of a parameter.
 *
 * @param {string} text
 */
export function* annotations(text) {
  const titles = /\btest\(\s*("(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`)/g;
  for (const { 1: content, index } of text.matchAll(/^\s*\/\/ @row (.*)$/gm)) {
    titles.lastIndex = index;
    const written = titles.exec(text)?.[1] ?? '""';
    const [row, arrow] = content.split(" => ");
    const values = arrow?.split(" · ").map((value) => value.trim()) ?? [];
    const test = written.startsWith('"')
      ? JSON.parse(written)
      : written.slice(1, -1).replace(/\$\{[^}]*\}/g, () => values.shift() ?? ANY);
    if (values.length > 0) throw new Error(`Cannot read "@row ${content}": ${written} has fewer parameters`);
    yield { row: row.trim(), test };
  }
}

/** @param {string} contract */
export function conformanceTable(contract) {
  const tests = testsOfRows();
  const cell = (/** @type {string} */ text) => text.replaceAll("|", "\\|");
  const lines = [
    `<!-- Written by scripts/generate_conformance.mjs from the annotations of the tests; do not edit. -->\n`,
    `# Rows of \`${contract}\` and their tests\n`,
    "`…` stands for any value: a test of which there are many cases.\n",
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
 * The rows none of whose tests has passed, and the cases named for a row that no runner has met: a case that is renamed
 * or taken away proves nothing any more.
 *
 * @param {Iterable<string>} passed Names of the tests that ran and passed.
 * @param {Iterable<string>} skipped Names of those that said why they cannot run here.
 */
export function unprovedRows(passed, skipped = []) {
  const ran = namesIn(passed);
  const met = namesIn([...passed, ...skipped]);
  return [...testsOfRows()].flatMap(([row, tests]) => {
    const lost = tests.filter(({ name }) => !met(name)).map(({ file, name }) => `${row}: no test "${name}" in ${file}`);
    return lost.length > 0 ? lost : tests.some(({ name }) => ran(name)) ? [] : [`${row}: none of its tests has passed`];
  });
}

/**
 * Whether a name, in which `…` is any value, is among these.
 *
 * @param {Iterable<string>} names
 * @returns {(name: string) => boolean}
 */
function namesIn(names) {
  const all = new Set(names);
  const lines = [...all].join("\n");
  return (name) => {
    if (!name.includes(ANY)) return all.has(name);
    const parts = name.split(ANY).map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
    return new RegExp(`^${parts.join(".*")}$`, "m").test(lines);
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const contract of contracts) {
    writeFileSync(new URL(`conformance/${contract}.md`, testsFolder), conformanceTable(contract));
  }
}
