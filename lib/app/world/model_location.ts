/**
 * Locates the folders of a world model.
 *
 * @module
 */
import { access } from "../../platform/files/file_system.ts";
import { basename, join, resolve } from "../../platform/files/paths.ts";
import type { ModelFolder } from "../../world/protocol/model_files.ts";
import type { ModelLocation } from "../../world/backends/model_roots.ts";
import { optionError } from "../../errors/option_error.ts";
import { embeddedFolder } from "../embedded/embedded_folder.ts";
import { storeFolder, storeLayout } from "../../store/store_layout.ts";
import { catalogWorld } from "../../store/worlds/world_catalog.ts";
import { modelRoot } from "../../world/plan/model_root.ts";

/** Id of this project's arworld. */
export const EMBEDDED_MODEL = "corridor-nano";

/** Id of this project's actionworld. */
export const EMBEDDED_ACTIONS = "corridor-nano-actions";

const EMBEDDED_REMEDY = "install them again with npm install @svc/sdk";

/** Which model to use. */
export interface ModelChoice {
  /** Id of the embedded world, or a folder: causal weights, or one with `base/` and `causal/`. */
  readonly model?: string | undefined;
  /** Folder of text encoder, VAE and tokenizer. */
  readonly baseModel?: string | undefined;
}

/**
 * Locates a model; the files of a folder need not exist, those of the embedded world are fetched where they are not on
 * this machine.
 *
 * @throws {SvcError} `repository_unavailable` when they cannot be fetched.
 * @throws {UsageError} when a folder of causal weights is given without its base.
 */
export async function locateModel({ model, baseModel }: ModelChoice): Promise<ModelLocation> {
  if (model === undefined || model === EMBEDDED_MODEL) {
    if (baseModel !== undefined) {
      throw optionError((name) =>
        `Cannot use ${name("baseModel")} alone: expected ${name("model")} with the matching causal weights`
      );
    }
    const folder = await embeddedFolder(EMBEDDED_MODEL);
    return twoFolders(EMBEDDED_MODEL, join(folder, "causal"), join(folder, "base"), EMBEDDED_REMEDY);
  }
  const folder = await worldFolder(model);
  if (baseModel !== undefined) return published(basename(folder), folder, resolve(baseModel));
  const causal = join(folder, "causal");
  if (await isThere(join(folder, "config.json")) && !await isThere(causal)) {
    throw optionError((name) =>
      `Cannot use ${name("model")} ${model}: it holds causal weights only, expected ${name("baseModel")} with the ` +
      "folder of the text encoder, the VAE and the tokenizer too"
    );
  }
  return published(basename(folder), causal, join(folder, "base"));
}

/** An arworld of published weights, part of which come as `.pth` files. */
function published(id: string, path: string, basePath: string): ModelLocation {
  const [causal, base] = [path, basePath].map((folder) => JSON.stringify(folder));
  const remedy = "install them with svc model pull dreamx-5b, which makes the model dreamx-5b, or with " +
    `hf download GD-ML/DreamX-World-5B --local-dir ${causal} and hf download ` +
    `Wan-AI/Wan2.2-TI2V-5B --local-dir ${base}, then svc model convert --kind arworld --text-encoder FILE.pth ` +
    "--vae FILE.pth --causal DIR -o DIR makes the folder of a model of them; or name another model and its base; " +
    "this server downloads nothing";
  return twoFolders(id, path, basePath, remedy);
}

/**
 * Locates an actionworld, which has one folder, as {@linkcode locateModel} does.
 *
 * @throws {UsageError} when a base is given.
 */
export async function locateActionworld({ model, baseModel }: ModelChoice): Promise<ModelFolder> {
  if (baseModel !== undefined) {
    throw optionError((name) => `Cannot use ${name("baseModel")} with an actionworld: expected ${name("model")} only`);
  }
  if (model === undefined || model === EMBEDDED_ACTIONS) {
    return oneFolder(EMBEDDED_ACTIONS, await embeddedFolder(EMBEDDED_ACTIONS), EMBEDDED_REMEDY);
  }
  const folder = await worldFolder(model);
  const remedy =
    "install it with svc model pull cosmos3-edge, which makes the model cosmos3-edge, or with hf download " +
    `nvidia/Cosmos3-Edge --local-dir ${JSON.stringify(folder)}, or name another model; nothing is downloaded`;
  return oneFolder(basename(folder), folder, remedy);
}

function twoFolders(id: string, path: string, basePath: string, remedy: string): ModelLocation {
  return { ...oneFolder(id, path, remedy), basePath };
}

function oneFolder(id: string, path: string, remedy: string): ModelFolder {
  return {
    id,
    path,
    remedy,
    exists: (root, name) => isThere(join(root, name)),
    readText: async (root, name) => {
      const file = await modelRoot(root).open(name);
      return file && new TextDecoder().decode(await file.read(0, file.size));
    },
  };
}

/** A folder by its path, or that of a world of the catalog where there is no such path. */
export async function worldFolder(model: string): Promise<string> {
  const folder = resolve(model);
  return catalogWorld(model) && !await isThere(folder) ? storeLayout(storeFolder()).world(model) : folder;
}

/** Whether a file exists, without reading it. */
async function isThere(file: string): Promise<boolean> {
  return await access(file).then(() => true, () => false);
}

/** The refusal of the tiny decoder for an actionworld. */
export function tinyNeedsArworld(): Error {
  return optionError((name) => `Cannot use ${name("decoder")} tiny with an actionworld: expected an arworld`);
}

/**
 * Checks that a folder which has its weights has a tiny decoder too: better now than at the first move.
 *
 * @throws {UsageError}
 */
export async function checkTinyDecoder({ basePath }: Pick<ModelLocation, "basePath">): Promise<void> {
  const has = (name: string): Promise<boolean> => isThere(join(basePath, name));
  if (await has("tiny_decoder.safetensors") || !await has("vae.safetensors")) return;
  throw optionError((name) =>
    `Cannot use ${name("decoder")} tiny: ${basePath} has no tiny_decoder.safetensors, expected one made with ` +
    `svc model convert --tiny-decoder, or ${name("decoder")} full`
  );
}
