import assert from "node:assert/strict";
import { test } from "node:test";
import { type Input, type Manifest, type Node, type Output, validateManifest } from "../../lib/manifest/mod.ts";
import { smallInput, smallManifest, smallNode, smallOutput } from "./small_manifest.ts";

// Each value is wrong for the type checker and for the validator: the types say what the contract says.
const wrong: readonly Manifest[] = [
  // @ts-expect-error the contract is another one
  { ...smallManifest(), contract_version: "svc/plugin-graph-provider.v2" },
  // @ts-expect-error the id has no prefix
  { ...smallManifest(), provider_id: "demo" },
  // @ts-expect-error a node is missing
  { ...smallManifest(), nodes: [] },
  // @ts-expect-error members that are not known are refused
  { ...smallManifest(), $schema: "provider.json" },
];
const wrongNodes: readonly Node[] = [
  // @ts-expect-error an output is missing
  { ...smallNode(), outputs: [] },
  // @ts-expect-error null is not absent
  { ...smallNode(), presentation: null },
  // @ts-expect-error the backend is not known
  { ...smallNode(), requirements: { model_ids: [], accelerator_backends: ["vulkan"] } },
  // @ts-expect-error traits are missing
  { ...smallNode(), traits: { deterministic: true } },
];
const wrongInputs: readonly Input[] = [
  // @ts-expect-error the type is not known
  { ...smallInput(), type: "text" },
  // @ts-expect-error an empty list is refused
  { ...smallInput(), values: [] },
  // @ts-expect-error a function is not a value
  { ...smallInput(), default: () => 1 },
  // @ts-expect-error an asset is not a type of a value schema
  { ...smallInput(), value_schema: { type: "asset" } },
];
// @ts-expect-error outputs have no default
const wrongOutput: Output = { ...smallOutput(), default: 1 };

test("Manifest refuses for the type checker what validateManifest() refuses", () => {
  const inputs = wrongInputs.map((input) => smallManifest(smallNode({ inputs: [input] })));
  const nodes = wrongNodes.map((node) => smallManifest(node));
  const outputs = [smallManifest(smallNode({ outputs: [wrongOutput] }))];
  for (const manifest of [...wrong, ...nodes, ...inputs, ...outputs]) {
    assert.equal(validateManifest(manifest).valid, false, JSON.stringify(manifest));
  }
});
