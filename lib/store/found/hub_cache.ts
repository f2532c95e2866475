/**
 * Models in the cache of the Hugging Face hub.
 *
 * @module
 */
import { readdir, readFile, stat } from "../../platform/files/file_system.ts";
import { join } from "../../platform/files/paths.ts";
import { type FoundFiles, MAX_FOUND } from "./found_files.ts";

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
    // The branch names the commit; a snapshot without one was asked for by its commit.
    const snapshots = await names(join(cache, folder, "snapshots"));
    const main = await branchCommit(join(cache, folder, "refs", "main"));
    const commit = main !== undefined && snapshots.includes(main) ? main : snapshots.at(-1);
    if (commit === undefined) continue;
    const path = join(cache, folder, "snapshots", commit);
    found.push({ origin: "hub cache", name: repository.replace("--", "/"), path });
  }
  return found;
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
