import assert from "node:assert/strict";
import { test } from "node:test";
import { CATALOG } from "../../lib/store/catalog/catalog.ts";
import { chooseFiles } from "../../lib/store/catalog/choose_files.ts";
import { detectModel } from "../../lib/store/catalog/detect_model.ts";
import { profileReaders } from "../../lib/store/profile_readers.ts";
import { embeddingGemmaModel } from "../fixtures/tiny_models/embedding_gemma/embedding_gemma_model.ts";
import { embeddingModel } from "../fixtures/tiny_models/embedding_model.ts";
import type { GgufFamilyName } from "../fixtures/tiny_models/gguf_families/family_table.ts";
import { ggufFamilyModel } from "../fixtures/tiny_models/gguf_families/gguf_family_model.ts";
import { ggufFamilyProjector } from "../fixtures/tiny_models/gguf_families/gguf_family_projector.ts";
import type { GgufProjectorName } from "../fixtures/tiny_models/gguf_families/projector_table.ts";
import { ggufCausalRerankModel, ggufEmbeddingModel } from "../fixtures/tiny_models/gguf_retrieval_models.ts";
import { libraryVisionModel } from "../fixtures/tiny_models/library_vision_model.ts";
import type { ModelFiles } from "../fixtures/tiny_models/model_files.ts";
import { onnxChatModel } from "../fixtures/tiny_models/onnx_chat_model.ts";
import { rerankModel } from "../fixtures/tiny_models/rerank_model.ts";
import type { DecoderFamily } from "../fixtures/tiny_models/transformer_weights.ts";
import { visionChatModel } from "../fixtures/tiny_models/vision_chat_model.ts";
import { memoryFiles } from "../support/model_files.ts";

/** What a repository has: the name of the weights that a pull takes, others that it must not take, and its files. */
interface Proof {
  readonly takes: string;
  /** Taken with them: what lets them see. */
  readonly projector?: string;
  readonly leaves?: readonly string[];
  readonly files: () => ModelFiles;
}

/** gguf_families_test.ts chats with each family. */
const gguf = (family: GgufFamilyName, takes: string, ...leaves: string[]): Proof => ({
  ...{ takes, leaves },
  files: () => ggufFamilyModel(family, takes),
});
/** gguf_projectors_test.ts shows it an image. */
const seeing = (proof: Proof, kind: GgufProjectorName, projector: string): Proof => ({
  ...proof,
  projector,
  files: () => ({ ...proof.files(), [projector]: ggufFamilyProjector(kind) }),
});
/** decoder_test.ts computes with each family. */
const onnx = (family: DecoderFamily): Proof => ({
  takes: "onnx/model_q4.onnx",
  leaves: ["onnx/model.onnx", "onnx/model_q4f16.onnx", "onnx/model_fp16.onnx"],
  files: () => onnxChatModel({ weights: "q4", kind: "gqa", family }),
});
const onnxText = (quantization: string, files: () => ModelFiles): Proof => {
  const all = ["", "fp16", "int8", "quantized", "q4"].map((ending) => `onnx/model${ending && `_${ending}`}.onnx`);
  const takes = `onnx/model${quantization && `_${quantization}`}.onnx`;
  return { takes, leaves: all.filter((name) => name !== takes), files };
};
const graphs = (files: () => ModelFiles): Proof => ({
  takes: "onnx/decoder_model_merged_q4.onnx",
  leaves: ["onnx/decoder_model_merged.onnx", "onnx/decoder_model_merged_q4f16.onnx"],
  files,
});

const smolvlm = graphs(() => visionChatModel({ family: "smolvlm" }));

/** By id: the names are those of the repositories, the architectures those of their configurations. */
const proofs: Readonly<Record<string, Proof>> = {
  "smollm2-135m": onnx("llama"),
  "qwen2.5-0.5b": gguf("qwen2", "qwen2.5-0.5b-instruct-q4_k_m.gguf", "qwen2.5-0.5b-instruct-q8_0.gguf"),
  "qwen3-0.6b": onnx("qwen3"),
  "qwen3-1.7b": onnx("qwen3"),
  "qwen3-4b": gguf("qwen3", "Qwen3-4B-Q4_K_M.gguf", "Qwen3-4B-Q8_0.gguf"),
  "qwen3-8b": gguf("qwen3", "Qwen3-8B-Q4_K_M.gguf", "Qwen3-8B-Q8_0.gguf"),
  "qwen3-14b": gguf("qwen3", "Qwen3-14B-Q4_K_M.gguf"),
  "qwen3-30b-a3b": gguf("qwen3moe", "Qwen3-30B-A3B-Q4_K_M.gguf"),
  "qwen3.5-0.8b": graphs(() => libraryVisionModel("qwen3_5")),
  "qwen3.5-4b": seeing(
    gguf("qwen35", "Qwen3.5-4B-Q4_K_M.gguf", "mmproj-BF16.gguf", "mmproj-F32.gguf", "imatrix_unsloth.gguf"),
    "qwen3vl_merger",
    "mmproj-F16.gguf",
  ),
  "qwen2.5-coder-7b": gguf(
    "qwen2",
    "qwen2.5-coder-7b-instruct-q4_k_m.gguf",
    "qwen2.5-coder-7b-instruct-q4_k_m-00001-of-00002.gguf",
    "qwen2.5-coder-7b-instruct-q4_k_m-00002-of-00002.gguf",
  ),
  "qwen3-coder-30b-a3b": gguf("qwen3moe", "Qwen3-Coder-30B-A3B-Instruct-Q4_K_M.gguf"),
  "qwen3-vl-2b": graphs(() => libraryVisionModel("qwen3_vl")),
  "llama-3.2-1b": onnx("llama"),
  "llama-3.2-3b": gguf("llama", "Llama-3.2-3B-Instruct-Q4_K_M.gguf", "Llama-3.2-3B-Instruct-Q4_K_L.gguf"),
  "llama-3.1-8b": gguf("llama", "Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf"),
  "gemma-3-1b": gguf("gemma3", "gemma-3-1b-it-Q4_K_M.gguf"),
  "gemma-3-4b": seeing(gguf("gemma3", "gemma-3-4b-it-Q4_K_M.gguf"), "gemma3", "mmproj-model-f16.gguf"),
  "gemma-4-e2b": seeing(
    gguf("gemma4", "gemma-4-E2B-it-Q4_0.gguf", "mtp-gemma-4-E2B-it-Q4_0.gguf"),
    "gemma4v",
    "mmproj-gemma-Q8_0.gguf",
  ),
  "phi-4-mini": gguf("phi-4-mini", "Phi-4-mini-instruct-Q4_K_M.gguf"),
  "phi-4": gguf("phi-4", "phi-4-Q4_K.gguf", "phi-4-IQ4_NL.gguf", "phi-4-Q4_K_S.gguf"),
  "smollm3-3b": gguf("smollm3", "SmolLM3-Q4_K_M.gguf", "SmolLM3-f16.gguf"),
  "gpt-oss-20b": gguf("gpt-oss", "gpt-oss-20b-MXFP4.gguf"),
  "ministral-3-3b": seeing(
    gguf("mistral3", "Ministral-3-3B-Instruct-2512-Q4_K_M.gguf"),
    "pixtral",
    "Ministral-3-3B-Instruct-2512-BF16-mmproj.gguf",
  ),
  "mistral-small-3.2-24b": gguf("mistral-small", "mistralai_Mistral-Small-3.2-24B-Instruct-2506-Q4_K_M.gguf"),
  "granite-4-h-tiny": gguf("granitehybrid", "granite-4.0-h-tiny-Q4_K_M.gguf"),
  "lfm2.5-1.2b": gguf("lfm2", "LFM2.5-1.2B-Instruct-Q4_K_M.gguf", "LFM2.5-1.2B-Instruct-QAD-Q4_0.gguf"),
  "text-embed-qwen3-0.6b": onnxText("int8", () => embeddingModel({ kind: "qwen3", pooling: "last_token" })),
  "embeddinggemma-300m": {
    takes: "onnx/model_quantized.onnx",
    leaves: ["", "_fp16", "_no_gather_q4", "_q4", "_q4f16"].map((ending) => `onnx/model${ending}.onnx`),
    files: () => embeddingGemmaModel("q8"),
  },
  "all-minilm-l6-v2": onnxText("", () => embeddingModel({ kind: "word-pieces" })),
  "bge-m3": { takes: "bge-m3-q8_0.gguf", files: () => ggufEmbeddingModel({ kind: "xlm-roberta", pooling: "cls" }) },
  "qwen3-embedding-0.6b": {
    takes: "Qwen3-Embedding-0.6B-Q8_0.gguf",
    leaves: ["Qwen3-Embedding-0.6B-f16.gguf"],
    files: () => ggufEmbeddingModel({ kind: "qwen3", pooling: "last_token" }),
  },
  "bge-reranker-v2-m3": onnxText("int8", () => rerankModel({ kind: "xlm-roberta" })),
  "ms-marco-minilm-l6-v2": onnxText("quantized", () => rerankModel({ kind: "word-pieces" })),
  "qwen3-reranker-0.6b": { takes: "qwen3-reranker-0.6b-q8_0.gguf", files: () => ggufCausalRerankModel() },
  "smolvlm-256m": smolvlm,
  "smolvlm-500m": smolvlm,
};

/** The same for the other form of those that have two. */
const otherProofs: Readonly<Record<string, Proof>> = {
  "smollm2-135m": gguf("llama", "SmolLM2-135M-Instruct-Q4_K_M.gguf", "SmolLM2-135M-Instruct-Q8_0.gguf"),
  "llama-3.2-1b": gguf("llama", "Llama-3.2-1B-Instruct-Q4_K_M.gguf", "Llama-3.2-1B-Instruct-Q4_K_L.gguf"),
  "qwen2.5-0.5b": onnx("qwen2"),
  "qwen3-0.6b": gguf("qwen3", "Qwen3-0.6B-Q4_K_M.gguf", "Qwen3-0.6B-Q8_0.gguf"),
  "qwen3-1.7b": gguf("qwen3", "Qwen3-1.7B-Q4_K_M.gguf", "Qwen3-1.7B-Q8_0.gguf"),
};

const listed = CATALOG.filter(({ task }) => ["chat.completions", "embeddings", "rerank"].includes(task));

test("CATALOG lists what has a proof here, and nothing else", () => {
  assert.deepEqual(listed.map(({ id }) => id).sort(), Object.keys(proofs).sort());
  const both = listed.filter(({ otherForm }) => otherForm !== undefined);
  assert.deepEqual(both.map(({ id }) => id).sort(), Object.keys(otherProofs).sort());
});

test("CATALOG takes from each repository the weights that its engine reads", async () => {
  const otherForms = listed.flatMap(({ otherForm, ...entry }) =>
    otherForm ? [[{ ...entry, ...otherForm }, otherProofs[entry.id]] as const] : []
  );
  const all = [...listed.map((entry) => [entry, proofs[entry.id]] as const), ...otherForms];
  for (const [{ id, task, engine, quantization, abilities = [] }, proof] of all) {
    const { takes, projector, leaves = [], files } = proof;
    const others = takes.endsWith(".onnx") ? ["config.json", "tokenizer.json"] : ["README.md"];
    const taken = projector === undefined ? [takes] : [takes, projector];
    const { paths } = chooseFiles([...leaves, ...taken, ...others], quantization, id);
    assert.deepEqual(paths.filter((path) => !path.endsWith(".json")), taken, id);
    const { profile, ...detected } = await detectModel(memoryFiles(files()), undefined, profileReaders, id);
    assert.deepEqual([detected.task, profile.engine], [task, engine], id);
    const seen = profile.kind === "chat" && profile.capabilities.features.has("images");
    assert.equal(seen, abilities.includes("images"), `${id} promises images`);
  }
});
