/**
 * A small manifest to change in tests.
 *
 * @module
 */
import type { Input, Manifest, Node, Output } from "../../lib/manifest/mod.ts";

/** A node with as little as the contract allows, and these fields. */
export function smallNode(fields: Partial<Node> = {}): Node {
  return {
    kind: "demo.run",
    title: "Run",
    description: "Runs.",
    category: "demo",
    inputs: [smallInput()],
    outputs: [smallOutput()],
    requirements: { model_ids: [], accelerator_backends: [] },
    traits: {
      deterministic: true,
      cacheable: true,
      side_effects: "none",
      supports_progress: false,
      supports_previews: false,
    },
    ...fields,
  };
}

/** An input with these fields. */
export function smallInput(fields: Partial<Input> = {}): Input {
  return { name: "text", type: "string", required: true, ...fields };
}

/** An output with these fields. */
export function smallOutput(fields: Partial<Output> = {}): Output {
  return { name: "result", type: "json", optional: false, ...fields };
}

/** A manifest of these nodes. */
export function smallManifest(node: Node = smallNode(), ...others: readonly Node[]): Manifest {
  return {
    contract_version: "svc/plugin-graph-provider.v1",
    provider_id: "svc-demo",
    provider_version: "1.2.3",
    nodes: [node, ...others],
  };
}
