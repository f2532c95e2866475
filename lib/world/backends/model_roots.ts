/**
 * The two folders of an arworld.
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

/** The folders of an arworld; `path` holds the causal weights. */
export interface ModelLocation extends ModelFolder {
  /** Folder of the text encoder, the VAE and the tokenizer. */
  readonly basePath: string;
}

/**
 * Checks whether a model can be loaded, and reads its defaults.
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
