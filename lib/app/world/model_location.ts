/**
 * Locates the folders of a world model.
 *
 * @module
 */
import { access } from "../../platform/files/file_system.ts";
import { basename, join, resolve } from "../../platform/files/paths.ts";
import type { ModelFolder } from "../../world/protocol/model_files.ts";
import type { ModelLocation } from "../../world/backends/model_roots.ts";
import { UsageError } from "../../platform/terminal/flags.ts";
import { embeddedFolder } from "../embedded_folder.ts";
import { modelRoot } from "./model_root.ts";

/** Id of the arworld that comes with this package. */
export const EMBEDDED_MODEL = "corridor-nano";

/** Id of the actionworld that comes with this package. */
export const EMBEDDED_ACTIONS = "corridor-nano-actions";

const EMBEDDED_REMEDY = "they are part of this package, reinstall it with npm install @svc/sdk";

/** Which model to use. */
export interface ModelChoice {
  /** Id of the embedded world, or a folder: causal weights, or one with `base/` and `causal/`. */
  readonly model?: string | undefined;
  /** Folder of text encoder, VAE and tokenizer. */
  readonly baseModel?: string | undefined;
}

/**
 * Locates a model; its files need not exist.
 *
 * @throws {UsageError} when a folder of causal weights is given without its base.
 */
export async function locateModel({ model, baseModel }: ModelChoice): Promise<ModelLocation> {
  if (model === undefined || model === EMBEDDED_MODEL) {
    if (baseModel !== undefined) {
      throw new UsageError("Cannot use --base-model alone: expected --model with the matching causal weights");
    }
    const folder = embeddedFolder(EMBEDDED_MODEL);
    return twoFolders(EMBEDDED_MODEL, childOf(folder, "causal"), childOf(folder, "base"), EMBEDDED_REMEDY);
  }
  const folder = resolve(model);
  if (baseModel !== undefined) return published(basename(folder), folder, resolve(baseModel));
  const causal = join(folder, "causal");
  if (await isThere(join(folder, "config.json")) && !await isThere(causal)) {
    throw new UsageError(
      `Cannot use --model ${model}: it holds causal weights only, expected --base-model with the folder of the text ` +
        "encoder, the VAE and the tokenizer too",
    );
  }
  return published(basename(folder), causal, join(folder, "base"));
}

/** An arworld of published weights, part of which come as `.pth` files. */
function published(id: string, path: string, basePath: string): ModelLocation {
  const [causal, base] = [path, basePath].map((folder) => JSON.stringify(folder));
  const remedy = `install them with hf download GD-ML/DreamX-World-5B --local-dir ${causal} and hf download ` +
    `Wan-AI/Wan2.2-TI2V-5B --local-dir ${base}, then svc model convert --kind tensors FILE.pth -o FILE.safetensors ` +
    "for each .pth file under the name that is missing; or name other folders with --model and --base-model; " +
    "this server downloads nothing";
  return twoFolders(id, path, basePath, remedy);
}

/**
 * Locates an actionworld, which has one folder; its files need not exist.
 *
 * @throws {UsageError} when a base is given.
 */
export function locateActionworld({ model, baseModel }: ModelChoice): ModelFolder {
  if (baseModel !== undefined) {
    throw new UsageError("Cannot use --base-model with an actionworld: expected --model only");
  }
  if (model === undefined || model === EMBEDDED_ACTIONS) {
    return oneFolder(EMBEDDED_ACTIONS, embeddedFolder(EMBEDDED_ACTIONS), EMBEDDED_REMEDY);
  }
  const folder = resolve(model);
  const remedy =
    `install the model with hf download nvidia/Cosmos3-Edge --local-dir ${JSON.stringify(folder)}, or name ` +
    "another folder with --model; nothing is downloaded";
  return oneFolder(basename(folder), folder, remedy);
}

function childOf(folder: string, name: string): string {
  return /^https?:/.test(folder) ? `${folder.replace(/\/$/, "")}/${name}` : join(folder, name);
}

function twoFolders(id: string, path: string, basePath: string, remedy: string): ModelLocation {
  return { ...oneFolder(id, path, remedy), basePath };
}

function oneFolder(id: string, path: string, remedy: string): ModelFolder {
  return {
    id,
    path,
    remedy,
    exists: (root, name) => isThere(childOf(root, name)),
    readText: async (root, name) => {
      const file = await modelRoot(root).open(name);
      return file && new TextDecoder().decode(await file.read(0, file.size));
    },
  };
}

/** Whether a file exists, without reading it. */
async function isThere(file: string): Promise<boolean> {
  if (/^https?:/.test(file)) return (await fetch(file, { method: "HEAD" })).ok;
  return await access(file).then(() => true, () => false);
}
