/**
 * The draft model that a model's settings name.
 *
 * @module
 */
import { show } from "../../errors/show.ts";
import { invalidRequest, modelUnavailable } from "../../errors/svc_error.ts";
import type { InstalledModel, RuntimeSettings } from "./installed_model.ts";

/** The engine that takes draft models. */
const ENGINE = "gguf-text";

/**
 * Refuses a draft model that is not there or cannot draft; its vocabulary is compared when the model is loaded.
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
    return `and the engine of ${model.id} is ${model.profile?.engine ?? "none"}, expected no draft but for ${ENGINE}`;
  }
  return draft.bytes < model.bytes ? undefined : `which is no smaller than ${model.id}, expected a smaller model`;
}
