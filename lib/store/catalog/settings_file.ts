/**
 * The file with the runtime settings of all models: `{"version":1,"models":{"<id>":{…}}}`.
 *
 * @module
 */
import type { RuntimeSettings } from "./installed_model.ts";
import { readRuntimeSettings, settingsJson } from "./runtime_settings.ts";
import { SvcError } from "../../errors/svc_error.ts";
import { isObject } from "../../json/json_text.ts";

/**
 * Reads the text of the file.
 *
 * @param path What the file is called in errors.
 * @throws {SvcError} `broken_settings`: settings that cannot be read are never taken for none.
 */
export function parseSettingsFile(path: string, text: string): Map<string, RuntimeSettings> {
  const broken = (what: string) =>
    new SvcError("broken_settings", `Cannot read ${path}: ${what}; repair the file, or delete it to start over`);
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    throw broken("it is not JSON");
  }
  if (!isObject(file) || !isObject(file.models)) throw broken('it has no object "models"');
  if (file.version !== 1) throw broken(`its version is ${JSON.stringify(file.version)}, expected 1`);
  return new Map(
    Object.entries(file.models).map(([id, value]) => {
      try {
        return [id, readRuntimeSettings(`read the settings of ${id}`, value)];
      } catch (error) {
        throw broken((error as Error).message);
      }
    }),
  );
}

/** The text of the file; models without settings are omitted. */
export function formatSettingsFile(settings: ReadonlyMap<string, RuntimeSettings>): string {
  const models = [...settings]
    .map(([id, one]) => [id, settingsJson(one)] as const)
    .filter(([, json]) => Object.entries(json).some(([key, value]) => key !== "pinned" || value !== false))
    .sort(([a], [b]) => a < b ? -1 : 1);
  return `${JSON.stringify({ models: Object.fromEntries(models), version: 1 }, undefined, 2)}\n`;
}
