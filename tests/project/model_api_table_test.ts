import assert from "node:assert/strict";
import { unpackText } from "../../lib/http/packed_text.ts";
import { test } from "node:test";
import { packedApiOpenApi } from "../../lib/api/http/api_openapi.generated.ts";
import { apiHelp } from "../../servers/flags/api_flags.ts";
import { ConformanceTable } from "../support/conformance_table.ts";

const description = JSON.parse(await unpackText(packedApiOpenApi));
const table = new ConformanceTable("tests/conformance/model-api.md");

const headings = [
  "Options",
  "Service",
  "Model list entry",
  "Runtime settings",
  "Runtime status",
  "States",
  "Endpoints",
  "Chat request",
  "Chat rules",
  "Embeddings request",
  "Rerank request",
  "Speech request",
  "Image request",
  "Transcription request",
  "Engine behavior",
  "Authentication",
  "Events",
  "Errors",
  "Limits",
  "Versions",
  "Rules of every route",
  "Rules of the model API",
];

test("the table of the model API has a section for every table of the contract, and each has lines", () => {
  assert.deepEqual([...table.sections.keys()], headings);
  for (const [heading, lines] of table.sections) assert.ok(lines.length > 0, heading);
});

const records: [schema: string, heading: string][] = [
  ["Model", "Model list entry"],
  ["SettingsRequest", "Runtime settings"],
  ["RuntimeStatus", "Runtime status"],
  ["ChatRequest", "Chat request"],
  ["EmbeddingRequest", "Embeddings request"],
  ["RerankRequest", "Rerank request"],
  ["SpeechRequest", "Speech request"],
];
for (const [schema, heading] of records) {
  test(`the table of the model API has every field of ${schema}`, () => {
    const fields = Object.keys(description.components.schemas[schema].properties);
    const rows = table.rows(heading);
    assert.deepEqual(fields.filter((field) => !rows.includes(`\`${field}\``)), []);
  });
}

test("the table of the model API has every option of the server", () => {
  const options = [...apiHelp("svc api serve").matchAll(/^ +(?:-\w, )?(--[a-z-]+)/gm)].map(([, name]) => name);
  assert.ok(options.length > 15);
  const rows = table.rows("Options");
  assert.deepEqual(options.filter((name) => !rows.includes(`\`${name}\``)), []);
});

test("the table of the model API has every path of the API description", () => {
  const rows = table.rows("Endpoints");
  assert.deepEqual(Object.keys(description.paths).filter((path) => !rows.includes(`\`${path}\``)), []);
});
