import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** What each folder may import besides itself (architecture: imports point down only). */
const allowed: Record<string, string[]> = {
  "lib/tensor": ["lib/words"],
  "lib/words": [],
  "lib/tokenizer": [],
  "lib/manifest": ["lib/words"],
  "lib/pool": ["lib/words"],
  "lib/text": ["lib/words"],
  "lib/engines": ["lib/text", "lib/pool", "lib/onnx", "lib/tokenizer", "lib/tensor", "lib/words", "lib/media"],
  "lib/store": ["lib/engines", "lib/text", "lib/words"],
  "lib/api": ["lib/store", "lib/engines", "lib/pool", "lib/text", "lib/words"],
  "lib/media": ["lib/runtime"],
  "lib/onnx": ["lib/tensor", "lib/runtime"],
  "lib/webgpu": ["lib/tensor", "kernels-wgsl"],
  "lib/models": ["lib/tensor", "lib/tokenizer", "lib/onnx", "lib/webgpu", "lib/media"],
  "lib/world": ["lib/media", "lib/tensor", "lib/models", "lib/words"],
  "world-page": ["lib/http", "lib/world"],
  "lib/http": ["lib/world", "lib/api", "lib/text", "lib/pool", "lib/words", "lib/media"],
};
const pure = [
  "lib/tensor",
  "lib/words",
  "lib/tokenizer",
  "lib/manifest",
  "lib/pool",
  "lib/text",
  "lib/api",
  "lib/world",
];

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(folder, name).split(sep).join("/"));
}

/** Relative imports of a file as paths from the root; comments do not count. */
function imports(file: string): string[] {
  const text = readFileSync(join(root, file), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
  return [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g)].map((m) =>
    relative(root, resolve(root, dirname(file), m[1])).split(sep).join("/")
  );
}

test("imports point down the list of the architecture only", () => {
  const wrong: string[] = [];
  for (const [folder, below] of Object.entries(allowed)) {
    for (const file of sources(folder)) {
      for (const target of imports(file)) {
        if (![folder, ...below].some((home) => target.startsWith(`${home}/`))) wrong.push(`${file} -> ${target}`);
      }
    }
  }
  assert.deepEqual(wrong, []);
});

test("imports form no circle", () => {
  const edges = new Map(["lib", "servers", "cli"].flatMap(sources).map((file) => [file, imports(file)]));
  const state = new Map<string, "open" | "done">();
  const visit = (file: string, path: string[]): void => {
    if (state.get(file) === "done") return;
    assert.notEqual(state.get(file), "open", `circle: ${[...path, file].join(" -> ")}`);
    state.set(file, "open");
    for (const next of edges.get(file) ?? []) visit(next, [...path, file]);
    state.set(file, "done");
  };
  for (const file of edges.keys()) visit(file, []);
});

test("pure folders name no runtime", () => {
  for (const file of pure.flatMap(sources)) {
    const text = readFileSync(join(root, file), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
    assert.doesNotMatch(text, /\bDeno\b|\bprocess\.|"node:|Date\.now\(|Math\.random\(/, file);
  }
});
