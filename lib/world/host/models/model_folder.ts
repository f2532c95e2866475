/**
 * What is read of a model's folder besides its weights: the default start of a walk, and a fingerprint.
 *
 * @module
 */
import { type ModelFolder, type ModelStart, readStart } from "../../protocol/model_files.ts";
import type { ModelLocation } from "../../backends/model_roots.ts";
import { modelRoot } from "../../plan/model_root.ts";
import { listFiles } from "../../../platform/files/find_files.ts";
import { openFile } from "../../../platform/files/open_file.ts";
import { join } from "../../../platform/files/paths.ts";
import { VERSION } from "../../../platform/processes/version.ts";
import { sha256 } from "../../session/journal/chain_node.ts";

/**
 * Reads the default start and the places from a model's folder, or from its base if it has one: see
 * {@linkcode readStart}.
 *
 * @throws {SvcError} `start_not_found` when one of them is missing
 */
export async function readModelStart(location: ModelFolder | ModelLocation): Promise<ModelStart> {
  const root = "basePath" in location ? location.basePath : location.path;
  const files = modelRoot(root);
  return await readStart(location.id, root, async (name) => {
    const file = await files.open(name);
    return await file?.read(0, file.size);
  });
}

/** Parts of a file that are looked at, evenly spread; the first one holds the index of its tensors. */
const SAMPLES = 32;

/** Bytes of each. */
const SAMPLE = 4096;

/**
 * Fingerprint of the files of a model and of the version of this program: only the same makes the same pictures.
 * A model at a URL is known by its address.
 */
export async function modelFingerprint(folders: readonly string[], decoder = "full"): Promise<string> {
  const parts: string[] = decoder === "full" ? [VERSION] : [VERSION, decoder];
  for (const folder of folders) parts.push(await folderFingerprint(folder));
  return await sha256(new TextEncoder().encode(parts.join("\n")));
}

async function folderFingerprint(folder: string): Promise<string> {
  if (/^https?:/.test(folder)) return folder;
  const hashes: string[] = [];
  for (const name of await listFiles(folder).catch(() => [])) {
    const file = await openFile(join(folder, name));
    if (!file) continue;
    const step = Math.max(SAMPLE, Math.ceil(file.size / SAMPLES));
    for (let at = 0; at < file.size; at += step) {
      const part = file.stream(at, Math.min(file.size, at + SAMPLE) - 1);
      hashes.push(await sha256(new Uint8Array(await new Response(part).arrayBuffer())));
    }
    hashes.push(`${name} ${file.size}`);
  }
  return hashes.join("\n");
}
