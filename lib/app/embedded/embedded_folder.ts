/**
 * Where the models of this project are on this machine.
 *
 * @module
 */
import { access } from "../../platform/files/file_system.ts";
import { fileURLToPath, join } from "../../platform/files/paths.ts";
import { installedPackage } from "../../platform/modules/packages.ts";
import { modelPackages } from "./generated.ts";
import { fetchPackage, findFetched } from "./fetch_package.ts";
import type { ModelPackage } from "./model_package.ts";
import { makeSharedAutoencoder } from "./shared_autoencoder.ts";

/** Ids of the models that this project makes. */
export type EmbeddedModel = keyof typeof modelPackages;

/** Folders of fetched models: their files are hashed once a process. */
const folders = new Map<EmbeddedModel, Promise<string>>();

/**
 * Folder of a model of this project: in the repository or this package, in a package installed beside it, or in the
 * state folder, where it is fetched once when it is nowhere else.
 *
 * @throws {SvcError} `repository_unavailable`, `corrupt_download` or `disk_full` when it cannot be fetched.
 */
export async function embeddedFolder(id: EmbeddedModel): Promise<string> {
  return await localFolder(id) ?? await fetchedFolder(id);
}

/** The folder as {@linkcode embeddedFolder} finds it; undefined where it would have to be fetched first. */
export async function localFolder(id: EmbeddedModel): Promise<string | undefined> {
  const model: ModelPackage = modelPackages[id];
  const beside = modelsFolder(import.meta.url);
  if (beside.protocol === "file:") {
    const folder = fileURLToPath(new URL(`${id}/`, beside)).replace(/[\\/]$/, "");
    if (await isThere(join(folder, model.files[0].path))) {
      if (id === "corridor-nano-actions") await makeSharedAutoencoder(fileURLToPath(beside));
      return folder;
    }
  }
  const installed = installedPackage(model.name, import.meta.url);
  // Other versions may hold other weights: checkpoints would not continue bit for bit.
  if (installed?.version === model.version) return installed.folder;
  const known = folders.get(id);
  if (known) return await known;
  const fetched = await findFetched(model);
  if (fetched !== undefined) folders.set(id, Promise.resolve(fetched));
  return fetched;
}

/** Fetches it; calls at the same time share one download. */
function fetchedFolder(id: EmbeddedModel): Promise<string> {
  const known = folders.get(id);
  if (known) return known;
  const fetched = fetchPackage(id, modelPackages[id], import.meta.url);
  fetched.catch(() => folders.delete(id));
  folders.set(id, fetched);
  return fetched;
}

/** `models/` of the repository or the package: beside `lib/` in the sources, beside `dist/` in the built package. */
function modelsFolder(here: string): URL {
  return new URL(new URL(here).pathname.endsWith(".ts") ? "../../../models/" : "../../../../models/", here);
}

async function isThere(file: string): Promise<boolean> {
  return await access(file).then(() => true, () => false);
}
