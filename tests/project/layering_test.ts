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
  "lib/json": [],
  "lib/errors": ["lib/json"],
  "lib/platform": ["lib/platform/rpc", "lib/errors", "lib/json"],
  "lib/platform/rpc": ["lib/errors"],
  "lib/http": ["lib/errors", "lib/json", "lib/platform"],
  "lib/manifest": ["lib/errors", "lib/json"],
  "lib/manifest/server": ["lib/manifest", "lib/platform", "lib/errors", "lib/json"],
  "lib/media": ["lib/media/images", "lib/media/video", "lib/media/audio"],
  "lib/media/images": ["lib/errors", "lib/json"],
  "lib/media/video": ["lib/media/images", "lib/platform", "lib/errors", "lib/json"],
  "lib/media/audio": ["lib/media/images", "lib/platform", "lib/errors", "lib/json"],
  "lib/compute": ["lib/compute"],
  "lib/compute/tensor": ["lib/errors", "lib/json"],
  "lib/compute/onnx": ["lib/compute/tensor", "lib/platform", "lib/errors", "lib/json"],
  "lib/compute/webgpu": ["lib/compute/tensor", "lib/platform/processes", "lib/errors", "lib/json", "kernels-wgsl"],
  "lib/models": ["lib/compute/tensor", "lib/media", "lib/errors", "lib/json"],
  "lib/models/checkpoint/torch": ["lib/compute/tensor", "lib/platform/files", "lib/errors"],
  "lib/world": [],
  "lib/world/protocol": ["lib/models", "lib/errors", "lib/json"],
  "lib/world/session": ["lib/world/protocol", "lib/models", "lib/media", "lib/errors", "lib/json"],
  "lib/world/backends": [
    "lib/world/session",
    "lib/world/protocol",
    "lib/models",
    "lib/media",
    "lib/platform/rpc",
    "lib/errors",
    "lib/json",
  ],
  "lib/world/http": [
    "lib/world/backends",
    "lib/world/session",
    "lib/world/protocol",
    "lib/media/images",
    "lib/http",
    "lib/errors",
    "lib/json",
  ],
  "lib/world/client": ["lib/world/protocol", "lib/json"],
  "lib/protocol": ["lib/errors", "lib/json"],
  "lib/scheduling": ["lib/errors", "lib/json"],
  // An engine without a row of its own builds on no other one.
  "lib/engines": engine("lib/engines/text"),
  "lib/engines/contract": ["lib/protocol", "lib/scheduling"],
  "lib/engines/process": ["lib/engines/contract", "lib/protocol", "lib/platform/rpc", "lib/errors"],
  "lib/engines/files": ["lib/engines/contract", "lib/protocol", "lib/models", "lib/platform", "lib/errors", "lib/json"],
  "lib/engines/onnx_sessions": ["lib/engines/contract", "lib/compute", "lib/platform"],
  "lib/compute/device": ["lib/compute", "lib/platform", "lib/errors", "lib/json"],
  "lib/engines/output_grammar": ["lib/engines/contract", "lib/protocol", "lib/errors", "lib/json"],
  "lib/engines/constrained_decoding": [
    "lib/engines/contract",
    "lib/engines/output_grammar",
    "lib/platform/rpc",
    "lib/errors",
    "lib/json",
  ],
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
  "lib/engines/speech": engine(),
  "lib/engines/transcription": engine("lib/engines/constrained_decoding"),
  "lib/engines/image": engine("lib/compute/device"),
  "lib/engines/vision": engine("lib/compute/device"),
  "lib/engines/table": ["lib/engines", "lib/scheduling"],
  "lib/store/catalog": ["lib/engines/contract", "lib/engines/files", "lib/engines/table", "lib/errors", "lib/json"],
  "lib/api/service": [
    "lib/store/catalog",
    "lib/protocol",
    "lib/scheduling",
    "lib/engines",
    "lib/media/audio",
    "lib/errors",
    "lib/json",
  ],
  "lib/api/http": ["lib/api/service", "lib/protocol", "lib/scheduling", "lib/http", "lib/errors", "lib/json"],
  "lib/world/plan": ["lib/models", "lib/compute", "lib/platform", "lib/errors", "lib/json"],
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
    "lib/json",
  ],
  "lib/store": [
    "lib/store",
    "lib/world/plan",
    "lib/engines",
    "lib/scheduling",
    "lib/models",
    "lib/compute",
    "lib/media/images",
    "lib/platform",
    "lib/errors",
    "lib/json",
  ],
  "lib/app": [],
  "lib/app/embedded": ["lib/models/video_vae", "lib/platform", "lib/errors", "lib/json"],
  "lib/app/run_records": ["lib/api/service", "lib/platform", "lib/errors", "lib/json"],
  "lib/app/running_servers.ts": ["lib/http", "lib/platform", "lib/errors", "lib/json"],
  "lib/app/models": [
    ...app("lib/app/embedded", "lib/app/run_records", "lib/app/running_servers.ts"),
    "api-page",
  ],
  "lib/app/world": [...app("lib/app/embedded", "lib/app/models", "lib/app/running_servers.ts"), "world-page"],
  "lib/app/world_host.ts": app("lib/app/world"),
  "lib/app/http_handlers.ts": app("lib/app/world", "lib/app/models"),
  "world-page": ["lib/world/client", "lib/world/protocol", "lib/json"],
  "api-page": ["world-page/ui", "world-page/session/page_base.ts", "lib/world/client", "lib/protocol/chat"],
  "site/world": [
    "lib/world",
    "lib/models",
    "lib/compute",
    "lib/media",
    "lib/http",
    "lib/platform/rpc",
    "lib/platform/workers",
    "lib/platform/processes",
    "lib/errors",
    "lib/json",
  ],
  "site/manifest": ["lib/manifest"],
  "site/pages": [],
  "fleet/protocol": [],
  "fleet/files": ["lib/platform/files"],
  "fleet/tenants": [
    "fleet/protocol",
    "servers/flags",
    "lib/world/session",
    "lib/world/protocol",
    "lib/manifest/json",
    "lib/http",
    "lib/platform",
    "lib/errors",
    "lib/json",
  ],
  "fleet/nats": ["fleet/protocol", "fleet/files", "fleet/tenants", "servers/flags", "lib/platform"],
  "fleet/batches": fleetRoom("fleet/nats", "fleet/tenants", "lib/world/client"),
  "fleet/worker": fleetRoom("fleet/nats", "fleet/batches"),
  "fleet/gateway": [
    "fleet/protocol",
    "fleet/nats",
    "fleet/tenants",
    "fleet/batches",
    "servers/flags",
    "world-page",

    "lib/world/http",
    "lib/world/session",
    "lib/world/protocol",
    "lib/media/images",
    "lib/http",
    "lib/platform",
    "lib/errors",
    "lib/json",
  ],
  "fleet/commands": [
    "fleet/protocol",
    "fleet/files",
    "fleet/nats",
    "fleet/batches",
    "fleet/worker",
    "fleet/gateway",
    "servers/flags",
    "lib/world/client",
    "lib/http",
    "lib/platform",
  ],
  "fleet/mod.ts": ["fleet/worker", "fleet/commands", "servers/flags", "lib/errors", "lib/json"],
  "servers/flags": [
    "lib/app",
    "lib/world",
    "lib/engines/contract",
    "lib/http",
    "lib/scheduling",
    "lib/platform",
    "lib/errors",
    "lib/json",
  ],
  // They find the fleet when they run (servers/load_fleet.ts): what is published as the SDK has none.
  servers: ["servers/flags", "lib/app", "lib/platform", "lib/errors", "lib/json"],
  cli: ["cli", "servers", ...app("lib/app"), "vision-page"],
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
    "lib/json",
  ];
}

/** What a room of the fleet may import that makes worlds or rollouts. */
function fleetRoom(...rooms: readonly string[]): string[] {
  return [
    "fleet/protocol",
    "fleet/files",
    ...rooms,
    "servers/flags",
    "lib/app/world",
    "lib/world/host",
    "lib/world/session",
    "lib/world/protocol",
    "lib/media",
    "lib/http",
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
    "lib/json",
  ];
}

/** Folders whose files may touch the operating system: all others get files, clocks and random numbers as arguments. */
const systemFolders = ["lib/platform"];

/** Texts of programs that are shown to people. */
const shownPrograms = ["api-page/snippets.ts"];

/** Folders that have neither clock nor random numbers of their own. */
const pure = [
  "lib/compute/tensor",
  "lib/errors",
  "lib/json",
  "lib/manifest",
  "lib/platform/rpc",
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
  const files = ["lib", "fleet", "servers", "cli", "site", "world-page", "api-page"].flatMap(sources);
  assert.deepEqual(files.filter((file) => homeOf(file) === undefined), []);
});

test("imports point down the list of the architecture only", () => {
  const wrong: string[] = [];
  for (const file of ["lib", "fleet", "servers", "cli", "site", "world-page", "api-page"].flatMap(sources)) {
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
    ["lib", "fleet", "servers", "cli", "site", "world-page", "api-page"].flatMap(sources).map((
      file,
    ) => [file, imports(file)]),
  );
  assertNoCircle(edges.keys(), (file) => edges.get(file) ?? []);
});

test("servers are shells of at most 80 lines a file", () => {
  const long = sources("servers").filter((file) => !file.startsWith("servers/flags/") && linesOf(file) > 80);
  assert.deepEqual(long, []);
});

test("only lib/platform names Deno, process or Node", () => {
  for (const file of ["lib", "fleet", "servers", "cli", "site", "world-page", "api-page"].flatMap(sources)) {
    if (systemFolders.some((folder) => file.startsWith(`${folder}/`)) || shownPrograms.includes(file)) continue;
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
