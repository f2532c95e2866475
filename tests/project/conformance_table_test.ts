import assert from "node:assert/strict";
import { unpackText } from "../../lib/http/packed_text.ts";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { packedOpenApi } from "../../lib/world/http/openapi.generated.ts";
import { worldHelp } from "../../servers/flags/world_flags.ts";
import {
  annotations,
  conformanceTable,
  contracts,
  testsOfRows,
  unprovedRows,
} from "../../scripts/generate_conformance.mjs";
import { ConformanceTable } from "../support/conformance_table.ts";

const description = JSON.parse(await unpackText(packedOpenApi));
const table = new ConformanceTable("tests/conformance/world-session.md");
const { sections } = table;

const headings = [
  "Options",
  "Worlds",
  "Snapshot",
  "Transition",
  "Rollout",
  "Reset and checkpoint requests",
  "Job",
  "Chunks",
  "Receipts",
  "Checkpoints",
  "Scene memory",
  "States",
  "Endpoints",
  "Authentication",
  "Events",
  "Errors",
  "Limits",
  "Versions",
  "Rules of every route",
  "Rules of the world server",
];

test("the table has a section for every table of the contract, and each has lines", () => {
  assert.deepEqual([...sections.keys()], headings);
  for (const [heading, lines] of sections) assert.ok(lines.length > 0, heading);
});

const records: [schema: string, heading: string][] = [
  ["WorldSnapshot", "Snapshot"],
  ["TransitionRequest", "Transition"],
  ["RolloutRequest", "Rollout"],
  ["ResetRequest", "Reset and checkpoint requests"],
  ["CheckpointRequest", "Reset and checkpoint requests"],
  ["JobRecord", "Job"],
  ["ChunkRecord", "Chunks"],
  ["TransitionReceipt", "Receipts"],
  ["RolloutReceipt", "Receipts"],
  ["CheckpointRecord", "Checkpoints"],
];
for (const [schema, heading] of records) {
  test(`the table has every field of ${schema}`, () => {
    const fields = Object.keys(description.components.schemas[schema].properties).filter((name) => !/[A-Z]/.test(name));
    const rows = table.rows(heading);
    const found = (field: string) => new RegExp("`(camera\\.)?" + field + "\\b").test(rows);
    assert.deepEqual(fields.filter((field) => field !== "camera" && !found(field)), []);
  });
}

test("the table has every option of the server", () => {
  const options = [...worldHelp("svc world serve").matchAll(/^ +(--[a-z-]+)/gm)].map(([, name]) => name);
  assert.ok(options.length > 20);
  const rows = table.rows("Options");
  assert.deepEqual(options.filter((name) => !rows.includes(`\`${name}\``)), []);
});

test("the table has every path of the API description but those of the page", () => {
  const named = sections.get("Endpoints")!.flatMap(({ names }) => names.map((name) => name.split(" answers ")[0]));
  const covered = (path: string) => {
    const pattern = new RegExp(`^${path.replace("{id}", "[0-9a-f-]{36}").replace(/\{(?:index|place)\}/, "\\d+")}$`);
    return named.some((name) => pattern.test(name));
  };
  const paths = Object.keys(description.paths).filter((path) => !/^\/(page\..*)?$/.test(path));
  assert.deepEqual(paths.filter((path) => !covered(path)), []);
});

for (const contract of contracts) {
  test(`tests/conformance/${contract}.md is what the annotations of the tests say`, () => {
    const file = readFileSync(new URL(`../conformance/${contract}.md`, import.meta.url), "utf8");
    assert.equal(file, conformanceTable(contract), "run node scripts/generate_conformance.mjs");
  });
}

test("a row names a test by its place, and one case of many by the values of its title", () => {
  const titles = 'test("adds", f); test(`${field} of ${route}: its bounds`, f); test(`runs on ${name}`, f);';
  const rows = ["A > b", "A > c => width · rollouts", "A > c => width", "A > c => … · rollouts", "A > d"];
  const named = (rowsOf: string[], before: string) => {
    const above = rowsOf.map((row) => `// @row ${row}\n`).join("");
    return [...annotations(titles.replace(`test(${before}`, `\n${above}test(${before}`))].map(({ test }) => test);
  };
  assert.deepEqual(named(rows.slice(0, 1), '"adds"'), ["adds"]);
  assert.deepEqual(named(rows.slice(1, 4), "`${field}"), [
    "width of rollouts: its bounds",
    "width of …: its bounds",
    "… of rollouts: its bounds",
  ]);
  assert.deepEqual(named(rows.slice(4), "`runs"), ["runs on …"]);
  const tooMany = 'Cannot read "@row A > e => x · y": `runs on ${name}` has fewer parameters';
  assert.throws(() => named(["A > e => x · y"], "`runs"), { message: tooMany });
});

const rows = testsOfRows();
const named = [...rows.values()].flat().map(({ name }) => name);
/** Every named test as it would be met, once for each. */
const all: ReadonlySet<string> = new Set(named.map((name) => name.replaceAll("…", "one of them")));

test("rows whose tests have passed are proved", () => assert.deepEqual(unprovedRows(all), []));

test("a row is not proved by tests that were skipped only", () => {
  const [row, [{ name }]] = [...rows].find(([, { length }]) => length === 1)!;
  const others = new Set(all);
  others.delete(name);
  const shared = [...rows].filter(([, tests]) => tests.every((one) => one.name === name)).map(([one]) => one);
  assert.ok(shared.includes(row));
  assert.deepEqual(unprovedRows(others, [name]), shared.map((one) => `${one}: none of its tests has passed`));
});

test("a case that is named and not met is reported, however many other tests its row has", () => {
  const [row, tests] = [...rows].find(([, { length }]) => length > 1)!;
  const [{ file, name }] = tests;
  const others = new Set(all);
  others.delete(name);
  const missing = unprovedRows(others);
  assert.ok(missing.includes(`${row}: no test "${name}" in ${file}`));
  assert.ok(missing.every((line) => line.includes(`no test "${name}" in`)));
});
