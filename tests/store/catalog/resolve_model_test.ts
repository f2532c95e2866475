import assert from "node:assert/strict";
import { test } from "node:test";
import type { InstalledModel, RuntimeSettings } from "../../../lib/store/catalog/installed_model.ts";
import { resolveModel } from "../../../lib/store/catalog/resolve_model.ts";

const models = ["a", "b"].map((id): InstalledModel => ({
  ...{ id, task: "chat.completions", folder: `/store/${id}`, files: [], bytes: 0 },
  installedAt: "2026-01-01T00:00:00.000Z",
}));
const [a, b] = models;

test("resolveModel() finds models by id and alias, whatever the case", () => {
  const settings = new Map<string, RuntimeSettings>([["b", { pinned: false, alias: "Fast" }]]);
  assert.deepEqual(resolveModel(models, settings, "a"), { id: "a", model: a });
  assert.deepEqual(resolveModel(models, settings, " A "), { id: "a", model: a });
  for (const name of ["Fast", "fast", "FAST", " fast "]) {
    assert.deepEqual(resolveModel(models, settings, name), { id: "b", model: b });
  }
});

test("resolveModel() lets an alias win over an id", () => {
  const settings = new Map<string, RuntimeSettings>([["b", { pinned: false, alias: "a" }]]);
  assert.deepEqual(resolveModel(models, settings, "a"), { id: "b", model: b });
});

test("resolveModel() explains a name that is not installed", () => {
  const settings = new Map<string, RuntimeSettings>([["later", { pinned: false, alias: "soon" }]]);
  assert.deepEqual(resolveModel(models, settings, "soon"), { id: "later", model: undefined });
  assert.deepEqual(resolveModel(models, settings, "Nobody"), { id: "Nobody", model: undefined });
  assert.deepEqual(resolveModel(models, new Map([["a", { pinned: false }]]), ""), { id: "", model: undefined });
});
