/**
 * Models by name.
 *
 * @module
 */
import type { ModelProfile, ProfileOf } from "../../engines/contract/model_profile.ts";
import { modelKinds } from "../../engines/table/model_kinds.ts";
import type { Clock, ResidencySettings } from "../../scheduling/mod.ts";
import type { InstalledModel, ModelCatalog, RuntimeSettings } from "../../store/catalog/installed_model.ts";
import { isRepositoryName } from "../../store/catalog/hub_repository.ts";
import { closestModel, resolveModel } from "../../store/catalog/resolve_model.ts";
import { show } from "../../errors/show.ts";
import { invalidRequest, notFound, type SvcError } from "../../errors/svc_error.ts";
import { ofStore } from "./store_refusal.ts";

/** Milliseconds after which the settings for the scheduler are read again. */
const SETTINGS_AGE = 1000;

/** Default settings of a model. */
const NO_SETTINGS: RuntimeSettings = { pinned: false };

/** The contents of the store at one moment. */
export interface StoreView {
  readonly models: readonly InstalledModel[];
  readonly settings: ReadonlyMap<string, RuntimeSettings>;
}

/** A model that supports the requested task. */
export interface FoundModel<K extends ModelProfile["kind"]> {
  readonly model: InstalledModel;
  readonly profile: ProfileOf<K>;
  readonly settings: RuntimeSettings;
}

/** Options of a {@linkcode ModelDirectory}. */
export interface ModelDirectoryOptions {
  readonly catalog: ModelCatalog;
  readonly clock: Clock;
  /** Without it, models are named by id and alias only. */
  readonly openLocalModel?: OpenLocalModel | undefined;
  /** Id of the model that the server was started with. */
  readonly startupModel?: string | undefined;
}

/** Reads the profile of a model in a folder that a client names, if the path policy allows it. */
export type OpenLocalModel = (path: string) => Promise<InstalledModel>;

/** Finds models and their settings in the store, always up to date. */
export class ModelDirectory {
  readonly #options: ModelDirectoryOptions;
  #settings: ReadonlyMap<string, RuntimeSettings> = new Map();
  #settingsAt = -Infinity;
  #models: readonly InstalledModel[] = [];

  constructor(options: ModelDirectoryOptions) {
    this.#options = options;
  }

  /** @throws {SvcError} when the store cannot be read. */
  async look(): Promise<StoreView> {
    const { catalog } = this.#options;
    const [models, settings] = await ofStore(Promise.all([catalog.list(), catalog.settings()]));
    this.#keep(settings);
    this.#models = models;
    return { models, settings };
  }

  /** The draft model of a model, if it is there, as {@linkcode look} has last seen it. */
  draftOf(id: string): InstalledModel | undefined {
    const { draftModel } = this.#settings.get(id) ?? NO_SETTINGS;
    return draftModel === undefined ? undefined : this.#models.find((model) => model.id === draftModel);
  }

  /**
   * The settings that decide how long a model stays loaded, possibly slightly out of date: the scheduler needs them
   * synchronously.
   */
  residency(id: string): ResidencySettings {
    if (this.#options.clock.now() - this.#settingsAt >= SETTINGS_AGE) {
      this.#settingsAt = this.#options.clock.now();
      this.#options.catalog.settings().then((settings) => this.#keep(settings), () => {}); // the last ones stay in force
    }
    return this.#settings.get(id) ?? NO_SETTINGS;
  }

  /**
   * The model with a name: an alias, else an id.
   *
   * @param action The words after "Cannot" in errors.
   * @throws {SvcError} `model_not_found`, `wrong_model_task`, `unsupported_model`.
   */
  async find<K extends ModelProfile["kind"]>(name: string, kind: K, action: string): Promise<FoundModel<K>> {
    const view = await this.look();
    const { id, model } = resolveModel(view.models, view.settings, name);
    if (!model) throw this.notFound(id, view, action);
    const { tasks } = modelKinds[kind];
    if (!tasks.includes(model.task)) {
      const expected = tasks.join(" or ");
      const message = `Cannot ${action}: the model ${show(id)} has the task ${model.task}, expected ${expected}`;
      throw invalidRequest("wrong_model_task", message, "model");
    }
    if (model.profile?.kind !== kind) {
      const message = `Cannot ${action}: no engine of this version serves the model ${show(id)}, choose another one`;
      throw invalidRequest("unsupported_model", message, "model");
    }
    return { model, profile: model.profile as ProfileOf<K>, settings: view.settings.get(id) ?? NO_SETTINGS };
  }

  /**
   * The model of a request on a lane: with an id, an alias or a path, else the default of its kind, which names of other
   * interfaces stand for too.
   *
   * @throws {SvcError} as {@linkcode find}.
   */
  async findFor<K extends ModelProfile["kind"]>(
    given: string | undefined,
    kind: K,
    action: string,
  ): Promise<FoundModel<K>> {
    const name = given?.trim() ?? "";
    const { openLocalModel } = this.#options;
    if (openLocalModel !== undefined && /^(\.{0,2}\/|[a-z]:[\\/]|~\/)/i.test(name)) {
      const model = await ofStore(openLocalModel(name), "model");
      if (model.profile?.kind === kind) {
        // Folders may share a name: a lane distinguishes models by their ids.
        const local = { ...model, id: model.folder };
        return { model: local, profile: model.profile as ProfileOf<K>, settings: NO_SETTINGS };
      }
      const message = `Cannot ${action}: the folder ${show(name)} has no suitable model, expected one that does`;
      throw invalidRequest("wrong_model_task", message, "model");
    }
    return await this.find(await this.#defaultFor(name, kind) ?? name, kind, action);
  }

  /** The default of a kind where the name stands for it: the startup model, the best known one, any. */
  async #defaultFor(name: string, kind: ModelProfile["kind"]): Promise<string | undefined> {
    const { thirdParty, defaults } = modelKinds[kind];
    if (name !== "" && !thirdParty.includes(name.toLowerCase())) return undefined;
    const { models, settings } = await this.look();
    if (name !== "" && resolveModel(models, settings, name).model) return undefined;
    const ids = models.filter(({ profile }) => profile?.kind === kind).map(({ id }) => id);
    const { startupModel = "" } = this.#options;
    return [startupModel, ...defaults].find((id) => ids.includes(id)) ?? ids[0] ?? defaults[0];
  }

  /** The error for a name that no installed model has. */
  notFound(name: string, { models, settings }: StoreView, action: string): SvcError {
    const meant = closestModel(models, settings, name);
    const remedy = meant ? `did you mean ${show(meant)}?` : this.#remedy(name);
    const message = name === ""
      ? `Cannot ${action}: the request names no model and there is no default, get one with svc model pull <id>`
      : `Cannot ${action}: the model ${show(name)} is not installed, ${remedy}`;
    return notFound("model_not_found", message, "model");
  }

  /** How to get a model of this name: the advice to pull it only where that can work. */
  #remedy(name: string): string {
    if (this.#options.catalog.known.includes(name) || isRepositoryName(name)) return `run svc model pull ${name}`;
    const kind = Object.values(modelKinds).find(({ defaults }) => defaults.includes(name));
    return kind?.remedy ?? "get one that svc model list or svc model search shows with svc model pull <id>";
  }

  #keep(settings: ReadonlyMap<string, RuntimeSettings>): void {
    this.#settings = settings;
    this.#settingsAt = this.#options.clock.now();
  }
}
