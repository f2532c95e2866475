/**
 * The model that a server loads at start.
 *
 * @module
 */
import { isRepositoryName } from "../../store/catalog/hub_repository.ts";
import { optionError, UsageError } from "../../errors/option_error.ts";
import type { EngineId } from "../../engines/contract/engine_ids.ts";
import { openLocalModel } from "../../store/local_model.ts";
import { findUserPath } from "../../platform/files/user_files.ts";
import type { InstalledModel, ModelCatalog } from "../../store/catalog/installed_model.ts";
import { closestModel, resolveModel } from "../../store/catalog/resolve_model.ts";

/** How to choose the startup model. */
export interface StartupChoice {
  /** Id, alias, folder or GGUF file. */
  readonly model?: string | undefined;
  readonly engine?: EngineId | undefined;
  /** Path of an adapter. */
  readonly lora?: string | undefined;
  /** Whether its key-value cache is packed into 2 bits. */
  readonly packedKv?: boolean | undefined;
}

/** A model to start with. */
export interface StartupModel {
  readonly model: InstalledModel;
  /** Whether the options named it. */
  readonly named: boolean;
  /** Absolute path of an adapter. */
  readonly lora: string | undefined;
  readonly packedKv: boolean;
}

/** The models of a server. */
export interface StartupModels {
  /** Those of the store, plus a named one from elsewhere. */
  readonly catalog: ModelCatalog;
  /** Undefined when none was named and the choice is not unique. */
  readonly startup: StartupModel | undefined;
  /** How to proceed without one. */
  readonly hint: string | undefined;
}

/**
 * Chooses the startup model: the named one, else the only chat model.
 *
 * @throws {UsageError} when the named model is missing, cannot be served, or needs another engine.
 * @throws {SvcError} when the files of a path are of no model that can be served.
 */
export async function chooseStartupModel(catalog: ModelCatalog, choice: StartupChoice): Promise<StartupModels> {
  const { model: name, engine } = choice;
  const models = await catalog.list();
  if (name !== undefined) {
    const settings = await catalog.settings();
    const { model: installed } = resolveModel(models, settings, name);
    const model = installed ?? (await findUserPath(name) ? await openLocalModel(name) : undefined);
    if (!model) throw unknownName(catalog, name, closestModel(models, settings, name));
    checkServed(model, engine);
    const startup = { model, named: true, ...await startupFeatures(model, choice) };
    return { catalog: installed ? catalog : withModel(catalog, model), startup, hint: undefined };
  }
  const chats = models.filter((model) => chatsWith(model, engine));
  const [model] = chats;
  if (model && chats.length === 1) {
    const startup = { model, named: false, ...await startupFeatures(model, choice) };
    return { catalog, startup, hint: undefined };
  }
  await startupFeatures(undefined, choice);
  const of = engine === undefined ? "" : ` of ${engine}`;
  const hint = chats.length === 0
    ? `No chat model${of} is installed: get one with svc model pull <id>, or add files with svc model add; ` +
      "this server finds it without a restart"
    : `Several chat models${of} are installed: requests must name one of ` +
      `${chats.map(({ id }) => id).join(", ")}; one that is named at the start is the default`;
  return { catalog, startup: undefined, hint };
}

/** The error for a name that neither an installed model nor a file has. */
function unknownName({ known }: ModelCatalog, name: string, meant: string | undefined): UsageError {
  const canPull = known.includes(name) || isRepositoryName(name);
  const remedy = canPull
    ? `run svc model pull ${name}, or see svc model list`
    : meant
    ? `did you mean ${meant}?`
    : "see svc model list";
  return new UsageError(`Cannot serve ${name}: no installed model or file has this name, ${remedy}`);
}

/** The adapter and packing that the options ask for, if the startup model supports them. */
async function startupFeatures(
  model: InstalledModel | undefined,
  { lora, packedKv = false }: StartupChoice,
): Promise<Pick<StartupModel, "lora" | "packedKv">> {
  const chat = model?.profile?.kind === "chat" ? model.profile : undefined;
  const adapter = lora === undefined ? undefined : await findUserPath(lora);
  if (lora !== undefined && chat?.engine !== "gguf-text") {
    const what = model ? `the engine of ${model.id} is ${chat?.engine}` : undefined;
    throw optionError((name) =>
      `Cannot use ${name("lora")}: ${what ?? `no model is named with ${name("model")}`}, ` +
      "expected a gguf-text model, which supports adapters"
    );
  }
  if (lora !== undefined && adapter === undefined) {
    throw optionError((name) => `Cannot use ${name("lora")} ${lora}: the file does not exist, expected a GGUF adapter`);
  }
  if (packedKv && !chat?.kvCacheModes.includes("polar2")) {
    const what = model ? `the engine of ${model.id} does not support it` : undefined;
    throw optionError((name) =>
      `Cannot use ${name("packedKv")}: ${what ?? `no model is named with ${name("model")}`}, ` +
      "expected an onnx-text model, whose key-value state can be packed in 2 bits"
    );
  }
  return { lora: adapter, packedKv };
}

function checkServed({ id, profile, task }: InstalledModel, engine: EngineId | undefined): void {
  if (profile === undefined) {
    throw new UsageError(`Cannot start with ${id}: its task is ${task}, which no engine of this version serves`);
  }
  if (engine !== undefined && profile.engine !== engine) {
    throw optionError((name) =>
      `Cannot serve ${id} with ${engine}: its engine is ${profile.engine}, omit ${name("engine")}`
    );
  }
}

function chatsWith({ profile }: InstalledModel, engine: EngineId | undefined): boolean {
  return profile?.kind === "chat" && (engine === undefined || profile.engine === engine);
}

/** A catalog plus one model from elsewhere, which has no settings of its own. */
function withModel(catalog: ModelCatalog, model: InstalledModel): ModelCatalog {
  return {
    ...catalog,
    list: async () => [...(await catalog.list()).filter(({ id }) => id !== model.id), model],
  };
}
