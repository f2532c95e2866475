/**
 * Runtime settings of chat models.
 *
 * @module
 */
import type { ModelCatalog } from "../../store/catalog/installed_model.ts";
import { resolveModel } from "../../store/catalog/resolve_model.ts";
import { settingsJson } from "../../store/catalog/runtime_settings.ts";
import { show } from "../../errors/show.ts";
import { invalidRequest } from "../../errors/svc_error.ts";
import type { ModelDirectory, StoreView } from "./model_directory.ts";
import { ofStore } from "./store_refusal.ts";

/** Runtime settings as stored and sent. */
export type SettingsRecord = Readonly<Record<string, unknown>>;

/** Reads and replaces the settings of chat models that are installed or in the catalog. */
export class SettingsService {
  readonly #directory: ModelDirectory;
  readonly #catalog: ModelCatalog;

  constructor(directory: ModelDirectory, catalog: ModelCatalog) {
    this.#directory = directory;
    this.#catalog = catalog;
  }

  /** @throws {SvcError} `model_not_found`, `wrong_model_task`. */
  async read(name: string): Promise<SettingsRecord> {
    const { id, view } = await this.#known(name, "read the settings");
    return settingsJson(view.settings.get(id) ?? { pinned: false });
  }

  /**
   * Replaces all settings of a model: omitted ones are unset.
   *
   * @throws {SvcError} as {@linkcode read}, and `invalid_settings`, `alias_taken`.
   */
  async replace(name: string, settings: unknown): Promise<SettingsRecord> {
    const { id } = await this.#known(name, "change the settings");
    const saved = settingsJson(await ofStore(this.#catalog.saveSettings(id, settings)));
    await this.#directory.look(); // so that they apply as soon as the answer is sent
    return saved;
  }

  async #known(name: string, action: string): Promise<{ readonly id: string; readonly view: StoreView }> {
    const view = await this.#directory.look();
    const { id, model } = resolveModel(view.models, view.settings, name);
    if (model && model.task !== "chat.completions") {
      const message =
        `Cannot ${action}: the model ${show(id)} has the task ${model.task}, expected chat.completions; ` +
        "svc model runtime set changes the settings of any model";
      throw invalidRequest("wrong_model_task", message, "model");
    }
    if (model || this.#catalog.known.includes(id)) return { id, view };
    throw this.#directory.notFound(id, view, action);
  }
}
