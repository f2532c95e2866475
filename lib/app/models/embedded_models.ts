/**
 * The models that there are without any installed.
 *
 * @module
 */
import type { InstalledModel, ModelCatalog } from "../../store/catalog/installed_model.ts";
import { embeddedFolder, localFolder } from "../embedded/embedded_folder.ts";
import { openLocalModel } from "../../store/local_model.ts";

/** Id of this project's image model. */
export const EMBEDDED_IMAGES = "image-corridor-nano";

let embedded: Promise<InstalledModel> | undefined;

/** This project's image model in its folder; the files are read once. */
function openEmbedded(folder: string): Promise<InstalledModel> {
  return embedded ??= openLocalModel(folder).then((model) => ({ ...model, id: EMBEDDED_IMAGES, license: "MIT" }));
}

/** A store with the embedded models that are on this machine, unless others are installed under their ids. */
export function withEmbeddedModels<Store extends ModelCatalog>(store: Store): Store {
  return {
    ...store,
    known: [...new Set([...store.known, EMBEDDED_IMAGES])],
    list: async () => {
      const installed = await store.list();
      if (installed.some(({ id }) => id === EMBEDDED_IMAGES)) return installed;
      const folder = await localFolder(EMBEDDED_IMAGES);
      if (folder === undefined) return installed;
      return [...installed, await openEmbedded(folder)].sort((a, b) => a.id < b.id ? -1 : 1);
    },
  };
}

/**
 * The models of a store, one of which makes images: the embedded one is fetched where there is no other.
 *
 * @throws {SvcError} `repository_unavailable` when it cannot be fetched.
 */
export async function withImageModel(store: ModelCatalog): Promise<readonly InstalledModel[]> {
  const all = withEmbeddedModels(store);
  const models = await all.list();
  if (models.some(({ profile }) => profile?.kind === "image")) return models;
  await embeddedFolder(EMBEDDED_IMAGES);
  return await all.list();
}
