import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { openApiText } from "../../lib/world/http/openapi.generated.ts";
import { worldHelp } from "../../servers/flags/world_flags.ts";
import { conformanceTable, contracts, rowsWithoutRun, testsOfRows } from "../../scripts/generate_conformance.mjs";
import { ConformanceTable } from "../support/conformance_table.ts";

const description = JSON.parse(openApiText);
const table = new ConformanceTable("tests/conformance/world-session.md", openApiText);
const { sections } = table;

test("every line of the table names tests that are there", () => assert.deepEqual(table.missing(), []));

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
    const pattern = new RegExp(`^${path.replace("{id}", "[0-9a-f-]{36}").replace("{index}", "\\d+")}$`);
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

test("a row whose tests did not run is reported", () => {
  const all = [...testsOfRows()];
  const ran = new Set(all.flatMap(([, tests]) => tests.map(({ name }) => name.replace("…", " one of them"))));
  assert.deepEqual(rowsWithoutRun(ran), []);
  const [row, tests] = all.find(([, { length }]) => length === 1)!;
  const shared = all.filter(([, others]) => others.every(({ name }) => name === tests[0].name)).map(([one]) => one);
  ran.delete(tests[0].name.replace("…", " one of them"));
  const missing = rowsWithoutRun(ran);
  assert.ok(missing.includes(row));
  assert.deepEqual(missing, shared);
});
