/**
 * Small files that lie beside a checkpoint.
 *
 * @module
 */
import { readFile, stat } from "../../../platform/files/file_system.ts";
import { dirname, join } from "../../../platform/files/paths.ts";
import { isObject } from "../../../json/json_text.ts";

/** Largest file that is read, in bytes. */
const MAX_BYTES = 64 * 2 ** 20;

/** The first of these that is a JSON object; an empty one when there is none. */
export async function readBeside(source: string, ...names: readonly string[]): Promise<Record<string, unknown>> {
  const isFolder = await stat(source).then((info) => info.isDirectory(), () => false);
  const folder = isFolder ? source : dirname(source);
  for (const name of names) {
    try {
      const path = join(folder, name);
      if ((await stat(path)).size > MAX_BYTES) continue;
      const value: unknown = JSON.parse(new TextDecoder().decode(await readFile(path)));
      if (isObject(value)) return value;
    } catch {
      // Not there, or something else: the next one may be.
    }
  }
  return {};
}
