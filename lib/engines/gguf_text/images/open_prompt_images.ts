/**
 * Opens what reads the images of a GGUF model.
 *
 * @module
 */
import type { LlamaModel } from "node-llama-cpp";
import type { EngineOptions, ModelFiles } from "../../contract/engine_entry.ts";
import type { KvCacheMode } from "../../contract/model_profile.ts";
import { textField } from "../gguf_fields.ts";
import type { GgufMetadata } from "../gguf_metadata.ts";
import { ImageReader } from "./image_reader.ts";
import { PromptImages } from "./prompt_images.ts";
import type { Projector } from "./read_projector.ts";

/** A model that is open, and its projector. */
export interface OpenedModel {
  readonly files: ModelFiles;
  /** Of its weights. */
  readonly name: string;
  readonly projector: Projector;
  readonly metadata: GgufMetadata;
  readonly model: LlamaModel;
  readonly device: string;
  readonly options: EngineOptions & { readonly threads: number };
}

/** Of cached keys and values in less than 16 bits, as the library calls them. */
const kvTypes: Readonly<Partial<Record<KvCacheMode, string>>> = { affine8: "q8_0", affine4: "q4_0" };

/** Tokens at once. */
const BATCH = 512;

/** Kinds whose images have up to so many tokens that see each other, and so are evaluated at once. */
const wide = new Map([["gemma4v", 1152], ["gemma4uv", 1152]]);

/** Nothing is started until there is an image. */
export function openPromptImages(opened: OpenedModel): PromptImages {
  const { files, name, projector, metadata, model, device, options } = opened;
  const { bosString, shouldPrependBosToken } = model.tokens;
  const reader = new ImageReader({
    model: files.path(name),
    projector: files.path(projector.name),
    lora: options.lora,
    device,
    threads: options.threads,
    kvType: kvTypes[options.kvCacheMode] ?? "f16",
    batch: wide.get(projector.kind) ?? BATCH,
    context: options.context,
  });
  return new PromptImages({
    reader,
    encode: (text) => model.tokenize(text, true),
    begin: shouldPrependBosToken ? bosString ?? "" : "",
    planar: metadata.has(`${textField(metadata, "general.architecture")}.rope.dimension_sections`),
  });
}
