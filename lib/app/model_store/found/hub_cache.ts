/**
 * Models in the cache of the Hugging Face hub.
 *
 * @module
 */
import { readdir } from "../../../platform/files/file_system.ts";
import { join } from "../../../platform/files/paths.ts";
import { type FoundFiles, MAX_FOUND } from "./found_files.ts";

/** The folder of the cache, as `huggingface_hub` chooses it. */
export function hubCacheFolder(environment: (name: string) => string | undefined, home: string): string {
  const { HF_HUB_CACHE, HF_HOME, XDG_CACHE_HOME } = Object.fromEntries(
    ["HF_HUB_CACHE", "HF_HOME", "XDG_CACHE_HOME"].map((name) => [name, environment(name)?.trim() || undefined]),
  );
  return HF_HUB_CACHE ?? join(HF_HOME ?? join(XDG_CACHE_HOME ?? join(home, ".cache"), "huggingface"), "hub");
}

/** The newest snapshot of each model: folders of links to the blobs beside them. */
export async function findHubModels(cache: string): Promise<FoundFiles[]> {
  const found: FoundFiles[] = [];
  for (const folder of (await names(cache)).slice(0, MAX_FOUND)) {
    const [, repository] = /^models--(.+)$/.exec(folder) ?? [];
    if (repository === undefined) continue;
    // The branch names the commit; a snapshot without one was asked for by its commit.
    const snapshots = await names(join(cache, folder, "snapshots"));
    const [commit] = snapshots.slice(-1);
    if (commit === undefined) continue;
    const path = join(cache, folder, "snapshots", commit);
    found.push({ origin: "hub cache", name: repository.replace("--", "/"), path });
  }
  return found;
}

async function names(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).sort();
}
