/**
 * Models of the catalog that embed and rank texts.
 *
 * @module
 */
import type { CatalogModel } from "./catalog_model.ts";

/** The smallest that is good at it first. */
export const RETRIEVAL_MODELS: readonly CatalogModel[] = [
  {
    id: "text-embed-qwen3-0.6b",
    task: "embeddings",
    repository: "onnx-community/Qwen3-Embedding-0.6B-ONNX",
    revision: "c25a394dd583836952667c12f008335071b3f43d",
    quantization: "int8",
    engine: "onnx-embedding",
    license: "Apache-2.0",
    context: 32_768,
    about: "vectors of 1,024 numbers, over 100 languages, long texts",
  },
  {
    id: "embeddinggemma-300m",
    task: "embeddings",
    repository: "onnx-community/embeddinggemma-300m-ONNX",
    revision: "main",
    quantization: "q8",
    engine: "onnx-embedding",
    license: "gemma",
    context: 2_048,
    about: "vectors of 768 numbers, over 100 languages",
  },
  {
    id: "all-minilm-l6-v2",
    task: "embeddings",
    repository: "onnx-community/all-MiniLM-L6-v2-ONNX",
    revision: "aff7a1dc4e8a1ea593e6ea21e95c22ef0a25966f",
    quantization: "fp32",
    engine: "onnx-embedding",
    license: "Apache-2.0",
    context: 512,
    bytes: 90_400_000,
    about: "vectors of 384 numbers, English, very fast",
  },
  {
    id: "bge-reranker-v2-m3",
    task: "rerank",
    repository: "onnx-community/bge-reranker-v2-m3-ONNX",
    revision: "6f5ff65298512715a1e669753bc754d2bc8f367b",
    quantization: "int8",
    engine: "onnx-rerank",
    license: "Apache-2.0",
    context: 8_192,
    about: "many languages, long texts",
  },
  {
    id: "ms-marco-minilm-l6-v2",
    task: "rerank",
    repository: "Xenova/ms-marco-MiniLM-L-6-v2",
    revision: "main",
    quantization: "q8",
    engine: "onnx-rerank",
    license: "Apache-2.0",
    context: 512,
    bytes: 23_000_000,
    about: "English, very fast",
  },
];
