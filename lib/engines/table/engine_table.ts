/**
 * The engines. A new one has its id in `contract/engine_ids.ts`, a folder with its entry, and a line here; a new kind
 * of models is also a row in `model_kinds.ts` and a profile in `contract/model_profile.ts`.
 *
 * @module
 */
import type { EngineId } from "../contract/engine_ids.ts";
import { ggufEmbeddingEngine, ggufRerankEngine } from "../gguf_retrieval/gguf_retrieval_engines.ts";
import { ggufTextEngine } from "../gguf_text/gguf_text_engine.ts";
import { flux2Engine, zimageEngine } from "../image/image_engines.ts";
import { onnxDiffusionEngine } from "../onnx_diffusion/onnx_diffusion_engine.ts";
import { onnxEmbeddingEngine } from "../onnx_embedding/onnx_embedding_engine.ts";
import { onnxRerankEngine } from "../onnx_rerank/onnx_rerank_engine.ts";
import { onnxTextEngine } from "../onnx_text/onnx_text_engine.ts";
import { hibariEngine, kokoroEngine } from "../speech/speech_engines.ts";
import {
  graphDa3Engine,
  graphInstantMeshEngine,
  graphMoge2Engine,
  graphTripoSrEngine,
  graphVdaEngine,
  onnxMoge2Engine,
} from "../vision/vision_engines.ts";
import { transformersJsEngine } from "../transformers_js/transformers_js_engine.ts";
import { moonshineEngine, parakeetEngine, whisperEngine } from "../transcription/transcription_engines.ts";
import type { EngineEntry } from "../contract/engine_entry.ts";

/**
 * All engines, in the order in which the files of a model are tried: layouts with file names of their own come first;
 * masked language models are for diffusion before they are for embeddings; transformers.js gets the families that our
 * own decode loop does not run whole; the reader of ONNX chat models is the least specific.
 */
export const engines: Readonly<Record<EngineId, EngineEntry>> = {
  "flux2": flux2Engine,
  "z-image": zimageEngine,
  "gguf-embedding": ggufEmbeddingEngine,
  "gguf-rerank": ggufRerankEngine,
  "gguf-text": ggufTextEngine,
  "onnx-hibari": hibariEngine,
  "onnx-kokoro": kokoroEngine,
  "graph-moge2": graphMoge2Engine,
  "graph-da3": graphDa3Engine,
  "graph-vda": graphVdaEngine,
  "graph-triposr": graphTripoSrEngine,
  "graph-instantmesh": graphInstantMeshEngine,
  "onnx-moge2": onnxMoge2Engine,
  "onnx-whisper": whisperEngine,
  "onnx-moonshine": moonshineEngine,
  "onnx-parakeet": parakeetEngine,
  "onnx-diffusion": onnxDiffusionEngine,
  "onnx-rerank": onnxRerankEngine,
  "onnx-embedding": onnxEmbeddingEngine,
  "transformers-js": transformersJsEngine,
  "onnx-text": onnxTextEngine,
};

/** Their ids, in this order. */
export const engineIds: readonly EngineId[] = Object.keys(engines) as EngineId[];
