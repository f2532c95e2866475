/**
 * Public models that `svc model pull` knows by a short id.
 *
 * @module
 */
import type { EngineId } from "../../engines/files/model_profile.ts";
import type { ModelTask } from "./installed_model.ts";

/** A model of the catalog. */
export interface CatalogModel {
  readonly id: string;
  readonly task: ModelTask;
  /** Repository of the hub, such as `onnx-community/Qwen3-0.6B-ONNX`. */
  readonly repository: string;
  /** Branch, tag or commit; the record of the installed model has the commit. */
  readonly revision: string;
  /** Such as `q4`; undefined for a repository with one set of weights. */
  readonly quantization?: string;
  /** Undefined where no engine of this version serves it. */
  readonly engine?: EngineId;
  /** SPDX identifier. */
  readonly license: string;
  /** Maximum number of tokens of prompt and answer together, or of a text. */
  readonly context?: number;
  /** Approximate download size. */
  readonly bytes?: number;
  /** A torch checkpoint of the repository, the only file that is taken: it becomes `model.safetensors`. */
  readonly checkpoint?: string;
  /** What it is for, in one line. */
  readonly about: string;
}

/**
 * The models, by task. Commits are pinned where one is known to hold these files. There is no public ONNX model for
 * text diffusion yet.
 */
export const CATALOG: readonly CatalogModel[] = [
  {
    id: "smollm2-135m",
    task: "chat.completions",
    repository: "onnx-community/SmolLM2-135M-Instruct-ONNX",
    revision: "b8a5c0f183b78c55955a5364f610c36668b5e681",
    quantization: "q4",
    engine: "onnx-text",
    license: "Apache-2.0",
    context: 8_192,
    about: "the smallest chat model, for experiments",
  },
  {
    id: "qwen2.5-0.5b",
    task: "chat.completions",
    repository: "Qwen/Qwen2.5-0.5B-Instruct-GGUF",
    revision: "9217f5db79a29953eb74d5343926648285ec7e67",
    quantization: "Q4_K_M",
    engine: "gguf-text",
    license: "Apache-2.0",
    context: 32_768,
    bytes: 400_000_000,
    about: "small chat model with tool calls",
  },
  {
    id: "qwen3-0.6b",
    task: "chat.completions",
    repository: "onnx-community/Qwen3-0.6B-ONNX",
    revision: "main",
    quantization: "q4",
    engine: "onnx-text",
    license: "Apache-2.0",
    context: 40_960,
    bytes: 919_000_000,
    about: "small chat model with reasoning and tool calls",
  },
  {
    id: "qwen3-1.7b",
    task: "chat.completions",
    repository: "onnx-community/Qwen3-1.7B-ONNX",
    revision: "e1da89f753284b95bd0971c64524f52edc5eb6e3",
    quantization: "q4",
    engine: "onnx-text",
    license: "Apache-2.0",
    context: 40_960,
    about: "medium chat model with reasoning and tool calls",
  },
  {
    id: "qwen3-4b",
    task: "chat.completions",
    repository: "Qwen/Qwen3-4B-GGUF",
    revision: "bc640142c66e1fdd12af0bd68f40445458f3869b",
    quantization: "Q4_K_M",
    engine: "gguf-text",
    license: "Apache-2.0",
    context: 40_960,
    bytes: 2_497_280_256,
    about: "medium chat model with reasoning and good tool calls",
  },
  {
    id: "qwen3-8b",
    task: "chat.completions",
    repository: "Qwen/Qwen3-8B-GGUF",
    revision: "7c41481f57cb95916b40956ab2f0b139b296d974",
    quantization: "Q4_K_M",
    engine: "gguf-text",
    license: "Apache-2.0",
    context: 40_960,
    about: "large chat model with reasoning and good tool calls",
  },
  {
    id: "smolvlm-256m",
    task: "chat.completions",
    repository: "HuggingFaceTB/SmolVLM-256M-Instruct",
    revision: "main",
    quantization: "q4",
    engine: "onnx-text",
    license: "Apache-2.0",
    context: 8_192,
    about: "small chat model with image input",
  },
  {
    id: "smolvlm-500m",
    task: "chat.completions",
    repository: "HuggingFaceTB/SmolVLM-500M-Instruct",
    revision: "main",
    quantization: "q4",
    engine: "onnx-text",
    license: "Apache-2.0",
    context: 8192,
    about: "chat model with image input",
  },
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
  {
    id: "image-flux2-klein-4b",
    task: "images.generations",
    repository: "black-forest-labs/FLUX.2-klein-4B",
    revision: "main",
    engine: "flux2",
    license: "Apache-2.0",
    context: 512,
    bytes: 16_000_000_000, // 7,982,059,040 parameters in 16 bits, and the tokenizer
    about: "images from text and edits in 4 steps; some 24 GB of memory on a CPU, 12 GB on a GPU",
  },
  {
    id: "image-edit-flux2-klein-4b",
    task: "images.edits",
    repository: "black-forest-labs/FLUX.2-klein-4B",
    revision: "main",
    engine: "flux2",
    license: "Apache-2.0",
    context: 512,
    bytes: 16_000_000_000,
    about: "the same model under the name of its edits; image-flux2-klein-4b edits too",
  },
  {
    id: "image-z-image-turbo",
    task: "images.generations",
    repository: "Tongyi-MAI/Z-Image-Turbo",
    revision: "main",
    engine: "z-image",
    license: "Apache-2.0",
    context: 512,
    about: "images from text in 8 steps; an edit begins with its image (strength), references are refused",
  },
  {
    id: "speech-tts-kokoro-82m",
    task: "audio.speech",
    repository: "onnx-community/Kokoro-82M-v1.0-ONNX",
    revision: "1939ad2a8e416c0acfeecc08a694d14ef25f2231",
    quantization: "q8",
    engine: "onnx-kokoro",
    license: "Apache-2.0",
    bytes: 120_000_000,
    about: "English speech in 54 voices, beside speech-hibari, whose dictionaries it reads with",
  },
  {
    id: "speech-asr-whisper-base",
    task: "audio.transcriptions",
    repository: "onnx-community/whisper-base",
    revision: "main",
    quantization: "q8",
    license: "Apache-2.0",
    engine: "onnx-whisper",
    about: "transcription of many languages",
  },
  {
    id: "vision-geometry-moge2-small",
    task: "vision.geometry",
    repository: "Ruicheng/moge-2-vits-normal-onnx",
    revision: "e50ffda41565591092adea54c6ac83d6212e1e23",
    engine: "onnx-moge2",
    license: "MIT",
    bytes: 140_852_051,
    about: "points, depth and normals of an image",
  },
  {
    id: "image-3d-triposr",
    task: "vision.image_to_3d",
    repository: "stabilityai/TripoSR",
    revision: "main",
    engine: "graph-triposr",
    checkpoint: "model.ckpt",
    license: "MIT",
    bytes: 1_677_246_742,
    about: "a mesh from one image",
  },
  {
    id: "image-3d-instantmesh-base",
    task: "vision.image_to_3d",
    repository: "TencentARC/InstantMesh",
    revision: "main",
    engine: "graph-instantmesh",
    checkpoint: "instant_mesh_base.ckpt",
    license: "Apache-2.0",
    bytes: 1_250_000_000,
    about: "a mesh from four or six views of an object",
  },
  {
    id: "vision-geometry-da3-small",
    task: "vision.geometry",
    repository: "depth-anything/DA3-SMALL",
    revision: "main",
    engine: "graph-da3",
    license: "Apache-2.0",
    bytes: 138_000_000,
    about: "depth, cameras and points of several views",
  },
  {
    id: "vision-depth-vda-small",
    task: "vision.depth",
    repository: "depth-anything/Video-Depth-Anything-Small",
    revision: "main",
    engine: "graph-vda",
    checkpoint: "video_depth_anything_vits.pth",
    license: "Apache-2.0",
    bytes: 116_000_000,
    about: "relative depth of a video",
  },
  {
    id: "vision-depth-vda-small-metric",
    task: "vision.depth",
    repository: "depth-anything/Metric-Video-Depth-Anything-Small",
    revision: "main",
    engine: "graph-vda",
    checkpoint: "metric_video_depth_anything_vits.pth",
    license: "Apache-2.0",
    bytes: 116_000_000,
    about: "depth of a video in metres",
  },
];
