/**
 * The engines by the kind of their models. Every id is said here alone: its profile, its place in the table, flags and
 * stored settings take it from here.
 *
 * @module
 */

/** All ids. */
export const ENGINE_IDS = {
  chat: ["gguf-text", "onnx-diffusion", "transformers-js", "onnx-text"],
  embedding: ["onnx-embedding", "gguf-embedding"],
  rerank: ["onnx-rerank", "gguf-rerank"],
  image: ["flux2", "z-image"],
  speech: ["onnx-hibari", "onnx-kokoro"],
  transcription: ["onnx-whisper", "onnx-parakeet", "onnx-moonshine"],
  geometry: ["graph-moge2", "onnx-moge2", "graph-da3"],
  "depth-video": ["graph-vda"],
  object: ["graph-triposr", "graph-instantmesh"],
} as const;

/** An engine by its id: one of a kind of models, or any. */
export type EngineId<Kind extends keyof typeof ENGINE_IDS = keyof typeof ENGINE_IDS> = typeof ENGINE_IDS[Kind][number];
