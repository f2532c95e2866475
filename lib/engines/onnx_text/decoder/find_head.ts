/**
 * Finds the projection onto the vocabulary in a graph.
 *
 * @module
 */
import type { OnnxFile, OnnxNode } from "../../onnx_sessions/onnx_file.ts";

/** The projection from hidden states to logits. */
export interface Head {
  /** Name of the value that is projected, `[batch, tokens, hidden]`. */
  readonly hidden: string;
  /** The nodes that consume it for the projection. */
  readonly users: ReadonlySet<OnnxNode>;
}

/** Projections, and dequantization before them: the model is behind their first input. */
const ends = new Set(["MatMul", "MatMulNBits", "DynamicQuantizeLinear"]);

/** Operators between projection and logits that act on each token separately. */
const passed = new Set(["Identity", "Cast", "Add", "Sub", "Mul", "Div", "Tanh", "MatMulInteger"]);

/**
 * Traces back from the logits to the projection. Undefined when another operator is between them, or another part of
 * the graph uses the values.
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
