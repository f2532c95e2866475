/**
 * The store of models, independent of the machine: records, settings, names, and public models by short ids.
 *
 * @module
 */
export { CATALOG, type CatalogModel } from "./catalog.ts";
export { chooseFiles, type ChosenFiles } from "./choose_files.ts";
export { type DetectedModel, detectModel, type ProfileReader } from "./detect_model.ts";
export type * from "./installed_model.ts";
export { checkModelId, idOfRepository, isModelId } from "./model_id.ts";
export { formatModelRecord, parseModelRecord } from "./model_record.ts";
export { MODEL_TASKS } from "./model_tasks.ts";
export { type ResolvedModel, resolveModel } from "./resolve_model.ts";
export * from "./runtime_settings.ts";
export { formatSettingsFile, parseSettingsFile } from "./settings_file.ts";
