/**
 * Resolves names of models, and of the draft model that one names.
 *
 * @module
 */
import type { InstalledModel, RuntimeSettings } from "./installed_model.ts";
import { closestWord } from "../../errors/closest_word.ts";
import { show } from "../../errors/show.ts";
import { invalidRequest, modelUnavailable } from "../../errors/svc_error.ts";

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

/** The id or alias that a mistyped name most likely means: of an installed model, or one of `others`. */
export function closestModel(
  models: readonly Pick<InstalledModel, "id">[],
  settings: ReadonlyMap<string, RuntimeSettings>,
  name: string,
  others: readonly string[] = [],
): string | undefined {
  const aliases = [...settings.values()].flatMap(({ alias }) => alias ?? []);
  return closestWord(name.trim(), [...models.map(({ id }) => id), ...aliases, ...others]);
}

/** The engine that takes draft models. */
const ENGINE = "gguf-text";

/**
 * Refuses a draft model that does not exist or cannot draft; its vocabulary is compared when the model is loaded.
 *
 * @param model The model of the settings; undefined when it is not installed.
 * @throws {SvcError} `invalid_settings`.
 */
export function checkDraftModel(
  id: string,
  model: InstalledModel | undefined,
  { draftModel }: RuntimeSettings,
  models: readonly InstalledModel[],
): void {
  if (draftModel === undefined) return;
  const problem = problemOf(draftModel, model, models);
  if (problem === undefined) return;
  const message = `Cannot change the settings of ${id}: "draftModel" is ${show(draftModel)}, ${problem}`;
  throw invalidRequest("invalid_settings", message, "draftModel");
}

/**
 * The draft model for a load; undefined where the settings name none.
 *
 * @throws {SvcError} `model_unavailable` for one that was removed or replaced since.
 */
export function draftModelOf(
  model: InstalledModel,
  { draftModel }: RuntimeSettings,
  models: readonly InstalledModel[],
): InstalledModel | undefined {
  if (draftModel === undefined || model.profile?.engine !== ENGINE) return undefined;
  const problem = problemOf(draftModel, model, models);
  if (problem === undefined) return models.find(({ id }) => id === draftModel);
  throw modelUnavailable(
    "model_unavailable",
    `Cannot load model ${model.id}: its draft model is ${show(draftModel)}, ${problem}; ` +
      `svc model runtime set ${model.id} --clear-draft-model loads it without`,
  );
}

function problemOf(
  id: string,
  model: InstalledModel | undefined,
  models: readonly InstalledModel[],
): string | undefined {
  const draft = models.find((one) => one.id === id);
  if (draft === undefined) return "which is not installed, expected the id of an installed model, see svc model list";
  if (draft.profile?.engine !== ENGINE) {
    return `whose engine is ${draft.profile?.engine ?? "none"}, expected a chat model of ${ENGINE}`;
  }
  if (model === undefined) return "expected the model that it drafts for to be installed";
  if (model.profile?.engine !== ENGINE) {
    return `and the engine of ${model.id} is ${model.profile?.engine ?? "none"}, expected a draft for ${ENGINE} only`;
  }
  return draft.bytes < model.bytes ? undefined : `which is no smaller than ${model.id}, expected a smaller model`;
}
