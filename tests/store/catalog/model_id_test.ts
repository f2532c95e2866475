import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { checkModelId, idOfRepository, isModelId, isModelPath } from "../../../lib/store/catalog/model_id.ts";

test("checkModelId() takes names that are the same on every file system", () => {
  for (const id of ["a", "qwen3-0.6b", "a_b", "0", "x".repeat(96)]) assert.equal(checkModelId(id), id);
  const bad = [
    "",
    "A",
    "a/b",
    "a\\b",
    ".a",
    "a.",
    "-a",
    "a-",
    "a b",
    "ä",
    "..",
    "con",
    "nul.x",
    "com1",
    "x".repeat(97),
  ];
  for (const id of bad) {
    assert.throws(() => checkModelId(id), {
      code: "invalid_id",
      message: /^Cannot use the model id ".*: expected up to 96/,
    });
  }
});

test("idOfRepository() makes an id of every repository's name, or says that it cannot", () => {
  assert.equal(idOfRepository("onnx-community/Qwen3-0.6B-ONNX"), "qwen3-0.6b-onnx");
  assert.equal(idOfRepository("a/_Weird__Name_"), "weird__name");
  assert.throws(() => idOfRepository("a/___"), { code: "invalid_id" });
  fc.assert(
    fc.property(fc.stringMatching(/^[\w.-]{1,96}$/), (name) => {
      try {
        assert.ok(isModelId(idOfRepository(`a/${name}`)));
      } catch (error) {
        assert.equal((error as { code?: string }).code, "invalid_id");
      }
    }),
    { numRuns: 300, seed: 3 },
  );
});

test("isModelPath() takes plain names only, so that no path leaves its folder", () => {
  for (const path of ["a", "config.json", "onnx/model_q4.onnx_data", "1_Pooling/config.json", "a b/ü.json"]) {
    assert.ok(isModelPath(path), path);
  }
  const bad = [
    "",
    "/a",
    "a/",
    "a//b",
    ".",
    "..",
    "a/../b",
    "a/.",
    ".hidden",
    "a/.git/b",
    "a\\b",
    "C:a",
    "a:b",
    "a*",
    "a?",
  ];
  const more = ["a<b", 'a"', "a|b", "a\u0000", "a\u0085b", "a.", "a ", "a /b", "x".repeat(256), "a/".repeat(512) + "a"];
  for (const path of [...bad, ...more]) assert.ok(!isModelPath(path), JSON.stringify(path));
});
