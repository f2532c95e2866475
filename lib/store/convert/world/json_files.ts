/**
 * Objects in JSON files.
 *
 * @module
 */
import { replaceFile } from "../../../platform/files/atomic_write.ts";
import { readFile } from "../../../platform/files/file_system.ts";
import { isObject } from "../../../json/json_text.ts";

/** Adds fields to a JSON file, or makes one of them. */
export async function mergeJson(file: string, more: Readonly<Record<string, unknown>>): Promise<void> {
  const merged = { ...await readJsonObject(file), ...more };
  await replaceFile(file, new TextEncoder().encode(`${JSON.stringify(merged, undefined, 2)}\n`));
}

/** The object in a JSON file; an empty one where there is none. */
export async function readJsonObject(file: string): Promise<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(await readFile(file)));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
