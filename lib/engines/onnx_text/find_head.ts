/**
 * Finds the projection onto the vocabulary in a graph.
 *
 * @module
 */
import type { OnnxFile, OnnxNode } from "./onnx_file.ts";

/** Where a graph goes from what it knows of each token to the logits of each token. */
export interface Head {
  /** Name of the value that is projected, `[batch, tokens, hidden]`. */
  readonly hidden: string;
  /** The nodes that take it for the projection. */
  readonly users: ReadonlySet<OnnxNode>;
}

/** Projections, and quantisations before them: beyond their first input there is the model. */
const ends = new Set(["MatMul", "MatMulNBits", "DynamicQuantizeLinear"]);

/** What stands between a projection and the logits works on each token by itself. */
const passed = new Set(["Identity", "Cast", "Add", "Sub", "Mul", "Div", "Tanh", "MatMulInteger"]);

/**
 * Goes back from the logits to the projection. Undefined where anything else stands between, or where another part of
 * the graph takes what is found there.
 */
export function findHead({ nodes, weights }: OnnxFile): Head | undefined {
  const makers = new Map(nodes.flatMap((node) => node.outputs.map((name) => [name, node] as const)));
  const way = new Set<OnnxNode>();
  const users = new Set<OnnxNode>();
  const hidden = new Set<string>();
  const open = ["logits"];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const node = makers.get(name);
    if (weights.has(name) || node?.type === "Constant") continue;
    if (node === undefined) return undefined;
    if (way.has(node)) continue;
    way.add(node);
    if (ends.has(node.type)) {
      users.add(node);
      hidden.add(node.inputs[0]);
    } else if (passed.has(node.type)) open.push(...node.inputs.filter((input) => input !== ""));
    else return undefined;
  }
  if (hidden.size !== 1) return undefined;
  const made = new Set([...way].flatMap((node) => node.outputs));
  const elsewhere = nodes.some((node) => !way.has(node) && node.inputs.some((input) => made.has(input)));
  return elsewhere ? undefined : { hidden: [...hidden][0], users };
}
