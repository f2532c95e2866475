import type { ModelFiles } from "../../lib/engines/contract/engine_entry.ts";
import { openModelFolder } from "../../lib/store/model_folder.ts";
import { withFolder } from "./temporary_folder.ts";
import { writeModel } from "../fixtures/tiny_models/write_model.ts";

/** Files of a model: bytes, or values that are written as JSON. */
export type GivenFiles = Readonly<Record<string, unknown>>;

/** Files of a model that are in memory only. */
export function memoryFiles(given: GivenFiles): ModelFiles {
  const files = asBytes(given);
  const read = (name: string): Promise<Uint8Array> => {
    const bytes = files[name];
    return bytes === undefined ? Promise.reject(new Error(`there is no file ${name}`)) : Promise.resolve(bytes);
  };
  return {
    names: Object.keys(files),
    path: (name) => `/nowhere/${name}`,
    read,
    readPart: async (name, start, length) => (await read(name)).subarray(start, start + length),
  };
}

/** Runs work with files of a model in a folder, which is removed afterwards. */
export async function withModelFiles(given: GivenFiles, work: (files: ModelFiles) => Promise<void>): Promise<void> {
  const files = asBytes(given);
  await withFolder(async (folder) => {
    writeModel(folder, files);
    await work(openModelFolder(folder, Object.keys(files)));
  });
}

function asBytes(given: GivenFiles): Record<string, Uint8Array> {
  const utf8 = new TextEncoder();
  const bytes = (value: unknown) =>
    value instanceof Uint8Array ? value : utf8.encode(typeof value === "string" ? value : JSON.stringify(value));
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, bytes(value)]));
}
