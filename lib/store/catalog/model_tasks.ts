/**
 * The tasks of models in order.
 *
 * @module
 */
import type { ModelTask } from "./installed_model.ts";

/** Every task, in display order. */
export const MODEL_TASKS: readonly ModelTask[] = [
  "chat.completions",
  "embeddings",
  "rerank",
  "images.generations",
  "images.edits",
  "audio.speech",
  "audio.transcriptions",
  "vision.geometry",
  "vision.depth",
  "vision.image_to_3d",
];
