import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { openApiText } from "../../lib/http/openapi.generated.ts";
import { worldHelp } from "../../servers/world_flags.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const description = JSON.parse(openApiText);

/** One line of a table: what it is about, and a test of it. */
interface Line {
  readonly row: string;
  readonly file: string;
  readonly names: readonly string[];
}

/** The lines of the tables of docs/world-session.md by their heading. */
const sections = new Map<string, Line[]>();
for (const part of readFileSync(join(root, "docs/world-session.md"), "utf8").split(/^### /m).slice(1)) {
  const cells = part.split("\n").filter((line) => line.startsWith("| ")).slice(2).map((line) =>
    line.slice(1, -1).split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"))
  );
  sections.set(
    part.split("\n")[0].trim(),
    cells.map(([row, file, tests]) => ({
      row,
      file: file.replaceAll("`", ""),
      names: [...tests.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
    })),
  );
}

/** Names of the tests of a file, as they are written. */
function testNames(text: string): string[] {
  return [...text.matchAll(/\btest\(\s*("(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`)/g)].map(([, name]) =>
    name.startsWith('"') ? JSON.parse(name) : name.slice(1, -1)
  );
}

/**
 * Whether a file has a test of that name, where `…` stands for anything. What stands in the place of a value of a
 * parametrised name must be made of words of the file or of the API description.
 */
function hasTest(text: string, name: string): boolean {
  return testNames(text).some((written) => {
    if (written === name) return true;
    const [head] = written.split("${");
    if (head !== written && name === `${head}…`) return true;
    const literals = written.split(/\$\{[^}]*\}/).map((literal) => literal.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
    const values = new RegExp(`^${literals.join("(.+?)")}$`).exec(name)?.slice(1) ?? [];
    const known = `${text}\n${openApiText}`.toLowerCase();
    return values.length > 0 &&
      values.flatMap((value) => value.toLowerCase().match(/[a-z0-9]+/g) ?? []).every((word) => known.includes(word));
  });
}

test("every line of the table names tests that are there", () => {
  const missing = [...sections.values()].flat().flatMap(({ row, file, names }) => {
    const path = join(root, file);
    if (names.length === 0 || !existsSync(path)) return [`${row}: ${file}`];
    const text = readFileSync(path, "utf8");
    return names.filter((name) => !hasTest(text, name)).map((name) => `${row}: ${file}: ${name}`);
  });
  assert.deepEqual(missing, []);
});

const headings = [
  "Options",
  "Snapshot",
  "Transition",
  "Rollout",
  "Reset and lock requests",
  "Job",
  "Chunks",
  "Receipts",
  "Locks",
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

/** The words in code font among the rows of a section. */
function rowsOf(heading: string): string {
  return sections.get(heading)!.map(({ row }) => row).join("\n");
}

const records: [schema: string, heading: string][] = [
  ["WorldSnapshot", "Snapshot"],
  ["TransitionRequest", "Transition"],
  ["RolloutRequest", "Rollout"],
  ["ResetRequest", "Reset and lock requests"],
  ["CheckpointRequest", "Reset and lock requests"],
  ["JobRecord", "Job"],
  ["ChunkRecord", "Chunks"],
  ["TransitionReceipt", "Receipts"],
  ["RolloutReceipt", "Receipts"],
  ["CheckpointRecord", "Locks"],
];
for (const [schema, heading] of records) {
  test(`the table has every field of ${schema}`, () => {
    const fields = Object.keys(description.components.schemas[schema].properties).filter((name) => !/[A-Z]/.test(name));
    const rows = rowsOf(heading);
    const found = (field: string) => new RegExp("`(camera\\.)?" + field + "\\b").test(rows);
    assert.deepEqual(fields.filter((field) => field !== "camera" && !found(field)), []);
  });
}

test("the table has every option of the server", () => {
  const options = [...worldHelp("svc world serve").matchAll(/^ +(--[a-z-]+)/gm)].map(([, name]) => name);
  assert.ok(options.length > 20);
  const rows = rowsOf("Options");
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
