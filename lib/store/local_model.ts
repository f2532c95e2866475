/**
 * Models where they lie: served without the store, and the ids that their names make.
 *
 * @module
 */
import type { ModelFiles } from "../engines/contract/engine_entry.ts";
import { readModelJson } from "../engines/files/model_json.ts";
import { readGgufMetadata, textField } from "../engines/gguf_text/gguf_metadata.ts";
import { optionError } from "../errors/option_error.ts";
import { SvcError } from "../errors/svc_error.ts";
import { stat } from "../platform/files/file_system.ts";
import { dirname, resolve } from "../platform/files/paths.ts";
import { isModelId } from "./catalog/model_id.ts";
import type { InstalledModel } from "./catalog/installed_model.ts";
import { inspectSource } from "./inspect_model.ts";
import { nameOfFolder, readModelSource } from "./model_folder.ts";

/**
 * A folder in Hugging Face layout or a GGUF file as an installed model; its id is its name. Its files are not hashed.
 *
 * @throws {SvcError} `unsuitable_files` when what is there is of no model that an engine serves, or nothing is.
 */
export async function openLocalModel(path: string): Promise<InstalledModel> {
  const source = await readModelSource(path, "serve");
  const { files, folder, detected: { task, profile } } = await inspectSource(source, path, { quick: true });
  const infos = await Promise.all(files.names.map((name) => stat(files.path(name))));
  return {
    id: await idOfFiles(path, files),
    task,
    folder: folder ?? source.folder,
    files: files.names.map((name, i) => ({ path: name, bytes: infos[i].size, sha256: "" })),
    bytes: infos.reduce((sum, { size }) => sum + size, 0),
    installedAt: new Date(Math.max(...infos.map(({ mtimeMs }) => mtimeMs))).toISOString(),
    ...(profile ? { profile } : {}),
  };
}

/**
 * The name of a file or folder as an id; where it is a hash or says nothing, that of the model in its metadata, else of
 * the folder around it.
 *
 * @param path As it was given.
 * @throws {SvcError} `invalid_id` when none of them makes one.
 */
export async function idOfFiles(path: string, files: ModelFiles): Promise<string> {
  const place = resolve(path);
  const names = [nameOfFolder(place), ...await namesWithin(files), nameOfFolder(dirname(place))];
  const id = names.map(idOf).find((id) => id !== undefined);
  if (id !== undefined) return id;
  throw optionError(
    (name) => `Cannot add ${path}: its name makes no id, expected one with ${name("id")}`,
    (message) => new SvcError("invalid_id", message),
  );
}

/** Names that many models have. */
const COMMON =
  /^(model|models|ggml-model|onnx|gguf|snapshots?|blobs?|main|files?|downloads?|weights|assets|tmp|home|root)$/;

/** The name as an id; undefined where it is a hash, common to many models, or has no letters and digits. */
export function idOf(name: string): string | undefined {
  const whole = name.replace(/(?<!\/)\/+$/, "").replace(/\.(gguf|zip|whl)$/i, "").replace(/-\d{5}-of-\d{5}$/, "");
  const plain = whole.slice(whole.lastIndexOf("/") + 1).normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const id = plain.replace(/[^a-z0-9._-]+/g, "-").slice(0, 96).replace(/^[._-]+|[._-]+$/g, "");
  if (!isModelId(id) || isHash(id)) return undefined;
  return COMMON.test(id.replace(/[-._](i?q\d\w*|bf16|f16|f32|fp16|quantized)$/, "")) ? undefined : id;
}

/** Names that programs give: commits, digests and universally unique ids. */
function isHash(id: string): boolean {
  return /^(sha\d+[-_.])?[0-9a-f]{16,}$/.test(id) || /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);
}

/** What the files themselves say. */
async function namesWithin(files: ModelFiles): Promise<string[]> {
  const gguf = files.names.find((name) => /\.gguf$/i.test(name));
  if (gguf !== undefined) {
    const metadata = await readGgufMetadata(files, gguf);
    return [textField(metadata, "general.name"), textField(metadata, "general.basename")].filter((name) =>
      name !== undefined
    ).map((name) => name.slice(0, 200));
  }
  const { _name_or_path: name } = await readModelJson(files, "config.json") ?? {};
  return typeof name === "string" ? [name.slice(0, 200)] : [];
}
