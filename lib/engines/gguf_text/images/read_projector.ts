/**
 * The projector of a GGUF model.
 *
 * @module
 */
import { bestProjector } from "../../files/projector_files.ts";
import type { ModelFiles } from "../../contract/engine_entry.ts";
import { MAX_WIDTH, shown } from "../../files/model_json.ts";
import { numberField, textField } from "../gguf_fields.ts";
import { type GgufMetadata, readGgufMetadata } from "../gguf_metadata.ts";

/** A file that turns images into vectors of its model. */
export interface Projector {
  readonly name: string;
  /** Such as `mlp` or `gemma3`. */
  readonly kind: string;
}

/** What llama.cpp divides by, or makes room for. */
const sizes: Readonly<Record<string, number>> = {
  "embedding_length": MAX_WIDTH,
  "attention.head_count": 2 ** 10,
  "block_count": 2 ** 10,
  "image_size": 2 ** 14,
  "patch_size": 2 ** 10,
};

/**
 * Reads the projector beside a model.
 *
 * @returns Undefined when there is none, or one for sounds alone.
 * @throws {Error} when the file is broken or something else.
 */
export async function readProjector(files: ModelFiles): Promise<Projector | undefined> {
  const name = bestProjector(files.names);
  if (name === undefined) return undefined;
  const metadata = await readGgufMetadata(files, name);
  const architecture = textField(metadata, "general.architecture");
  if (architecture !== "clip") {
    throw unusable(name, `its general.architecture is ${shown(architecture)}`, '"clip", a projector of images');
  }
  if (metadata.get("clip.has_vision_encoder") !== true) return undefined;
  const kind = textField(metadata, "clip.projector_type") ?? textField(metadata, "clip.vision.projector_type");
  if (kind === undefined) throw unusable(name, "it names no clip.projector_type", "such as mlp or gemma3");
  checkSizes(metadata, name);
  return { name, kind };
}

function checkSizes(metadata: GgufMetadata, name: string): void {
  for (const [field, most] of Object.entries(sizes)) {
    const key = `clip.vision.${field}`;
    const value = numberField(metadata, key);
    // Some kinds do without some of them.
    if (!metadata.has(key) || (value !== undefined && Number.isInteger(value) && value >= 1 && value <= most)) continue;
    throw unusable(name, `its ${key} is ${shown(metadata.get(key))}`, `a whole number from 1 to ${most}`);
  }
}

function unusable(name: string, what: string, expected: string): Error {
  return new Error(
    `Cannot use ${name}: ${what}, expected ${expected}: download it again, or remove it to use the model without images`,
  );
}
