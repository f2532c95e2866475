import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { nodeTypes, parseManifest } from "../../lib/manifest/mod.ts";
import { withFolder } from "../support/temporary_folder.ts";
import { realManifests } from "./manifest_cases.ts";
import { smallInput, smallManifest, smallNode, smallOutput } from "./small_manifest.ts";

/** The members of an interface of a node's types. */
function membersOf(name: string, source: string): string[] {
  const body = new RegExp(`export interface ${name} \\{\\n([^}]*(?:\\}[^}\\n]+)*)\\n\\}`).exec(source)?.[1] ?? "";
  return body.split("\n").map((line) => line.trim()).filter((line) => line.startsWith("readonly"));
}

test("nodeTypes() gives every port its type", () => {
  const inputs = [
    smallInput({ name: "mode", type: "enum", values: ["fast", "it's"] }),
    smallInput({ name: "count", type: "integer", required: false, default: null }),
    smallInput({ name: "files", type: "asset_collection" }),
    smallInput({
      name: "options",
      type: "json",
      value_schema: {
        type: "object",
        properties: { "a-b": { type: "array", items: { type: "enum", values: ["x", "y"] } }, on: { type: "boolean" } },
        required: ["on"],
      },
    }),
  ];
  const outputs = [smallOutput(), smallOutput({ name: "file", type: "asset", optional: true })] as const;
  const source = nodeTypes(smallManifest(smallNode({ inputs, outputs })));
  assert.deepEqual(membersOf("DemoRunArguments", source), [
    'readonly mode: "fast" | "it\'s";',
    "readonly count?: number | null;",
    "readonly files: readonly Asset[];",
    'readonly options: { readonly "a-b"?: readonly ("x" | "y")[]; readonly "on": boolean };',
  ]);
  assert.deepEqual(membersOf("DemoRunResults", source), ["readonly result: Json;", "readonly file?: Asset;"]);
  assert.deepEqual(membersOf("NodeArguments", source), ['readonly "demo.run": DemoRunArguments;']);
});

test("nodeTypes() lets no words of a manifest end a comment", () => {
  const source = nodeTypes(smallManifest(smallNode({ description: "*/ import 'x';\n/**\u2028*/" })));
  assert.match(source, / \* \*\\\/ import 'x'; \/\*\* \*\\\/\n/);
});

test("nodeTypes() gives kinds that look alike different names", () => {
  const source = nodeTypes(smallManifest(smallNode({ kind: "a-b.c" }), smallNode({ kind: "a.b-c" })));
  assert.match(source, /"a-b\.c": ABCArguments;\n {2}readonly "a\.b-c": ABC_2Arguments;/);
});

test("nodeTypes() compiles for real manifests, and the types are exact", async () => {
  await withFolder((folder) => {
    const names = realManifests().map((text, i) => {
      writeFileSync(join(folder, `m${i}.ts`), nodeTypes(parseManifest(text)));
      return `m${i}.ts`;
    });
    const prepare = names.findIndex((_, i) => realManifests()[i].includes('"dataset.prepare"'));
    writeFileSync(
      join(folder, "use.ts"),
      `import type { NodeArguments } from "./${names[prepare]}";
const right: NodeArguments["dataset.prepare"] = { data: "folder", maximum_images: 3 };
// @ts-expect-error data is required
const missing: NodeArguments["dataset.prepare"] = { maximum_images: 3 };
// @ts-expect-error a number is expected
const wrong: NodeArguments["dataset.prepare"] = { data: "folder", maximum_images: "3" };
export { missing, right, wrong };
`,
    );
    const tsc = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));
    const options = ["--ignoreConfig", "--noEmit", "--strict", "--allowImportingTsExtensions", "--module", "nodenext"];
    const { status, stdout } = spawnSync("node", [tsc, ...options, "--types", "", ...names, "use.ts"], {
      cwd: folder,
      encoding: "utf8",
    });
    assert.equal(status, 0, stdout);
  });
});
