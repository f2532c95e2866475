import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { hasMatrixUnits } from "../../../lib/platform/machine/matrix_units.ts";
import { CATALOG } from "../../../lib/store/catalog/catalog.ts";
import { isRepositoryName } from "../../../lib/store/catalog/hub_repository.ts";
import { chooseForm, formOf, inForm } from "../../../lib/store/catalog/model_form.ts";
import { withFolder } from "../../support/temporary_folder.ts";

test("chooseForm() takes GGUF where llama.cpp is faster, else ONNX, and says why", () => {
  const form = (llama: string | undefined, matrixUnits: boolean) => chooseForm({ llama, matrixUnits });
  assert.deepEqual(form(undefined, true), { form: "onnx", reason: "llama.cpp is not installed" });
  assert.deepEqual(form("metal", false), { form: "gguf", reason: "llama.cpp runs on metal here" });
  assert.deepEqual(form("cpu", true), {
    form: "gguf",
    reason: "llama.cpp uses the matrix units of this processor",
  });
  assert.deepEqual(form("cpu", false), {
    form: "onnx",
    reason: "this processor has no matrix units for llama.cpp",
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

test("hasMatrixUnits() reads the flags of the processor", async () => {
  await withFolder((folder) => {
    const file = join(folder, "cpuinfo");
    const flags = (list: string): boolean => {
      writeFileSync(file, `processor\t: 0\nflags\t\t: fpu ${list} sse\nbogomips\t: 5192.26\n`);
      return hasMatrixUnits("linux", file);
    };
    assert.equal(flags("avx512_vnni amx_tile amx_int8"), true);
    assert.equal(flags("avx512_vnni avx512_bf16"), false);
    assert.equal(hasMatrixUnits("linux", join(folder, "none")), false);
    assert.equal(hasMatrixUnits("darwin", file), false);
  });
});
