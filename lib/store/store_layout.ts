/**
 * The layout of a model store.
 *
 * @module
 */
import { join, resolve } from "../platform/files/paths.ts";
import { appDirectory, type AppPlatform, thisPlatform } from "../platform/files/app_directory.ts";

/** Paths of a store. */
export interface StoreLayout {
  readonly folder: string;
  /** Folder of a model. */
  readonly model: (id: string) => string;
  /** Everything but models: settings, lock files, and incomplete models. */
  readonly own: string;
  readonly settings: string;
  /** Models being added or removed. */
  readonly staging: string;
  /** Partial downloads. */
  readonly downloads: string;
  /** Published worlds, and the folder of one. No model has this name. */
  readonly worlds: string;
  readonly world: (id: string) => string;
}

/** The folder of the store: `SVC_MODELS_DIR`, else `models` in the application directory. */
export function storeFolder(platform: AppPlatform = thisPlatform()): string {
  const given = platform.env["SVC_MODELS_DIR"]?.trim();
  return resolve(given || join(appDirectory(platform), "models"));
}

/** Whether `SVC_READ_ONLY_STORE` says that the store is shared: `1` or `true`. */
export function isStoreReadOnly(platform: AppPlatform = thisPlatform()): boolean {
  return /^(1|true)$/i.test(platform.env["SVC_READ_ONLY_STORE"]?.trim() ?? "");
}

/** The paths of the store in a folder. */
export function storeLayout(folder: string): StoreLayout {
  const own = join(folder, ".svc");
  return {
    folder,
    model: (id) => join(folder, id),
    own,
    settings: join(own, "runtime-model-settings.json"),
    staging: join(own, "staging"),
    downloads: join(own, "downloads"),
    worlds: join(own, "worlds"),
    world: (id) => join(own, "worlds", id),
  };
}
