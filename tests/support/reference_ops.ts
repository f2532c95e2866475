/**
 * Every operator once more, as plainly as possible and in 64-bit floats: what the devices are compared with.
 *
 * @module
 */
import type { Graph, GraphNode, Value } from "../../lib/compute/tensor/graph.ts";
import { toFloat32 } from "../../lib/compute/tensor/half.ts";
import type { OpKind, OpOf } from "../../lib/compute/tensor/op.ts";
import { dequantize } from "../../lib/compute/tensor/quantized_matrix.ts";
import type { Shape } from "../../lib/compute/tensor/shape.ts";
import type { Tensor } from "../../lib/compute/tensor/tensor.ts";
import { attention, conv2d, conv3d, layerNorm, matmul, rmsNorm, rope, softmax } from "./reference_layers.ts";
import { binaryFunctions, unaryFunctions } from "./reference_functions.ts";
import { at, generate, type Reference } from "./reference_tensor.ts";

type Evaluate<K extends OpKind> = (op: OpOf<K>, inputs: readonly Reference[], shape: Shape) => Reference;
type Computed = Exclude<OpKind, "input" | "constant">;

/** The outputs of a graph, worked out one element at a time. */
export function evaluate(graph: Graph, feeds: Readonly<Record<string, Tensor>>): Record<string, Reference> {
  const values = new Map<Value, Reference>();
  for (const node of graph.nodes) values.set(node.output, evaluateNode(node, values, feeds));
  return Object.fromEntries(Array.from(graph.outputs, ([name, value]) => [name, values.get(value)!]));
}

function evaluateNode({ op, inputs, output }: GraphNode, values: Map<Value, Reference>, feeds: Record<string, Tensor>) {
  if (op.kind === "input") return fromTensor(feeds[op.name]);
  if (op.kind === "constant") return fromTensor(op.tensor);
  const operator = operators[op.kind] as Evaluate<Computed>;
  return operator(op, inputs.map((value) => values.get(value)!), output.shape);
}

function fromTensor(t: Tensor): Reference {
  return { shape: t.shape, data: Float64Array.from(toFloat32(t)) };
}

const operators: { readonly [K in Computed]: Evaluate<K> } = {
  unary: (op, [x]) => ({ shape: x.shape, data: x.data.map(unaryFunctions[op.fn]) }),
  binary: (op, [a, b], shape) => generate(shape, (i) => binaryFunctions[op.fn](at(a, i), at(b, i))),
  clamp: (op, [x]) => ({ shape: x.shape, data: x.data.map((v) => Math.min(op.max, Math.max(op.min, v))) }),
  cast: (op, [x]) => ({ shape: x.shape, data: op.to === "int" ? x.data.map(Math.trunc) : x.data }),
  matmul,
  quantizedLinear: ({ weight, ...op }, [x, ...bias], shape) =>
    matmul({ ...op, kind: "matmul", transposeB: true }, [x, fromTensor(dequantize(weight)), ...bias], shape),
  attention,
  conv2d,
  conv3d,
  rmsNorm,
  layerNorm,
  softmax: (_, [x]) => softmax(x),
  rope,
  reshape: (_, [x], shape) => ({ shape, data: x.data }),
  transpose: (op, [x], shape) => {
    const from = x.shape.map((_, axis) => op.permutation.indexOf(axis));
    return generate(shape, (i) => at(x, from.map((axis) => i[axis])));
  },
  slice: (op, [x], shape) => generate(shape, (i) => at(x, i.map((v, axis) => op.starts[axis] + v * op.steps[axis]))),
  concat: (op, inputs, shape) =>
    generate(shape, (i) => {
      let rest = i[op.axis];
      const part = inputs.find((x) => rest < x.shape[op.axis] || (rest -= x.shape[op.axis], false))!;
      return at(part, i.with(op.axis, rest));
    }),
  pad: (op, [x], shape) =>
    generate(shape, (i) => {
      const source = i.map((v, axis) => v - op.before[axis]);
      return source.every((v, axis) => v >= 0 && v < x.shape[axis]) ? at(x, source) : 0;
    }),
  gather: (op, [x, indices], shape) =>
    generate(shape, (i) => {
      const end = op.axis + indices.shape.length;
      return at(x, [...i.slice(0, op.axis), at(indices, i.slice(op.axis, end)), ...i.slice(end)]);
    }),
  broadcast: (_, [x], shape) => generate(shape, (i) => at(x, i)),
  upsample: (op, [x], shape) =>
    generate(shape, (i) => at(x, i.map((v, axis) => axis < i.length - 2 ? v : Math.floor(v / op.scale)))),
  reduce: (op, [x], shape) =>
    generate(shape, (i) => {
      const inner = op.axes.map((axis) => x.shape[axis]);
      const items = generate(inner, (j) =>
        at(x, i.map((v, a) => op.axes.includes(a) ? j[op.axes.indexOf(a)] : v))).data;
      if (op.fn === "max") return Math.max(...items);
      if (op.fn === "min") return Math.min(...items);
      const sum = items.reduce((s, v) => s + v, 0);
      return op.fn === "sum" ? sum : sum / items.length;
    }),
};
