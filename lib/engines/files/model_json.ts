/**
 * The JSON files of a model.
 *
 * @module
 */
import { isObject, parseBoundedJson } from "../../json/json_text.ts";
import type { ModelFiles } from "../contract/engine_entry.ts";

/** An object of a JSON file with unvalidated members. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Bytes of the largest file of this kind that is read; published tokenizers have up to 40 MB. */
const MAX_BYTES = 2 ** 27;

/**
 * Reads a file of a model that holds text.
 *
 * @throws {Error} naming it when it is larger than any published one.
 */
export async function readModelText(files: ModelFiles, name: string): Promise<string> {
  const bytes = await files.readPart(name, 0, MAX_BYTES + 1);
  if (bytes.length <= MAX_BYTES) return new TextDecoder().decode(bytes);
  throw new Error(`Cannot use ${name}: it has more than ${MAX_BYTES} bytes, expected fewer`);
}

/**
 * Reads a JSON file of a model.
 *
 * @returns Undefined when the model has no such file.
 * @throws {Error} when it is not JSON.
 */
export async function readModelValue(files: ModelFiles, name: string): Promise<unknown> {
  if (!files.names.includes(name)) return undefined;
  const text = await readModelText(files, name);
  if (text.trim() === "") throw new Error(`Cannot use ${name}: it is empty, expected JSON`);
  try {
    return parseBoundedJson(text);
  } catch (cause) {
    throw new Error(`Cannot use ${name}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

/**
 * Reads a JSON file of a model that holds an object.
 *
 * @returns Undefined when the model has no such file.
 * @throws {Error} when it is not JSON or not an object.
 */
export async function readModelJson(files: ModelFiles, name: string): Promise<JsonObject | undefined> {
  const value = await readModelValue(files, name);
  if (value === undefined || isObject(value)) return value;
  throw new Error(
    `Cannot use ${name}: it is ${Array.isArray(value) ? "an array" : String(value)}, expected an object`,
  );
}
