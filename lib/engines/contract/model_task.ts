/**
 * What models are for.
 *
 * @module
 */

/** The task of a model, as `GET /v1/models` names it. */
export type ModelTask =
  | "chat.completions"
  | "embeddings"
  | "rerank"
  | "images.generations"
  | "images.edits"
  | "audio.speech"
  | "audio.transcriptions"
  | "vision.geometry"
  | "vision.depth"
  | "vision.image_to_3d";
