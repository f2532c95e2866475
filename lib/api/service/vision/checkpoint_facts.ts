/**
 * What answers and manifests say about the weights of a model.
 *
 * @module
 */
import type { InstalledModel } from "../../store/installed_model.ts";
import type { ManagedModel } from "./managed_models.ts";

/** Weights that were not pulled have no repository. */
const LOCAL = "local";

/** Where the weights come from and what they are, by their record in the store. */
export function checkpointFacts(model: InstalledModel, { upstream }: ManagedModel): Record<string, unknown> {
  const weights = weightsOf(model);
  const configuration = model.files.find(({ path }) => path === "config.json");
  return {
    repository: model.source?.repository ?? LOCAL,
    revision: model.source?.revision ?? LOCAL,
    source_repository: upstream.repository,
    source_revision: upstream.revision,
    license: model.license ?? "unknown",
    format: weights.path.endsWith(".onnx") ? "onnx" : "safetensors",
    weights_byte_count: weights.bytes,
    weights_sha256: weights.sha256,
    ...(configuration && {
      configuration_byte_count: configuration.bytes,
      configuration_sha256: configuration.sha256,
    }),
  };
}

/** The largest file: the others describe it. */
export function weightsOf({ files }: InstalledModel): InstalledModel["files"][number] {
  return files.reduce((largest, file) => file.bytes > largest.bytes ? file : largest);
}
