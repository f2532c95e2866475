/**
 * The models that a server has without any installed.
 *
 * @module
 */
import type { InstalledModel, ModelCatalog } from "../../api/store/installed_model.ts";
import { embeddedFolder } from "../embedded_folder.ts";
import { openLocalModel } from "../model_store/local_model.ts";

/** Id of the image model that comes with this package. */
export const EMBEDDED_IMAGES = "image-corridor-nano";

let embedded: Promise<InstalledModel> | undefined;

/** The image model that comes with this package; its files are read once. */
export function embeddedImageModel(): Promise<InstalledModel> {
  return embedded ??= openLocalModel(embeddedFolder(EMBEDDED_IMAGES)).then((model) => ({
    ...model,
    id: EMBEDDED_IMAGES,
    license: "MIT",
  }));
}

/** A store with the embedded models, unless others are installed under their ids. */
export function withEmbeddedModels<Store extends ModelCatalog>(store: Store): Store {
  return {
    ...store,
    known: [...new Set([...store.known, EMBEDDED_IMAGES])],
    list: async () => {
      const installed = await store.list();
      if (installed.some(({ id }) => id === EMBEDDED_IMAGES)) return installed;
      return [...installed, await embeddedImageModel()].sort((a, b) => a.id < b.id ? -1 : 1);
    },
  };
}
