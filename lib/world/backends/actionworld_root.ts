/**
 * The folder of an actionworld.
 *
 * @module
 */
import { CLIP_BOUNDS } from "../protocol/requests/clip_request.ts";
import {
  missingFiles,
  missingWeights,
  type ModelFolder,
  type ModelRoots,
  readDefaults,
  requireAll,
} from "../protocol/model_files.ts";

const FILES = ["config.json", "transformer/config.json", "vae/config.json", "scheduler/scheduler_config.json"];
const TOKENIZERS = ["text_tokenizer/tokenizer.json", "tokenizer.json"];
const WEIGHTS = [
  "transformer/diffusion_pytorch_model.safetensors",
  "vae/diffusion_pytorch_model.safetensors",
  "vision_encoder/model.safetensors",
];

/**
 * Checks that a snapshot is complete, and reads its defaults.
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
