import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { kernelSources } from "../../../kernels-wgsl/generated.ts";
import { expandKernel, expandLines } from "../../../lib/compute/webgpu/lowering/expand_kernel.ts";
import { generateKernels } from "../../../scripts/generate_kernels.mjs";

test("kernels-wgsl/generated.ts is what scripts/generate_kernels.mjs writes", () => {
  const current = readFileSync(new URL("../../../kernels-wgsl/generated.ts", import.meta.url), "utf8");
  assert.ok(current === generateKernels(), "run: node scripts/generate_kernels.mjs");
});

test("expandKernel() makes valid text of every variant, once", () => {
  const generated = readFileSync(new URL("../../../kernels-wgsl/generated.ts", import.meta.url), "utf8");
  const names = [...generated.matchAll(/^ {2}\| "(.+)"/gm)].map((match) => match[1]);
  assert.ok(names.length > 50 && new Set(names).size === names.length);
  const texts = names.map((name) => expandKernel(name as Parameters<typeof expandKernel>[0]));
  assert.equal(new Set(texts).size, texts.length); // every flag changes something
  for (const text of texts) {
    assert.match(text, /@compute/);
    assert.doesNotMatch(text, /^#|^\s*$/m);
  }
  assert.equal(expandKernel("matmul"), expandKernel("matmul"));
});

test("every kernel file is part of some variant", () => {
  const included = Object.values(kernelSources).flatMap((text) =>
    [...text.matchAll(/#include "(.+)"/g)].map((m) => m[1])
  );
  const unused = Object.keys(kernelSources).filter((file) => file.startsWith("include/") && !included.includes(file));
  assert.deepEqual(unused, []);
});

test("expandLines() keeps nested branches and refuses unknown directives", () => {
  const file = '#if A\na\n#if B\nab\n#else\na-\n#endif\n#else\n-\n#endif\n#include "end"';
  const expand = (...flags: string[]) => expandLines({ file, end: "z" }, "file", new Set(flags)).split("\n");
  assert.deepEqual(expand("A", "B"), ["a", "ab", "z"]);
  assert.deepEqual(expand("A"), ["a", "a-", "z"]);
  assert.deepEqual(expand("B"), ["-", "z"]);
  for (const text of ["#if A", "#endif", "#else", "#elif A", '#include "missing"']) {
    assert.throws(() => expandLines({ text }, "text", new Set()), /^Error: Cannot expand/, text);
  }
});
