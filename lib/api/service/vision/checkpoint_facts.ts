/**
 * What answers and manifests say about the weights of a model.
 *
 * @module
 */
import type { InstalledModel } from "../../../store/catalog/installed_model.ts";
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

/** What answers about objects say besides: the published file that the weights come from, and all files. */
export async function sourceFacts(model: InstalledModel): Promise<Readonly<Record<SourceFact, string>>> {
  const { profile } = model;
  const converted = profile?.kind === "object" ? profile.sourceSha256 : undefined;
  return { source_sha256: converted ?? weightsOf(model).sha256, source_manifest_sha256: await manifestHash(model) };
}

type SourceFact = "source_sha256" | "source_manifest_sha256";

/** SHA-256 of the list of the model's files, a line for each with its hash and its path, as sha256sum writes it. */
async function manifestHash({ files }: InstalledModel): Promise<string> {
  const lines = files.map(({ path, sha256 }) => `${sha256}  ${path}\n`);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(lines.sort().join("")));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The largest file: the others describe it. */
export function weightsOf({ files }: InstalledModel): InstalledModel["files"][number] {
  return files.reduce((largest, file) => file.bytes > largest.bytes ? file : largest);
}
