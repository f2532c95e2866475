import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/**
 * What each folder may import besides itself (docs/architecture.md: imports point down only). A file belongs to the
 * longest of these names that it has or lies below; a folder in a list stands for everything below it.
 */
const allowed: Record<string, string[]> = {
  "lib/errors": [],
  "lib/platform": ["lib/errors"],
  "lib/http": ["lib/errors", "lib/platform"],
  "lib/manifest": ["lib/errors"],
  "lib/manifest/server": ["lib/manifest", "lib/platform", "lib/errors"],
  "lib/media": ["lib/media/images", "lib/media/video", "lib/media/audio"],
  "lib/media/images": ["lib/errors"],
  "lib/media/video": ["lib/media/images", "lib/platform", "lib/errors"],
  "lib/media/audio": ["lib/media/images", "lib/platform", "lib/errors"],
  "lib/compute": ["lib/compute"],
  "lib/compute/tensor": ["lib/errors"],
  "lib/compute/onnx": ["lib/compute/tensor", "lib/platform", "lib/errors"],
  "lib/compute/webgpu": ["lib/compute/tensor", "lib/platform/processes", "lib/errors", "kernels-wgsl"],
  "lib/models": ["lib/compute/tensor", "lib/media", "lib/errors"],
  "lib/world": [],
  "lib/world/protocol": ["lib/models", "lib/errors"],
  "lib/world/session": ["lib/world/protocol", "lib/models", "lib/media", "lib/errors"],
  "lib/world/backends": ["lib/world/session", "lib/world/protocol", "lib/models", "lib/media", "lib/errors"],
  "lib/world/http": [
    "lib/world/backends",
    "lib/world/session",
    "lib/world/protocol",
    "lib/media/images",
    "lib/http",
    "lib/errors",
  ],
  "lib/world/client": ["lib/world/protocol"],
  "lib/protocol": ["lib/errors"],
  "lib/scheduling": ["lib/errors"],
  "lib/engines/contract": ["lib/protocol", "lib/scheduling"],
  "lib/engines/process": ["lib/engines/contract", "lib/protocol", "lib/scheduling", "lib/errors"],
  "lib/engines/files": ["lib/engines/contract", "lib/protocol", "lib/models", "lib/platform", "lib/errors"],
  "lib/engines/onnx_sessions": ["lib/engines/contract", "lib/compute"],
  "lib/compute/device": ["lib/compute", "lib/platform", "lib/errors"],
  "lib/engines/output_grammar": ["lib/engines/contract", "lib/protocol", "lib/errors"],
  "lib/engines/constrained_decoding": ["lib/engines/contract", "lib/engines/output_grammar", "lib/errors"],
  "lib/engines/text": engine("lib/engines/output_grammar"),
  "lib/engines/gguf_text": engine("lib/engines/constrained_decoding", "lib/engines/text"),
  "lib/engines/onnx_text": engine("lib/engines/constrained_decoding", "lib/engines/text"),
  "lib/engines/transformers_js": engine(
    "lib/engines/constrained_decoding",
    "lib/engines/onnx_text",
    "lib/engines/text",
  ),
  "lib/engines/onnx_encoder": engine("lib/engines/text"),
  "lib/engines/onnx_diffusion": engine(
    "lib/engines/constrained_decoding",
    "lib/engines/onnx_encoder",
    "lib/engines/onnx_text",
    "lib/engines/text",
  ),
  "lib/engines/onnx_embedding": engine("lib/engines/onnx_encoder"),
  "lib/engines/onnx_rerank": engine("lib/engines/onnx_embedding", "lib/engines/onnx_encoder", "lib/engines/onnx_text"),
  "lib/engines/gguf_retrieval": engine(
    "lib/engines/gguf_text",
    "lib/engines/onnx_embedding",
    "lib/engines/onnx_encoder",
    "lib/engines/onnx_rerank",
  ),
  "lib/engines/onnx_geometry": engine(),
  "lib/engines/speech": engine(),
  "lib/engines/transcription": engine("lib/engines/constrained_decoding"),
  "lib/engines/image": engine("lib/compute/device"),
  "lib/engines/vision": engine("lib/compute/device", "lib/engines/onnx_geometry"),
  "lib/engines/table": ["lib/engines", "lib/scheduling"],
  "lib/store/catalog": ["lib/engines/contract", "lib/engines/files", "lib/engines/table", "lib/errors"],
  "lib/api/service": ["lib/store/catalog", "lib/protocol", "lib/scheduling", "lib/engines", "lib/errors"],
  "lib/api/http": ["lib/api/service", "lib/protocol", "lib/scheduling", "lib/http", "lib/errors"],
  "lib/world/plan": ["lib/models", "lib/compute", "lib/platform", "lib/errors"],
  "lib/world/host": [
    "lib/world/plan",
    "lib/world/backends",
    "lib/world/session",
    "lib/world/protocol",
    "lib/models",
    "lib/compute",
    "lib/media",
    "lib/http",
    "lib/platform",
    "lib/errors",
  ],
  "lib/store": [
    "lib/store",
    "lib/world/plan",
    "lib/engines",
    "lib/scheduling",
    "lib/models",
    "lib/compute",
    "lib/platform",
    "lib/errors",
  ],
  "lib/app": [],
  "lib/app/log_answer.ts": ["lib/http", "lib/platform"],
  "lib/app/embedded": ["lib/models/video_vae", "lib/platform", "lib/errors"],
  "lib/app/run_records": ["lib/api/service", "lib/platform", "lib/errors"],
  "lib/app/models": app("lib/app/embedded", "lib/app/log_answer.ts", "lib/app/run_records"),
  "lib/app/world": [...app("lib/app/embedded", "lib/app/log_answer.ts", "lib/app/models"), "world-page"],
  "lib/app/world_host.ts": app("lib/app/world"),
  "lib/app/http_handlers.ts": app("lib/app/world", "lib/app/models"),
  "world-page": ["lib/world/client", "lib/world/protocol"],
  "site/world": [
    "lib/world",
    "lib/models",
    "lib/compute",
    "lib/media",
    "lib/http",
    "lib/platform/workers",
    "lib/platform/processes",
    "lib/errors",
  ],
  "site/manifest": ["lib/manifest"],
  "site/pages": [],
  fleet: ["fleet", "servers/flags", ...app("lib/app"), "world-page"],
  "fleet/protocol": ["lib/errors"],
  "servers/flags": ["lib/app", "lib/world", "lib/http", "lib/scheduling", "lib/platform", "lib/errors"],
  servers: ["servers/flags", "fleet", "lib/app", "lib/platform", "lib/errors"],
  cli: ["cli", "servers", "fleet", ...app("lib/app"), "vision-page"],
};

/** What a folder of engines may import: the contract, what engines share, other engines that it builds on. */
function engine(...others: readonly string[]): string[] {
  return [
    "lib/engines/contract",
    "lib/engines/files",
    "lib/engines/onnx_sessions",
    ...others,
    "lib/protocol",
    "lib/scheduling",
    "lib/models",
    "lib/compute",
    "lib/media",
    "lib/platform",
    "lib/errors",
  ];
}

/** What a room of lib/app may import: everything below, and the named rooms beside it. */
function app(...rooms: readonly string[]): string[] {
  return [
    ...rooms,
    "lib/world",
    "lib/api",
    "lib/store",
    "lib/engines",
    "lib/protocol",
    "lib/scheduling",
    "lib/manifest",
    "lib/models",
    "lib/compute",
    "lib/media",
    "lib/http",
    "lib/platform",
    "lib/errors",
  ];
}

/** Folders whose files may touch the operating system: all others get files, clocks and random numbers as arguments. */
const systemFolders = ["lib/platform"];

/** Folders that have neither clock nor random numbers of their own. */
const pure = [
  "lib/compute/tensor",
  "lib/errors",
  "lib/manifest",
  "lib/protocol",
  "lib/scheduling",
  "lib/api",
  "lib/store/catalog",
  "lib/world/protocol",
  "lib/world/session",
  "lib/world/backends",
  "lib/world/http",
  "lib/world/client",
  "lib/engines/output_grammar",
  "fleet/protocol",
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

/** Fails with the way round when some node can be reached from itself. */
function assertNoCircle(nodes: Iterable<string>, next: (node: string) => readonly string[]): void {
  const state = new Map<string, "open" | "done">();
  const visit = (node: string, path: string[]): void => {
    if (state.get(node) === "done") return;
    assert.notEqual(state.get(node), "open", `circle: ${[...path, node].join(" -> ")}`);
    state.set(node, "open");
    for (const other of next(node)) visit(other, [...path, node]);
    state.set(node, "done");
  };
  for (const node of nodes) visit(node, []);
}

/** The entry of the table that a file belongs to. */
function homeOf(file: string): string | undefined {
  return Object.keys(allowed).filter((home) => file === home || file.startsWith(`${home}/`)).sort((a, b) =>
    b.length - a.length
  )[0];
}

test("every file has a place in the list of the architecture", () => {
  const files = ["lib", "fleet", "servers", "cli", "site", "world-page"].flatMap(sources);
  assert.deepEqual(files.filter((file) => homeOf(file) === undefined), []);
});

test("imports point down the list of the architecture only", () => {
  const wrong: string[] = [];
  for (const file of ["lib", "fleet", "servers", "cli", "site", "world-page"].flatMap(sources)) {
    const home = homeOf(file)!;
    for (const target of imports(file)) {
      const below = allowed[home].some((folder) => target === folder || target.startsWith(`${folder}/`));
      if (!below && homeOf(target) !== home) wrong.push(`${file} -> ${target}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test("rooms form no circle", () => {
  const below = (room: string) =>
    Object.keys(allowed).filter((other) =>
      other !== room && !room.startsWith(`${other}/`) && !other.startsWith(`${room}/`) &&
      allowed[room].some((folder) => other === folder || other.startsWith(`${folder}/`))
    );
  assertNoCircle(Object.keys(allowed), below);
});

test("imports form no circle", () => {
  const edges = new Map(
    ["lib", "fleet", "servers", "cli", "site", "world-page"].flatMap(sources).map((file) => [file, imports(file)]),
  );
  assertNoCircle(edges.keys(), (file) => edges.get(file) ?? []);
});

test("servers are shells of at most 80 lines a file", () => {
  const long = sources("servers").filter((file) => !file.startsWith("servers/flags/") && linesOf(file) > 80);
  assert.deepEqual(long, []);
});

test("only lib/platform names Deno, process or Node", () => {
  for (const file of ["lib", "fleet", "servers", "cli", "site", "world-page"].flatMap(sources)) {
    if (systemFolders.some((folder) => file.startsWith(`${folder}/`))) continue;
    assert.doesNotMatch(codeOf(file), /\bDeno\b|\bprocess\.(?!uptimeSeconds)|["']node:/, file);
  }
});

test("pure folders have no clock and no random numbers of their own", () => {
  for (const file of pure.flatMap(sources)) assert.doesNotMatch(codeOf(file), /Date\.now\(|Math\.random\(/, file);
});

/** A file without its comments and without texts that are generated. */
function codeOf(file: string): string {
  if (/generated\.ts$/.test(file)) return "";
  return readFileSync(join(root, file), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
}

function linesOf(file: string): number {
  return readFileSync(join(root, file), "utf8").trimEnd().split("\n").length;
}
