import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseFiles } from "../../../lib/store/catalog/choose_files.ts";

const small = ["chat_template.jinja", "config.json", "generation_config.json", "tokenizer.json"];
const chat = [
  ...[...small, "README.md", ".gitattributes", "model.safetensors", "model.safetensors.index.json"],
  ...["onnx/model.onnx", "onnx/model.onnx_data", "onnx/model_fp16.onnx", "onnx/model_fp16.onnx_data"],
  ...["onnx/model_fp16.onnx_data_1", "onnx/model_q4.onnx", "onnx/model_q4f16.onnx", "onnx/model_quantized.onnx"],
  ...["openvino/openvino_model.json", "onnxruntime/cpu/model.onnx", "onnxruntime/cpu/genai_config.json"],
];

/** The weights that are chosen, without the small files. */
function weights(paths: readonly string[], quantization?: string): readonly string[] {
  return chooseFiles(paths, quantization, "x").paths.filter((path) =>
    !path.endsWith(".json") && !path.endsWith(".jinja")
  );
}

test("chooseFiles() takes one set of weights with their data, and the small files", () => {
  assert.deepEqual(chooseFiles(chat, undefined, "x"), {
    paths: [...small.slice(0, 3), "onnx/model_q4.onnx", small[3]],
    quantization: "q4",
  });
  const fp16 = ["onnx/model_fp16.onnx", "onnx/model_fp16.onnx_data", "onnx/model_fp16.onnx_data_1"];
  assert.deepEqual(weights(chat, "fp16"), fp16);
  assert.deepEqual(weights(chat, "FP32"), ["onnx/model.onnx", "onnx/model.onnx_data"]);
  assert.deepEqual(weights(chat, "q8"), ["onnx/model_quantized.onnx"]);
  assert.deepEqual(weights(chat, "q4f16"), ["onnx/model_q4f16.onnx"]);
});

test("chooseFiles() prefers what is best on a CPU", () => {
  const order = ["_q4", "_quantized", "_int8", "_uint8", "_q4f16", "_fp16", "", "_bnb4"].map((end) =>
    `onnx/model${end}.onnx`
  );
  for (const [i, best] of order.entries()) assert.deepEqual(weights(order.slice(i).reverse()), [best]);
});

test("chooseFiles() says which weights there are when the wanted ones are not", () => {
  assert.throws(() => chooseFiles(chat, "q2", "some/repo"), {
    code: "unsuitable_files",
    message: "Cannot use some/repo: it has no weights in q2, expected one of fp32, fp16, q4, q4f16, q8",
  });
  assert.throws(() => chooseFiles(["model.safetensors", "config.json", "tokenizer.json"], undefined, "some/repo"), {
    message: "Cannot use some/repo: its weights have another format: model.safetensors is safetensors of a kind that " +
      "no engine reads, expected .onnx or .gguf files: get a version with them, or convert it (optimum-cli export " +
      "onnx, or convert_hf_to_gguf.py of llama.cpp)",
  });
  assert.throws(() => chooseFiles(["pytorch_model.bin", "config.json"], undefined, "some/repo"), {
    message: /: its weights have another format: pytorch_model\.bin is a PyTorch checkpoint, expected \.onnx or \.gguf/,
  });
  assert.throws(() => chooseFiles(["config.json"], undefined, "here"), {
    message: "Cannot use here: it has no weights: there is config.json, expected .onnx or .gguf files",
  });
  assert.throws(() => chooseFiles(["transformer/x.safetensors"], undefined, "here"), {
    message: "Cannot use here: it has no model_index.json, add the file, as the model's repository has it",
  });
  const many = ["a.json", "b.json", "c.json", "d.json", "e.json", "f.json", "g.json"];
  assert.throws(() => chooseFiles(many, undefined, "here"), {
    message: /has no weights: there are a\.json, b\.json, c\.json, d\.json, e\.json and 2 more, expected/,
  });
});

test("chooseFiles() takes every network of a model, each as near to what is wanted as there is", () => {
  const vision = [
    ...["onnx/vision_encoder_q4.onnx", "onnx/vision_encoder_fp16.onnx", "onnx/embed_tokens_fp16.onnx"],
    ...["onnx/embed_tokens_quantized.onnx", "onnx/decoder_model_merged_q4.onnx", "onnx/decoder_model_merged_fp16.onnx"],
  ];
  const q4 = ["onnx/decoder_model_merged_q4.onnx", "onnx/embed_tokens_quantized.onnx", "onnx/vision_encoder_q4.onnx"];
  assert.deepEqual(chooseFiles(vision, "q4", "x"), { paths: q4, quantization: "q4" });
  const encoder = ["onnx/vision_encoder.onnx", "onnx/vision_encoder_q4.onnx", "onnx/vision_encoder_quantized.onnx"];
  const decoder = ["onnx/decoder_model_merged_fp16.onnx", "onnx/decoder_model_merged_uint8.onnx"];
  assert.deepEqual(chooseFiles([...encoder, ...decoder], "fp16", "x").paths, [decoder[0], encoder[0]]);
  assert.deepEqual(chooseFiles([...encoder, ...decoder], "uint8", "x").paths, [decoder[1], encoder[2]]);
  assert.deepEqual(chooseFiles([...encoder, ...decoder], undefined, "x").paths, [decoder[1], encoder[1]]);
});

test("chooseFiles() leaves out decoders whose work a merged one does", () => {
  const names = ["encoder_model", "decoder_model", "decoder_with_past_model", "decoder_model_merged"];
  const paths = names.map((name) => `onnx/${name}_quantized.onnx`);
  assert.deepEqual(weights(paths), ["onnx/decoder_model_merged_quantized.onnx", "onnx/encoder_model_quantized.onnx"]);
});

test("chooseFiles() recognises the names of NeMo exports", () => {
  const paths = [
    ...["config.json", "vocab.txt", "nemo128.onnx", "encoder-model.onnx", "encoder-model.onnx.data"],
    ...["encoder-model.int8.onnx", "decoder_joint-model.onnx", "decoder_joint-model.int8.onnx"],
  ];
  assert.deepEqual(chooseFiles(paths, undefined, "x"), {
    paths: ["config.json", "decoder_joint-model.int8.onnx", "encoder-model.int8.onnx", "nemo128.onnx", "vocab.txt"],
    quantization: "int8",
  });
  assert.deepEqual(weights(paths, "fp32").slice(0, 3), [
    "decoder_joint-model.onnx",
    "encoder-model.onnx",
    "encoder-model.onnx.data",
  ]);
});

test("chooseFiles() recognises optimised exports of sentence-transformers and their modules", () => {
  const paths = [
    ...["1_Pooling/config.json", "2_Dense/model.safetensors", "modules.json", "onnx/model.onnx"],
    ...["onnx/model_O4.onnx", "onnx/model_qint8_avx512.onnx", "model.safetensors"],
  ];
  const chosen = chooseFiles(paths, undefined, "x");
  assert.deepEqual(chosen.paths, [
    "1_Pooling/config.json",
    "2_Dense/model.safetensors",
    "modules.json",
    "onnx/model.onnx",
  ]);
  assert.deepEqual(chooseFiles(paths, "qint8_avx512", "x").quantization, "qint8_avx512");
});

test("chooseFiles() recognises weights for runtimes that cannot look up quantized rows as the same weights", () => {
  const paths = ["", "_quantized", "_no_gather_q4", "_q4"].flatMap((end) => [
    `onnx/model${end}.onnx`,
    `onnx/model${end}.onnx_data`,
  ]);
  assert.deepEqual(weights(paths, "q8"), ["onnx/model_quantized.onnx", "onnx/model_quantized.onnx_data"]);
  assert.deepEqual(weights(paths), ["onnx/model_q4.onnx", "onnx/model_q4.onnx_data"]);
  const other = ["onnx/model_no_gather_q4.onnx", "onnx/model_no_gather_q4.onnx_data"];
  assert.deepEqual(weights(paths, "q4_no_gather"), other);
  assert.deepEqual(weights(other), other);
});

test("chooseFiles() takes networks of the folder onnx before those beside it", () => {
  assert.deepEqual(weights(["model.onnx", "model.onnx.data"]), ["model.onnx", "model.onnx.data"]);
  assert.deepEqual(weights(["model.onnx", "onnx/model.onnx", "tf/model.onnx"]), ["onnx/model.onnx"]);
});

test("chooseFiles() takes networks of other folders when the usual ones have none", () => {
  const paths = ["unet/model.onnx", "unet/model.onnx_data", "vae/model.onnx", "scheduler/config.json"];
  assert.deepEqual(weights(paths), ["unet/model.onnx", "unet/model.onnx_data", "vae/model.onnx"]);
});

test("chooseFiles() takes one GGUF file, all of its parts, and the projector in its folder", () => {
  const paths = [
    ...["Qwen3-4B-Q4_K_M.gguf", "Qwen3-4B-Q8_0.gguf", "mmproj-Qwen3-4B-F16.gguf", "README.md", "config.json"],
    ...["big/Qwen3-4B-BF16-00002-of-00002.gguf", "big/Qwen3-4B-BF16-00001-of-00002.gguf"],
  ];
  assert.deepEqual(chooseFiles(paths, undefined, "x"), {
    paths: ["Qwen3-4B-Q4_K_M.gguf", "mmproj-Qwen3-4B-F16.gguf"],
    quantization: "Q4_K_M",
  });
  assert.deepEqual(chooseFiles(paths, "bf16", "x").paths, [
    "big/Qwen3-4B-BF16-00001-of-00002.gguf",
    "big/Qwen3-4B-BF16-00002-of-00002.gguf",
  ]);
  assert.deepEqual(chooseFiles(["model.gguf"], undefined, "x"), { paths: ["model.gguf"], quantization: "unknown" });
  assert.throws(() => chooseFiles(["a-Q8_0-00001-of-00003.gguf"], undefined, "x"), {
    message: "Cannot use x: it has 1 of the 3 parts of a-Q8_0-00001-of-00003.gguf, expected all: " +
      "a-Q8_0-00002-of-00003.gguf, a-Q8_0-00003-of-00003.gguf are missing",
  });
});

test("chooseFiles() takes the best projector, and where several models are together only its own", () => {
  const projector = (...paths: string[]) =>
    chooseFiles(["a-VL-Q4_K_M.gguf", ...paths], "q4_k_m", "x").paths.slice(1).join();
  for (
    const [best, ...others] of [
      ["mmproj-F16.gguf", "mmproj-BF16.gguf", "mmproj-F32.gguf", "mmproj-Q8_0.gguf", "mmproj-Q4_K_M.gguf"],
      ["a-VL.mmproj-Q8_0.gguf", "a-VL.mmproj-bf16.gguf"],
      ["a-VL-BF16-mmproj.gguf", "a-VL-F32-mmproj.gguf"],
      ["mmproj.gguf"],
      ["", "sub/mmproj-F16.gguf", "mmproj-F16.bin"],
    ]
  ) {
    assert.equal(projector(best, ...others), best);
    assert.equal(projector(...others, best), best);
  }
  assert.equal(projector("a-VL-Q8_0.gguf", "mmproj-F16.gguf"), "mmproj-F16.gguf");
  const together = ["b-Q4_0.gguf", "mmproj-b-F16.gguf", "mmproj-model-f16.gguf"];
  assert.equal(projector(...together), "");
  assert.equal(projector(...together, "mmproj-A-VL-BF16.gguf"), "mmproj-A-VL-BF16.gguf");
});

test("chooseFiles() takes ONNX before GGUF unless the quantisation says otherwise", () => {
  const paths = ["onnx/model_q4.onnx", "m-Q4_K_M.gguf"];
  assert.deepEqual(chooseFiles(paths, undefined, "x").paths, ["onnx/model_q4.onnx"]);
  assert.deepEqual(chooseFiles(paths, "q4_k_m", "x").paths, ["m-Q4_K_M.gguf"]);
});

test("chooseFiles() refuses names that leave the folder or mean something else on other systems", () => {
  const bad = [
    "../a.json",
    "a/../../b.json",
    "/a.json",
    "a//b.json",
    "a\\b.json",
    "C:/a.json",
    "a\n.json",
    "x/.git/a.json",
    "a. /b.json",
  ];
  for (const path of bad) {
    assert.throws(() => chooseFiles(["onnx/model.onnx", path], undefined, "x"), { code: "unsuitable_files" }, path);
  }
});
