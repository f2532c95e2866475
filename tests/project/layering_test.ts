import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** What each folder may import besides itself (docs/architecture.md: imports point down only). */
const allowed: Record<string, string[]> = {
  "lib/errors": [],
  "lib/platform": ["lib/errors", "lib/world/protocol", "lib/world/session", "lib/api/scheduler"],
  "lib/http": ["lib/errors"],
  "lib/manifest": ["lib/errors"],
  "lib/media": ["lib/errors", "lib/platform"],
  "lib/compute": ["lib/errors", "lib/platform", "kernels-wgsl"],
  "lib/models": ["lib/errors", "lib/compute", "lib/media"],
  "lib/world": ["lib/errors", "lib/models", "lib/compute", "lib/media", "lib/http"],
  "lib/world/protocol": ["lib/errors", "lib/models"],
  "lib/world/session": ["lib/errors", "lib/models", "lib/media", "lib/world/protocol", "lib/world/backends"],
  "lib/world/client": ["lib/world/protocol"],
  "lib/api/protocol": ["lib/errors"],
  "lib/api/scheduler": ["lib/errors"],
  "lib/engines": [
    "lib/api/protocol",
    "lib/api/scheduler",
    "lib/models",
    "lib/compute",
    "lib/media",
    "lib/platform",
    "lib/errors",
  ],
  "lib/api": ["lib/engines", "lib/http", "lib/errors", "lib/world/protocol"],
  "lib/app": ["lib", "world-page"],
  "world-page": ["lib/world/client", "lib/world/protocol"],
  servers: ["lib/app", "lib/platform", "lib/errors", "lib/http", "lib/api", "lib/world"],
  cli: ["servers", "lib"],
};
const pure = [
  "lib/compute/tensor",
  "lib/errors",
  "lib/manifest",
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
  const edges = new Map(["lib", "servers", "cli", "world-page"].flatMap(sources).map((file) => [file, imports(file)]));
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
    assert.doesNotMatch(text, /\bDeno\b|\bprocess\.(?!uptimeSeconds)|"node:|Date\.now\(|Math\.random\(/, file);
  }
});
