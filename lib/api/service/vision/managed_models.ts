/**
 * The models of the vision routes, one for each, and where their architectures come from.
 *
 * @module
 */
import type { ModelProfile } from "../../../engines/contract/model_profile.ts";
import type { EngineId } from "../../../engines/contract/engine_ids.ts";
import { invalidField } from "../../../errors/svc_error.ts";
import { show } from "../../../errors/show.ts";
import type { VisionRoute } from "./vision_fields.ts";
import type { InstalledModel } from "../../../store/catalog/installed_model.ts";
import { TEST_PREFIX } from "../../../store/catalog/test_model.ts";

/** A model that a route is for. */
export interface ManagedModel {
  readonly id: string;
  readonly kind: Extract<ModelProfile["kind"], "geometry" | "depth-video" | "object">;
  /** Engines that can serve it. */
  readonly engines: readonly EngineId[];
  /** The repository of its code, and the commit that ours was checked against. */
  readonly upstream: { readonly repository: string; readonly revision: string };
}

/** What the models are for: the routes, one of which has two. */
type ManagedName = VisionRoute | "metricDepthVideo";

/** All of them. */
export const managedModels: Readonly<Record<ManagedName, ManagedModel>> = {
  geometry: {
    id: "vision-geometry-moge2-small",
    kind: "geometry",
    engines: ["graph-moge2", "onnx-moge2"],
    upstream: { repository: "microsoft/MoGe", revision: "2.0.0" },
  },
  multiview: {
    id: "vision-geometry-da3-small",
    kind: "geometry",
    engines: ["graph-da3"],
    upstream: { repository: "ByteDance-Seed/Depth-Anything-3", revision: "0.1.1" },
  },
  imageTo3d: {
    id: "image-3d-triposr",
    kind: "object",
    engines: ["graph-triposr"],
    upstream: { repository: "VAST-AI-Research/TripoSR", revision: "d26e331" },
  },
  viewsTo3d: {
    id: "image-3d-instantmesh-base",
    kind: "object",
    engines: ["graph-instantmesh"],
    upstream: { repository: "TencentARC/InstantMesh", revision: "08822c5" },
  },
  depthVideo: {
    id: "vision-depth-vda-small",
    kind: "depth-video",
    engines: ["graph-vda"],
    upstream: { repository: "DepthAnything/Video-Depth-Anything", revision: "4f5ae23" },
  },
  metricDepthVideo: {
    id: "vision-depth-vda-small-metric",
    kind: "depth-video",
    engines: ["graph-vda"],
    upstream: { repository: "DepthAnything/Video-Depth-Anything", revision: "4f5ae23" },
  },
};

/**
 * The model that a request means: the first where it names none.
 *
 * @param exact Whether letters must have the case of the id.
 * @throws {SvcError} `invalid_model` for any other name.
 */
export function chooseManaged(
  action: string,
  name: string,
  models: readonly ManagedModel[],
  exact = false,
): ManagedModel {
  const given = name.trim();
  if (given === "") return models[0];
  const fold = (text: string) => exact ? text : text.toLowerCase();
  const found = models.find(({ id }) => [id, TEST_PREFIX + id].some((one) => fold(one) === fold(given)));
  if (found) return found;
  const expected = models.map(({ id }) => id).join(" or ");
  throw invalidField("model", `Cannot ${action}: "model" is ${show(name)}, expected ${expected}`);
}

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
