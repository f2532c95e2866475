/**
 * Adds models to the store and removes them atomically.
 *
 * @module
 */
import { mkdir, readdir, rename, rm } from "../platform/files/file_system.ts";
import { join } from "../platform/files/paths.ts";
import type { InstalledModel } from "./catalog/installed_model.ts";
import { formatModelRecord, RECORD_NAME } from "./catalog/model_record.ts";
import { replaceFile } from "../platform/files/atomic_write.ts";
import { thisMachine } from "../platform/processes/processes.ts";
import { makeInStore, type ModelStore, writeSettings } from "./model_store.ts";
import { optionError } from "../errors/option_error.ts";
import { SvcError } from "../errors/svc_error.ts";

/** A folder on its way into or out of the store. */
export interface Staging {
  readonly folder: string;
  /** Removes it with its contents. */
  discard(): Promise<void>;
}

/** Creates an empty folder beside the models; those of dead processes are removed. */
export async function openStaging(store: ModelStore): Promise<Staging> {
  store.checkWritable();
  const { layout } = store;
  await makeInStore(layout, layout.staging);
  for (const name of await readdir(layout.staging)) {
    const pid = Number.parseInt(name);
    if (!thisMachine.isRunning(pid)) await rm(join(layout.staging, name), { recursive: true, force: true });
  }
  const folder = join(layout.staging, `${thisMachine.pid}-${crypto.randomUUID()}`);
  await mkdir(folder);
  return { folder, discard: () => rm(folder, { recursive: true, force: true }) };
}

/**
 * Refuses an id that is taken.
 *
 * @param replace Whether a model of this id may be there already.
 * @throws {SvcError} `already_installed`, or `alias_taken` when it is the alias of another model.
 */
export async function checkFree(store: ModelStore, verb: string, id: string, replace: boolean): Promise<void> {
  const { models, broken } = await store.contents();
  if (!replace && [...models, ...broken].some((one) => one.id === id)) {
    throw optionError(
      (name) =>
        `Cannot ${verb} ${id}: a model with this id is installed, remove it with svc model rm ${id} or choose another ` +
        name("id"),
      (message) => new SvcError("already_installed", message),
    );
  }
  for (const [other, { alias }] of await store.settings()) {
    if (other === id || alias?.toLowerCase() !== id) continue;
    throw optionError(
      (name) =>
        `Cannot ${verb} ${id}: it is the alias of ${other}, clear it with svc model runtime set ${other} --clear-alias ` +
        `or choose another ${name("id")}`,
      (message) => new SvcError("alias_taken", message),
    );
  }
}

/**
 * Moves a staged folder into the store. With `replace` an existing model is exchanged atomically.
 *
 * @param linked Whether the files of `model` stay in the user's own folder.
 * @throws {SvcError} as {@linkcode checkFree}.
 */
export async function commitModel(
  store: ModelStore,
  verb: string,
  staging: Staging,
  model: Omit<InstalledModel, "folder">,
  { folder, replace = false }: { readonly folder?: string; readonly replace?: boolean } = {},
): Promise<InstalledModel> {
  const home = store.layout.model(model.id);
  const installed = { ...model, folder: folder ?? home };
  const text = new TextEncoder().encode(formatModelRecord(installed, folder !== undefined));
  await replaceFile(join(staging.folder, RECORD_NAME), text);
  await store.exclusively(async () => {
    await checkFree(store, verb, model.id, replace);
    const old = await moveAway(store, model.id);
    await rename(staging.folder, home);
    await old?.discard();
  });
  return installed;
}

/** Removes a model and its settings from the store; linked files stay in place. */
export async function removeModel(store: ModelStore, id: string): Promise<void> {
  await store.exclusively(async () => {
    const old = await moveAway(store, id);
    const settings = new Map(await store.settings());
    if (settings.delete(id)) await writeSettings(store.layout, settings);
    await old?.discard();
  });
}

/** Renames the folder of a model before its removal, so that it is never seen half removed. */
async function moveAway(store: ModelStore, id: string): Promise<Staging | undefined> {
  const staging = await openStaging(store);
  try {
    await rename(store.layout.model(id), join(staging.folder, id));
    return staging;
  } catch (error) {
    await staging.discard();
    if ((error as { code?: string }).code === "ENOENT") return undefined;
    throw error;
  }
}
