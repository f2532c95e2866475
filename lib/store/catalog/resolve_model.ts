/**
 * Resolves names of models.
 *
 * @module
 */
import type { InstalledModel, RuntimeSettings } from "./installed_model.ts";

/** What a name refers to. */
export interface ResolvedModel {
  /** The name itself when no model has it. */
  readonly id: string;
  /** Undefined when the model is not installed. */
  readonly model: InstalledModel | undefined;
}

/**
 * Finds a model by its alias, else by its id; letters count the same in upper and lower case.
 *
 * @example
 * ```ts
 * import type { InstalledModel } from "./installed_model.ts";
 * import { resolveModel } from "./resolve_model.ts";
 * import assert from "node:assert/strict";
 *
 * const qwen: InstalledModel = {
 *   id: "qwen3-0.6b",
 *   task: "chat.completions",
 *   folder: "/models/qwen3-0.6b",
 *   files: [],
 *   bytes: 919_000_000,
 *   installedAt: "2026-01-01T00:00:00.000Z",
 * };
 * const settings = new Map([["qwen3-0.6b", { pinned: false, alias: "Fast" }]]);
 * assert.equal(resolveModel([qwen], settings, "fast").model, qwen);
 * ```
 */
export function resolveModel(
  models: readonly InstalledModel[],
  settings: ReadonlyMap<string, RuntimeSettings>,
  name: string,
): ResolvedModel {
  const folded = name.trim().toLowerCase();
  const [aliased] = [...settings].find(([, { alias }]) => alias?.toLowerCase() === folded) ?? [];
  const id = aliased ?? folded;
  const model = models.find((one) => one.id === id);
  return { id: aliased ?? model?.id ?? name.trim(), model };
}
