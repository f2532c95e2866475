/**
 * The folders of world models: what has to be in them, and the defaults that they name.
 *
 * @module
 */
import {
  missingFiles,
  missingWeights,
  type ModelFolder,
  type ModelRoots,
  readDefaults,
  requireAll,
} from "../protocol/model_files.ts";
import { MAX_GEOMETRY } from "../protocol/requests/move_fields.ts";
import { CLIP_BOUNDS } from "../protocol/requests/clip_request.ts";

/** The folders of an arworld; `path` holds the causal weights. */
export interface ModelLocation extends ModelFolder {
  /** Folder of the text encoder, the VAE and the tokenizer. */
  readonly basePath: string;
}

/**
 * Checks whether an arworld can be loaded, and reads its defaults.
 *
 * @throws {SvcError} `model_unavailable` that names every missing file, or `model_invalid_config`.
 */
export async function inspectModelRoots(location: ModelLocation): Promise<ModelRoots> {
  const { id, path, basePath } = location;
  requireAll(location, [
    ...await missingFiles(location, basePath, ["config.json", "tokenizer.json"]),
    ...await missingWeights(location, basePath, "t5_encoder.safetensors"),
    ...await missingWeights(location, basePath, "vae.safetensors"),
    ...await missingFiles(location, path, ["config.json"]),
    ...await missingWeights(location, path, "model.safetensors"),
  ]);
  return { id, path, basePath, defaults: await readDefaults(location, basePath, { unit: 32, ...MAX_GEOMETRY }) };
}

const FILES = ["config.json", "transformer/config.json", "vae/config.json", "scheduler/scheduler_config.json"];
const TOKENIZERS = ["text_tokenizer/tokenizer.json", "tokenizer.json"];
const WEIGHTS = [
  "transformer/diffusion_pytorch_model.safetensors",
  "vae/diffusion_pytorch_model.safetensors",
  "vision_encoder/model.safetensors",
];

/**
 * Checks that the snapshot of an actionworld is complete, and reads its defaults.
 *
 * @throws {SvcError} `model_unavailable` that names every missing file, or `model_invalid_config`.
 */
export async function inspectActionworldRoot(folder: ModelFolder): Promise<ModelRoots> {
  const { id, path } = folder;
  const tokenizers = await missingFiles(folder, path, TOKENIZERS);
  const weights = await Promise.all(WEIGHTS.map((name) => missingWeights(folder, path, name)));
  requireAll(folder, [
    ...await missingFiles(folder, path, FILES),
    ...(tokenizers.length === TOKENIZERS.length ? tokenizers.slice(-1) : []),
    ...weights.flat(),
  ]);
  return { id, path, defaults: await readDefaults(folder, path, CLIP_BOUNDS) };
}
