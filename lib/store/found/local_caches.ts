/**
 * Files of models that other programs keep on this machine.
 *
 * @module
 */
import { readdir, readFile, realpath, stat } from "../../platform/files/file_system.ts";
import { dirname, join } from "../../platform/files/paths.ts";
import { isProjector } from "../../engines/files/projector_files.ts";
import { listFiles } from "../../platform/files/find_files.ts";

/** A model where another program keeps it. */
export interface FoundFiles {
  /** Whose it is, such as `ollama`. */
  readonly origin: "hub cache" | "ollama" | "lm studio";
  /** Its name there, such as `onnx-community/Qwen3-0.6B-ONNX` or `qwen3:0.6b`. */
  readonly name: string;
  /** What `svc model add` takes: a folder, or a file of weights. */
  readonly path: string;
}

/** More than a person has; a folder with more is not a model cache. */
export const MAX_FOUND = 1000;

/** Bytes of a file with the hash of a commit, and room for an ending. */
const MAX_REFERENCE = 256;

/** The folder of the cache, as `huggingface_hub` chooses it. */
export function hubCacheFolder(environment: (name: string) => string | undefined, home: string): string {
  const { HF_HUB_CACHE, HUGGINGFACE_HUB_CACHE, HF_HOME, XDG_CACHE_HOME } = Object.fromEntries(
    ["HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_HOME", "XDG_CACHE_HOME"].map((name) => [
      name,
      environment(name)?.trim() || undefined,
    ]),
  );
  return HF_HUB_CACHE ?? HUGGINGFACE_HUB_CACHE ??
    join(HF_HOME ?? join(XDG_CACHE_HOME ?? join(home, ".cache"), "huggingface"), "hub");
}

/** The snapshot of each model's main branch, else any: folders of links to the blobs beside them. */
export async function findHubModels(cache: string): Promise<FoundFiles[]> {
  const found: FoundFiles[] = [];
  for (const folder of (await names(cache)).slice(0, MAX_FOUND)) {
    const [, repository] = /^models--(.+)$/.exec(folder) ?? [];
    if (repository === undefined) continue;
    const path = await hubSnapshot(join(cache, folder));
    if (path === undefined) continue;
    found.push({ origin: "hub cache", name: repository.replace("--", "/"), path });
  }
  return found;
}

/** The snapshot of the main branch of a cached repository, else any; undefined for another folder. */
export async function hubSnapshot(folder: string): Promise<string | undefined> {
  // The branch names the commit; a snapshot without one was asked for by its commit.
  const snapshots = await names(join(folder, "snapshots"));
  const main = await branchCommit(join(folder, "refs", "main"));
  const commit = main !== undefined && snapshots.includes(main) ? main : snapshots.at(-1);
  return commit === undefined ? undefined : join(folder, "snapshots", commit);
}

/** The commit in the file of a branch; undefined where there is none. */
async function branchCommit(path: string): Promise<string | undefined> {
  const info = await stat(path).catch(() => undefined);
  if (!info?.isFile() || info.size > MAX_REFERENCE) return undefined;
  return (await readFile(path, "utf8").catch(() => "")).trim();
}

async function names(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).sort();
}

/**
 * GGUF files below `PUBLISHER/REPOSITORY`, which may be links to folders elsewhere; of a model in parts the first;
 * projectors of images are added with their models.
 *
 * @param folder Such as `~/.lmstudio/models`.
 */
export async function findLmStudioModels(folder: string): Promise<FoundFiles[]> {
  const around = foldersAround(await realpath(folder).catch(() => folder));
  const paths: string[] = [];
  for (const publisher of await foldersIn(folder, around)) {
    for (const repository of await foldersIn(publisher.path, around)) {
      // A folder that cannot be read, or is not a model's, does not hide the others.
      const below = await listFiles(repository.path).catch(() => [] as readonly string[]);
      paths.push(...below.map((path) => `${publisher.name}/${repository.name}/${path}`));
    }
  }
  return paths.filter((path) => {
    const [, part] = /-(\d{5})-of-\d{5}\.gguf$/i.exec(path) ?? [];
    return /\.gguf$/i.test(path) && !isProjector(path) && (part === undefined || Number(part) === 1);
  }).slice(0, MAX_FOUND).map((path) => ({
    origin: "lm studio",
    name: path.replace(/(-\d{5}-of-\d{5})?\.gguf$/i, ""),
    path: join(folder, ...path.split("/")),
  }));
}

/** A folder and all its parents. */
function foldersAround(folder: string): Set<string> {
  const around = new Set<string>();
  for (let one = folder; !around.has(one); one = dirname(one)) around.add(one);
  return around;
}

/** What is in a folder, without links that lead back to a folder `around` all models, which would show them twice. */
async function foldersIn(folder: string, around: ReadonlySet<string>): Promise<{ name: string; path: string }[]> {
  const names = (await readdir(folder).catch(() => [] as string[])).filter((name) => !name.startsWith(".")).sort();
  const found: { name: string; path: string }[] = [];
  for (const name of names.slice(0, MAX_FOUND)) {
    const path = join(folder, name);
    const real = await realpath(path).catch(() => undefined);
    if (real !== undefined && !around.has(real)) found.push({ name, path });
  }
  return found;
}
