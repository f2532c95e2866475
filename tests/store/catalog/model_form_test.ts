import assert from "node:assert/strict";
import { test } from "node:test";
import { CATALOG } from "../../../lib/store/catalog/catalog.ts";
import { isRepositoryName } from "../../../lib/store/catalog/hub_repository.ts";
import { chooseForm, formOf, inForm } from "../../../lib/store/catalog/model_form.ts";
import { llamaDevice } from "../../../lib/store/pull_by_name.ts";

test("chooseForm() takes GGUF where llama.cpp is installed, else ONNX, and says why", () => {
  assert.deepEqual(chooseForm("metal"), {
    form: "gguf",
    reason: "llama.cpp is installed (metal) and faster than ONNX Runtime",
  });
  assert.deepEqual(chooseForm(undefined), {
    form: "onnx",
    reason: "llama.cpp, which is faster, is not installed (npm install node-llama-cpp)",
  });
});

test("inForm() gives an entry the files of a form, and everything else that it is", () => {
  const qwen = CATALOG.find(({ id }) => id === "qwen3-0.6b")!;
  assert.equal(inForm(qwen, "onnx"), qwen);
  const gguf = inForm(qwen, "gguf")!;
  const { repository, quantization, engine, bytes } = gguf;
  assert.deepEqual([repository, quantization, engine], ["unsloth/Qwen3-0.6B-GGUF", "Q4_K_M", "gguf-text"]);
  assert.notEqual(bytes, qwen.bytes);
  assert.deepEqual([gguf.id, gguf.context, gguf.license, gguf.abilities], [
    qwen.id,
    qwen.context,
    qwen.license,
    qwen.abilities,
  ]);
  assert.equal("otherForm" in gguf, false);
  assert.equal(inForm(CATALOG.find(({ id }) => id === "qwen3-4b")!, "onnx"), undefined);
  // A size that the other form does not say is not that of the first one.
  assert.equal(inForm(CATALOG.find(({ id }) => id === "qwen2.5-0.5b")!, "onnx")!.bytes, undefined);
});

test("CATALOG has the small chat models in both forms", () => {
  const both = CATALOG.filter(({ otherForm }) => otherForm !== undefined);
  assert.deepEqual(both.map(({ id }) => id).sort(), [
    "llama-3.2-1b",
    "qwen2.5-0.5b",
    "qwen3-0.6b",
    "qwen3-1.7b",
    "smollm2-135m",
  ]);
  for (const { id, otherForm, ...own } of both) {
    assert.deepEqual(new Set([formOf(own), formOf(otherForm!)]), new Set(["onnx", "gguf"]), id);
    assert.ok(isRepositoryName(otherForm!.repository), id);
    assert.match(otherForm!.revision, /^(main|[0-9a-f]{40})$/, id);
  }
});

test("llamaDevice() finds llama.cpp among the packages of this clone", async () => {
  assert.match(await llamaDevice() ?? "none", /^(cpu|cuda|metal|vulkan)$/);
});
