/**
 * Files of a model root; errors are collected, not thrown.
 *
 * @module
 */
import { type ByteSource, openSafetensors, openShardedSafetensors, type TensorFile } from "../../compute/tensor/mod.ts";
import { parseBoundedJson } from "../../json/json_text.ts";
import { checkWeight } from "./stored_weight.ts";
import type { TensorShapes } from "./weights.ts";

/** Largest JSON file that is read, in bytes. */
const MAX_JSON_BYTES = 2 ** 28;

/** A folder of model files, wherever it is. */
export interface ModelRoot {
  /** Its path or URL, for display. */
  readonly name: string;
  /** Opens a file by its plain name or relative path; `undefined` when it does not exist. */
  open(file: string): Promise<ByteSource | undefined>;
}

/** Opens `file`, or the files of its index; adds to `problems` when there is neither. */
export async function openTensors(root: ModelRoot, file: string, problems: string[]): Promise<TensorFile | undefined> {
  const place = `${root.name}/${file}`;
  const missing: string[] = [];
  try {
    const source = await root.open(file);
    if (source) return await openSafetensors(place, source);
    const index = await root.open(`${file}.index.json`);
    if (index) {
      const text = await textOf(index);
      return await openShardedSafetensors(`${place}.index.json`, text, async (shard) => {
        const shardSource = await root.open(shard);
        if (shardSource) return shardSource;
        missing.push(`${root.name}/${shard} is missing`);
        throw new Error(missing[0]);
      });
    }
    problems.push(`${place} is missing`);
  } catch (error) {
    problems.push(...(missing.length > 0 ? missing : [sentenceOf(error)]));
  }
  return undefined;
}

/** A subfolder of a model root as a root. */
export function subfolder(root: ModelRoot, folder: string): ModelRoot {
  return { name: `${root.name}/${folder}`, open: (file) => root.open(`${folder}/${file}`) };
}

/** Reads a JSON file; adds to `problems` when it is missing or not JSON. */
export async function readJson(
  root: ModelRoot,
  file: string,
  problems: string[],
): Promise<{ readonly value: unknown } | undefined> {
  const source = await root.open(file);
  if (!source) {
    problems.push(`${root.name}/${file} is missing`);
    return undefined;
  }
  try {
    return { value: parseBoundedJson(await textOf(source)) };
  } catch {
    problems.push(`${root.name}/${file} is not JSON`);
    return undefined;
  }
}

/** Text of a file; `undefined` when it does not exist. */
export async function readText(root: ModelRoot, file: string): Promise<string | undefined> {
  const source = await root.open(file);
  return source && await textOf(source);
}

async function textOf(source: ByteSource): Promise<string> {
  if (source.size > MAX_JSON_BYTES) {
    throw new Error(`Cannot read a file of ${source.size} bytes, expected a text of at most ${MAX_JSON_BYTES}`);
  }
  return new TextDecoder().decode(await source.read(0, source.size));
}

/** Adds every weight that the file lacks or has in another shape to `problems`. */
export function checkTensors(file: TensorFile | undefined, shapes: TensorShapes, problems: string[]): void {
  if (!file) return;
  for (const [name, shape] of shapes) checkWeight(file, name, shape, problems);
}

/** The message of an error. */
export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
