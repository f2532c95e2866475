/**
 * Moves query and key norms out of the attention.
 *
 * @module
 */
import { nodeMessage, tensorMessage } from "../../../compute/onnx/onnx_messages.ts";
import { protoText, ProtoWriter, readProto } from "../../../compute/onnx/proto.ts";
import type { OnnxFile, OnnxNode } from "../../onnx_sessions/onnx_file.ts";

/** Inputs of `GroupQueryAttention` with norm weights. */
const [QUERY_NORM, KEY_NORM] = [14, 15];

/** Its attribute with the epsilon of the norms. */
const EPSILON = "qk_norm_epsilon";

/**
 * Exports for GPUs let `GroupQueryAttention` normalize queries and keys, which its CPU implementation does not support:
 * separate nodes compute the same (Zhang and Sennrich 2019, "Root mean square layer normalization", for each head).
 */
export function separateNorms(file: OnnxFile): OnnxFile {
  const weights = new Map(file.weights);
  const nodes = file.nodes.flatMap((node) => {
    if (node.type !== "GroupQueryAttention" || !node.inputs[QUERY_NORM] || !node.inputs[KEY_NORM]) return [node];
    const { rest, epsilon } = attention(node);
    const [query, key, ...others] = node.inputs;
    const inputs = [`${node.outputs[0]}.query`, `${node.outputs[0]}.key`, ...others.slice(0, QUERY_NORM - 2)];
    const message = new ProtoWriter();
    for (const input of inputs) message.string(1, input);
    message.fields(rest);
    return [
      ...norm(query, node.inputs[QUERY_NORM], inputs[0], epsilon, weights),
      ...norm(key, node.inputs[KEY_NORM], inputs[1], epsilon, weights),
      { ...node, inputs, bytes: message.finish() },
    ];
  });
  return { ...file, nodes, weights };
}

/** Nodes that normalize each head of a value; the shapes that they need are added to the weights. */
function norm(
  value: string,
  weight: string,
  result: string,
  epsilon: number,
  weights: Map<string, Uint8Array>,
): OnnxNode[] {
  const [dim] = [...readProto(weights.get(weight) ?? new Uint8Array())].filter(({ field }) => field === 1);
  if (dim === undefined) throw new Error(`Cannot read the graph: "${weight}" is not a weight, expected a norm's`);
  const [heads, rows] = [`svc.norm_heads.${dim.number}`, "svc.norm_rows"];
  weights.set(heads, shape(heads, [0, 0, -1, dim.number])).set(rows, shape(rows, [0, 0, -1]));
  const attributes = { axis: -1, epsilon: { float: epsilon }, stash_type: 1 };
  const node = (type: string, inputs: string[], output: string, given = {}): OnnxNode => ({
    type,
    inputs,
    outputs: [output],
    bytes: nodeMessage(type, "", inputs, [output], given).finish(),
  });
  return [
    node("Reshape", [value, heads], `${result}.heads`),
    node("SimplifiedLayerNormalization", [`${result}.heads`, weight], `${result}.normed`, attributes),
    node("Reshape", [`${result}.normed`, rows], result),
  ];
}

/** The fields of the operator without the norm inputs and epsilon, and that epsilon. */
function attention({ bytes }: OnnxNode): { readonly rest: Uint8Array; readonly epsilon: number } {
  const rest = new ProtoWriter();
  let epsilon = 1e-6;
  for (const field of readProto(bytes)) {
    const parts = field.field === 5 ? [...readProto(field.bytes)] : [];
    if (parts.some((part) => part.field === 1 && protoText(part) === EPSILON)) {
      const value = parts.find((part) => part.field === 2);
      if (value !== undefined) epsilon = new DataView(value.bytes.slice().buffer).getFloat32(0, true);
    } else if (field.field !== 1) rest.fields(field.whole);
  }
  return { rest: rest.finish(), epsilon };
}

function shape(name: string, sizes: readonly number[]): Uint8Array {
  const raw = new Uint8Array(BigInt64Array.from(sizes, BigInt).buffer);
  return tensorMessage(name, "int64", [sizes.length], raw).finish();
}
