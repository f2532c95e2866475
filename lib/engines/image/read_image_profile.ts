/**
 * Recognises the pipelines of image models: the families, and what their folders say.
 *
 * @module
 */
import type { ModelRoot } from "../../models/checkpoint/model_root.ts";
import { openFlux2 } from "../../models/flux2/flux2_family.ts";
import { planImage } from "../../models/image_pipeline/image_plan.ts";
import type { EngineId } from "../contract/engine_ids.ts";
import type { ImageModelProfile } from "../contract/model_profile.ts";
import type { ModelFiles } from "../contract/engine_entry.ts";
import { openZImage } from "../../models/zimage/zimage_family.ts";
import type { ImageFiles } from "../../models/image_pipeline/open_components.ts";
import { modelFilesRoot } from "../files/model_files_root.ts";

/** What a pipeline of diffusers has at its top. */
const PIPELINE_FILE = "model_index.json";

/** Tokens of a side of an image of a megapixel. */
const MEGAPIXEL_SIDE = 64;

/**
 * Reads the profile of a folder in the published layout: configurations, the heads of all weights, and what they will take
 * on the CPU. No weight is read.
 *
 * @returns Undefined for files of another kind.
 * @throws {SvcError} naming every file, field and tensor that is missing or wrong.
 */
export async function readImageProfile(
  engine: EngineId<"image">,
  files: ModelFiles,
): Promise<ImageModelProfile | undefined> {
  if (!files.names.includes(PIPELINE_FILE)) return undefined;
  const index = JSON.parse(new TextDecoder().decode(await files.read(PIPELINE_FILE))) as {
    readonly _class_name?: unknown;
    readonly knows?: { readonly what?: unknown };
  };
  const { className, open } = imageFamilies[engine];
  if (index?._class_name !== className) return undefined;
  const opened = await open(modelFilesRoot(files, false));
  const { family } = opened;
  const { native } = family;
  const image = native
    ? { width: native.width / 16, height: native.height / 16 }
    : { width: MEGAPIXEL_SIDE, height: MEGAPIXEL_SIDE };
  const { programs } = planImage(opened, { image, references: [], start: true }, { kind: "cpu", precision: "f32" });
  const weights = programs.map(({ weightBytes, compilingBytes, activationBytes }) =>
    Math.max(weightBytes, compilingBytes - activationBytes)
  );
  return {
    kind: "image",
    engine,
    maxPromptTokens: family.textLength,
    steps: family.defaultSteps,
    guidance: family.defaultGuidance,
    secondPass: !family.distilled,
    takesReferences: family.takesReferences,
    ...native && { native },
    ...typeof index.knows?.what === "string" && { madeFor: { what: index.knows.what, words: await wordsOf(files) } },
    partBytes: Math.max(...weights),
    wholeBytes: weights.reduce((sum, bytes) => sum + bytes, 0),
    workBytes: Math.max(...programs.map(({ activationBytes }) => activationBytes)),
  };
}

/** The words that the tokenizer of a small model has whole: those of its captions. */
async function wordsOf(files: ModelFiles): Promise<readonly string[]> {
  const { model } = JSON.parse(new TextDecoder().decode(await files.read("tokenizer/tokenizer.json"))) as {
    readonly model?: { readonly vocab?: Readonly<Record<string, number>> };
  };
  return Object.keys(model?.vocab ?? {}).flatMap((token) => /^Ġ\p{L}+$/u.test(token) ? [token.slice(1)] : []);
}

/** A family. */
interface FamilyOfFiles {
  /** `_class_name` in `model_index.json`. */
  readonly className: string;
  readonly open: (root: ModelRoot) => Promise<ImageFiles>;
}

/** All families by their engines. */
export const imageFamilies: Readonly<Record<EngineId<"image">, FamilyOfFiles>> = {
  "flux2": { className: "Flux2KleinPipeline", open: openFlux2 },
  "z-image": { className: "ZImagePipeline", open: openZImage },
};
