/**
 * Recognises FLUX.2 pipelines.
 *
 * @module
 */
import { openFlux2 } from "../../models/flux2/loader.ts";
import { planImage } from "../../models/flux2/image_plan.ts";
import type { ModelFiles } from "../files/model_files.ts";
import type { ImageModelProfile } from "./image_model.ts";
import { modelFilesRoot } from "../vision/model_files_root.ts";

/** What a pipeline of diffusers has at its top. */
export const PIPELINE_FILE = "model_index.json";

/** Tokens of a side of an image of a megapixel. */
const MEGAPIXEL_SIDE = 64;

/**
 * Reads the profile of a folder in the published layout: configurations, the heads of all weights, and what they will take
 * on the CPU. No weight is read.
 *
 * @returns Undefined for files of another kind.
 * @throws {SvcError} naming every file, field and tensor that is missing or wrong.
 */
export async function readFlux2Profile(files: ModelFiles): Promise<ImageModelProfile | undefined> {
  if (!files.names.includes(PIPELINE_FILE)) return undefined;
  const index = JSON.parse(new TextDecoder().decode(await files.read(PIPELINE_FILE))) as { _class_name?: unknown };
  if (index?._class_name !== "Flux2KleinPipeline") return undefined;
  const flux = await openFlux2(modelFilesRoot(files, false));
  const { config } = flux;
  const { native } = config;
  const image = native
    ? { width: native.width / 16, height: native.height / 16 }
    : { width: MEGAPIXEL_SIDE, height: MEGAPIXEL_SIDE };
  const { programs } = planImage(flux, { image, references: [], start: true }, { kind: "cpu", precision: "f32" });
  const weights = programs.map(({ weightBytes, compilingBytes, activationBytes }) =>
    Math.max(weightBytes, compilingBytes - activationBytes)
  );
  return {
    kind: "image",
    engine: "flux2",
    maxPromptTokens: config.textLength,
    steps: config.defaultSteps,
    guidance: config.defaultGuidance,
    secondPass: !config.distilled,
    ...native && { native },
    partBytes: Math.max(...weights),
    wholeBytes: weights.reduce((sum, bytes) => sum + bytes, 0),
    workBytes: Math.max(...programs.map(({ activationBytes }) => activationBytes)),
  };
}
