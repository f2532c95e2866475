import assert from "node:assert/strict";
import { test } from "node:test";
import { failureReason } from "../../lib/errors/svc_error.ts";

test("failureReason() leaves out the folders of this machine", () => {
  const cases: [unknown, string][] = [
    [new Error("Cannot open /home/me/my models/a.gguf: it is cut"), "Cannot open a.gguf: it is cut"],
    [new Error('llama.cpp says "no /a/b/c.gguf"\n  here'), 'llama.cpp says "no c.gguf" here'],
    [new Error("C:\\Users\\me\\x.onnx failed"), "x.onnx failed"],
    [new Error("file:///opt/x/onnx/model.onnx failed"), "model.onnx failed"],
    [new Error("Cannot use onnx/model.onnx: 3/4 of it is there"), "Cannot use onnx/model.onnx: 3/4 of it is there"],
    [new Error("in /odd (1), folder/x/m.gguf: bad"), "in m.gguf: bad"],
    ["text", "text"],
    [new Error("x".repeat(5000)), `${"x".repeat(600)}…`],
    [new Error("/a".repeat(50_000)), "a"],
  ];
  for (const [error, expected] of cases) {
    assert.equal(failureReason(error, ["/odd (1), folder/x"]), expected);
  }
});
