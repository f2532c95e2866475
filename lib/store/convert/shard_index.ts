/**
 * The index of a checkpoint in several files.
 *
 * @module
 */
import { isObject, parseBoundedJson, repeatedJsonKey } from "../../json/json_text.ts";
import { SvcError } from "../../errors/svc_error.ts";
import { readFile, stat } from "../../platform/files/file_system.ts";
import { basename, dirname, join } from "../../platform/files/paths.ts";

const MAX_INDEX_BYTES = 64 * 2 ** 20;
const MAX_SHARDS = 1000;

/**
 * The paths of the files of `{"weight_map": {"<tensor>": "<file>"}}`, which are next to the index, each with the
 * tensors that it must have.
 *
 * @throws {SvcError} `checkpoint_refused` for anything else.
 */
export async function readShardIndex(index: string): Promise<Map<string, readonly string[]>> {
  const refuse = (problem: string) => new SvcError("checkpoint_refused", `Cannot read ${index}: ${problem}`);
  if ((await stat(index)).size > MAX_INDEX_BYTES) throw refuse(`it has more than ${MAX_INDEX_BYTES} bytes`);
  const shards = new Map<unknown, string[]>();
  const text = new TextDecoder().decode(await readFile(index));
  for (const [tensor, shard] of Object.entries(weightMap(text, refuse))) {
    const tensors = shards.get(shard);
    if (tensors) tensors.push(tensor);
    else shards.set(shard, [tensor]);
  }
  if (shards.size === 0 || shards.size > MAX_SHARDS) {
    throw refuse(`it names ${shards.size} files, expected 1 to ${MAX_SHARDS}`);
  }
  const paths = new Map<string, readonly string[]>();
  for (const [shard, tensors] of shards) {
    if (typeof shard !== "string" || shard !== basename(shard) || !WEIGHTS.test(shard)) {
      const shown = typeof shard === "string" ? JSON.stringify(shard.slice(0, 80)) : "what is not a name";
      throw refuse(`it names ${shown}, expected files beside it`);
    }
    paths.set(join(dirname(index), shard), tensors);
  }
  return new Map([...paths].sort(([a], [b]) => a < b ? -1 : 1));
}

function weightMap(text: string, refuse: (problem: string) => Error): object {
  let root: { readonly weight_map?: unknown } | null;
  try {
    root = parseBoundedJson(text) as typeof root;
  } catch {
    throw refuse("it is not JSON, expected an index of shards");
  }
  const repeated = repeatedJsonKey(text);
  if (repeated !== undefined) {
    throw refuse(`it has the key ${JSON.stringify(repeated.slice(0, 80))} twice in one object`);
  }
  const map = root?.weight_map;
  if (isObject(map)) return map;
  throw refuse(`"weight_map" is missing or not an object, expected tensor names with their files`);
}

/** Files that a checkpoint may consist of. */
export const WEIGHTS: RegExp = /\.(safetensors|pt|pth|ckpt|bin|gguf)$/i;
