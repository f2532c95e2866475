/**
 * The store of models on this machine.
 *
 * @module
 */
import { mkdir, readdir, readFile, stat } from "../platform/files/file_system.ts";
import { join, resolve } from "../platform/files/paths.ts";
import { CATALOG } from "./catalog/catalog.ts";
import type { InstalledModel, ModelCatalog, RuntimeSettings } from "./catalog/installed_model.ts";
import { checkDraftModel } from "./catalog/resolve_model.ts";
import { isModelId } from "./catalog/model_id.ts";
import { parseModelRecord, RECORD_NAME } from "./catalog/model_record.ts";
import { checkAlias, checkRuntimeSettings, formatSettingsFile, parseSettingsFile } from "./catalog/runtime_settings.ts";
import { makeOwnFolder } from "../platform/files/work_folder.ts";
import { replaceFile } from "../platform/files/atomic_write.ts";
import { locked } from "../platform/locks/locked.ts";
import { isStoreReadOnly, storeFolder, type StoreLayout, storeLayout } from "./store_layout.ts";
import { optionError } from "../errors/option_error.ts";
import { SvcError } from "../errors/svc_error.ts";

/** The contents of the store, including what is broken. */
export interface StoreContents {
  readonly models: readonly InstalledModel[];
  /** Models whose record cannot be read. */
  readonly broken: readonly { readonly id: string; readonly problem: string }[];
}

/** The store as the commands use it. */
export interface ModelStore extends ModelCatalog {
  readonly layout: StoreLayout;
  contents(): Promise<StoreContents>;
  /**
   * Atomically replaces the settings of a model by what `change` makes of the stored ones.
   *
   * @throws {SvcError} as {@linkcode ModelCatalog.saveSettings}.
   */
  updateSettings(id: string, change: (stored: RuntimeSettings | undefined) => unknown): Promise<RuntimeSettings>;
  /**
   * Refuses to change a store that others share; call it before anything that writes, locks or deletes there.
   *
   * @throws {SvcError} `store_read_only`
   */
  checkWritable(): void;
  /** Runs `work` while no other process changes the store. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
}

/** A record with the stamp of the file it was read from. */
interface SeenRecord {
  readonly mark: string;
  readonly model: InstalledModel;
}

const never = new AbortController().signal;

/**
 * Opens a store, which need not exist yet.
 *
 * @param folder By default the one that `SVC_MODELS_DIR` or the platform names.
 * @param readOnly Whether nothing in it may be written, locked or deleted; by default what `SVC_READ_ONLY_STORE` says.
 */
export function openModelStore(folder: string = storeFolder(), readOnly: boolean = isStoreReadOnly()): ModelStore {
  const layout = storeLayout(resolve(folder));
  const seen = new Map<string, SeenRecord>();

  async function contents(): Promise<StoreContents> {
    const models: InstalledModel[] = [];
    const broken: { id: string; problem: string }[] = [];
    const ids = (await readFolder(layout.folder)).filter(isModelId).sort();
    await Promise.all(ids.map(async (id) => {
      try {
        const model = await readRecord(layout.model(id), id, seen);
        if (model) models.push(model);
      } catch (error) {
        broken.push({ id, problem: (error as Error).message });
      }
    }));
    const byId = (a: { id: string }, b: { id: string }) => a.id < b.id ? -1 : 1;
    return { models: models.sort(byId), broken: broken.sort(byId) };
  }

  async function settings(): Promise<Map<string, RuntimeSettings>> {
    const text = await readText(layout.settings);
    return text === undefined ? new Map() : parseSettingsFile(layout.settings, text);
  }

  const store: ModelStore = {
    layout,
    settingsPath: layout.settings,
    known: CATALOG.map(({ id }) => id),
    contents,
    list: async () => (await contents()).models,
    settings,
    saveSettings: (id, value) => store.updateSettings(id, () => value),
    updateSettings: (id, change) =>
      store.exclusively(async () => {
        const models = await store.list();
        const own = models.find((one) => one.id === id);
        const model = own ?? CATALOG.find((one) => one.id === id);
        if (!model) throw unknownModel(id);
        const all = await settings();
        const checked = checkRuntimeSettings(model, change(all.get(id)));
        checkDraftModel(id, own, checked, models);
        checkAlias(id, checked.alias, [...store.known, ...models.map((one) => one.id)], all);
        await writeSettings(layout, all.set(id, checked));
        return checked;
      }),
    checkWritable() {
      if (!readOnly) return;
      throw optionError(
        (name) =>
          `Cannot change the store of models: it is shared and read-only here (${name("readOnlyStore")} or ` +
          "SVC_READ_ONLY_STORE), change it on the machine that fills it",
        (message) => new SvcError("store_read_only", message),
      );
    },
    exclusively: async (work) => {
      store.checkWritable();
      await makeInStore(layout, layout.own);
      return await locked(layout.own, {}, never, work);
    },
  };
  return store;
}

/**
 * Makes a folder of the store. The store itself is made for this user alone; to share it, one chooses its mode, which
 * stays.
 */
export async function makeInStore(layout: StoreLayout, folder: string): Promise<void> {
  await makeOwnFolder(layout.folder);
  await mkdir(folder, { recursive: true });
}

/** Writes the settings of all models; call it while holding the lock of the store. */
export async function writeSettings(
  layout: StoreLayout,
  settings: ReadonlyMap<string, RuntimeSettings>,
): Promise<void> {
  await replaceFile(layout.settings, new TextEncoder().encode(formatSettingsFile(settings)));
}

/** The record of a model, read again only when its file has changed; undefined for a folder without a record. */
async function readRecord(
  folder: string,
  id: string,
  seen: Map<string, SeenRecord>,
): Promise<InstalledModel | undefined> {
  const path = join(folder, RECORD_NAME);
  const info = await stat(path).catch(ignoreMissing);
  if (!info) return undefined;
  const mark = `${info.ino} ${info.mtimeMs} ${info.size}`;
  const known = seen.get(id);
  if (known?.mark === mark) return known.model;
  const model = parseModelRecord(id, folder, await readFile(path, "utf8"));
  seen.set(id, { mark, model });
  return model;
}

async function readFolder(path: string): Promise<readonly string[]> {
  return await readdir(path).catch(ignoreMissing) ?? [];
}

async function readText(path: string): Promise<string | undefined> {
  return await readFile(path, "utf8").catch(ignoreMissing);
}

function ignoreMissing(error: { code?: string }): undefined {
  if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
}

function unknownModel(id: string): SvcError {
  return new SvcError(
    "model_not_found",
    `Cannot find the model ${JSON.stringify(id)}: it is neither installed nor in the catalog, see svc model list`,
  );
}
