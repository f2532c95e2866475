/**
 * Decides on a model before its weights are downloaded.
 *
 * @module
 */
import { type DetectedModel, detectModel } from "./catalog/detect_model.ts";
import type { HubFile, HubRepository } from "./catalog/hub_repository.ts";
import type { ModelTask } from "./catalog/installed_model.ts";
import type { ModelFiles } from "../engines/contract/engine_entry.ts";
import { checkTextFiles } from "../engines/files/tokenizer_files.ts";
import { join } from "../platform/files/paths.ts";
import { readPart } from "../platform/files/read_part.ts";
import { stat } from "../platform/files/file_system.ts";
import { explainFiles } from "./explain_files.ts";
import type { Hub } from "./hub.ts";
import { profileReaders } from "./profile_readers.ts";

/** Files of weights, whose headers are read from the hub; all others come first. */
export function isWeights(path: string): boolean {
  return /\.(onnx|onnx_data(_\d+)?|gguf|safetensors)$/i.test(path);
}

/** Smaller weights are as fast to download as to look into. */
export const PREVIEWED_BYTES: number = 8 * 2 ** 20;

/** Requests for headers of large files; a graph with its weights inside may need one for each of them. */
const MAX_REQUESTS = 48;

/** The hub did not give what is needed to decide. */
class Undecided extends Error {}

/**
 * Reads profile, tokenizer and template of a model whose small files are in `folder`, and the headers of its large ones
 * from the hub.
 *
 * @returns Undefined where that is not enough to decide.
 * @throws {Error} when no engine can run the model, and why.
 */
export async function previewModel(
  hub: Hub,
  repository: HubRepository,
  files: readonly HubFile[],
  folder: string,
  task: ModelTask | undefined,
  signal: AbortSignal,
): Promise<DetectedModel | undefined> {
  const source = remoteFiles(hub, repository, files, folder, signal);
  try {
    const detected = await detectModel(source, task, profileReaders, repository.name, explainFiles);
    await checkTextFiles(source, detected.profile);
    return detected;
  } catch (error) {
    signal.throwIfAborted();
    if (causes(error).some((cause) => cause instanceof Undecided)) return undefined;
    throw error;
  }
}

function remoteFiles(
  hub: Hub,
  repository: HubRepository,
  files: readonly HubFile[],
  folder: string,
  signal: AbortSignal,
): ModelFiles {
  const sizes = new Map(files.map(({ path, bytes }) => [path, bytes]));
  const path = (name: string) => join(folder, name);
  let requests = 0;
  const part = async (name: string, start: number, length: number): Promise<Uint8Array> => {
    const size = sizes.get(name) ?? 0;
    const there = await stat(path(name)).then((info) => info.size, () => 0);
    if (there >= Math.min(size, start + length)) return await readPart(path(name), start, length);
    if (++requests > MAX_REQUESTS) throw new Undecided("too many parts");
    try {
      return await receive(hub, repository, name, start, Math.min(length, size - start), signal);
    } catch (cause) {
      throw new Undecided("the hub did not answer", { cause });
    }
  };
  return {
    names: files.map((file) => file.path),
    path,
    read: async (name) => {
      if (isWeights(name)) throw new Undecided("too large");
      return await part(name, 0, sizes.get(name) ?? 0);
    },
    readPart: part,
  };
}

async function receive(
  hub: Hub,
  repository: HubRepository,
  name: string,
  start: number,
  length: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  if (length <= 0) return new Uint8Array();
  const enough = new AbortController();
  const content = await hub.read(repository, name, start, AbortSignal.any([signal, enough.signal]));
  // A server without ranges sends everything from the start.
  if (content.start !== start) {
    enough.abort();
    throw new Error("the hub has no ranges");
  }
  const bytes = new Uint8Array(length);
  let done = 0;
  try {
    for await (const piece of content.stream) {
      const taken = piece.subarray(0, length - done);
      bytes.set(taken, done);
      done += taken.length;
      if (done === length) break;
    }
  } finally {
    enough.abort();
  }
  if (done < length) throw new Error("the connection ended early");
  return bytes;
}

/** An error with its causes. */
function causes(error: unknown): unknown[] {
  const all: unknown[] = [];
  for (let one = error; one instanceof Error && all.length < 10; one = one.cause) all.push(one);
  return all;
}
