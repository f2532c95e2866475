/**
 * What tells one set of weights from another without reading all of it.
 *
 * @module
 */
import { listFiles } from "../../../platform/files/find_files.ts";
import { openFile } from "../../../platform/files/open_file.ts";
import { join } from "../../../platform/files/paths.ts";
import { VERSION } from "../../../platform/processes/version.ts";
import { sha256 } from "../../session/journal/chain_node.ts";

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
