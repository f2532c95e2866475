/**
 * Lowering of chains of elementwise operators to one dispatch of `kernels-wgsl/elementwise.wgsl`, by WGSL expressions
 * over its types V (floats) and I (integers).
 *
 * @module
 */
import type { GraphNode, Value } from "../../tensor/graph.ts";
import { toFloat32 } from "../../tensor/half.ts";
import type { BinaryFunction, UnaryFunction } from "../../tensor/op.ts";
import { sizeOf } from "../../tensor/shape.ts";
import type { Tensor } from "../../tensor/tensor.ts";
import { wholeRegion } from "./dispatch.ts";
import type { ElementwiseGroup } from "./fuse_elementwise.ts";
import { kernelText, type Lowering } from "./lowering.ts";
import { broadcastView, collapseAxes, type View } from "./view.ts";

/** An input as the kernel reads it. */
interface Operand {
  readonly value: Value;
  readonly view: View;
  /** Strides over the collapsed axes of the result, in elements; 0 where it is broadcast. */
  readonly strides: readonly number[];
}

/** The uniform words of a kernel: each number is written once and named by its index. */
class Words {
  readonly values: number[] = [];

  /** Adds a number; returns the expression that reads it. */
  add(value: number): string {
    this.values.push(value);
    return `word(${this.values.length - 1}u)`;
  }

  /** Adds a float; returns the expression that reads it as V. */
  addFloat(value: number): string {
    this.values.push(new Uint32Array(Float32Array.of(value).buffer)[0]);
    return `constant(${this.values.length - 1}u)`;
  }
}

/** Computes a group's result in one pass. */
export function lowerElementwise(
  lowering: Lowering,
  group: ElementwiseGroup,
  tensorOf: (constant: Value) => Tensor,
): void {
  const result = group.nodes[group.nodes.length - 1].output;
  const views = group.inputs.map((v) => broadcastView(lowering.view(v), result.shape));
  const output = lowering.result(result);
  const { shape, strideLists } = collapseAxes(result.shape, [output.strides, ...views.map((v) => v.strides)]);
  const [dense, ...inputStrides] = strideLists;
  const operands = group.inputs.map((value, i): Operand => ({ value, view: views[i], strides: inputStrides[i] }));
  const vec = canReadFours(shape, operands);
  const count = sizeOf(shape) / (vec ? 4 : 1);

  const words = new Words();
  words.add(count);
  const loads = loadLines(operands, shape, dense, vec, words);
  for (const value of group.numbers) {
    loads.push(`  let v${value.id} = ${words.addFloat(toFloat32(tensorOf(value))[0])};`);
  }
  const expression = group.nodes.map((node) => {
    const args = node.inputs.map((v) => `v${v.id}`);
    const { op } = node;
    const limits = (): [string, string] =>
      op.kind === "clamp" ? [words.addFloat(op.min), words.addFloat(op.max)] : ["", ""];
    return `  let v${node.output.id} = ${elementwiseExpression(node, args, limits)};`;
  });
  const stored = result.type === "int" ? `v${result.id}` : `${vec ? "vec4<scalar>" : "scalar"}(v${result.id})`;
  expression.push(`  output[i] = ${stored};`);

  const dispatch = {
    what: group.nodes.map(({ op }) => "fn" in op ? op.fn : op.kind).join(" "),
    kernel: "elementwise",
    flags: [lowering.precision === "f16" && "F16", vec && "VEC"],
    params: [[...words.values, ...new Array<number>(wordLimit - words.values.length).fill(0)]],
    inputs: operands.map(({ view }) => wholeRegion(view)),
    output,
    workgroups: Math.ceil(count / 64),
  };
  const text = kernelText(dispatch)
    .replace("//@bindings", bindingLines(operands, result, vec).join("\n"))
    .replace("//@loads", loads.join("\n"))
    .replace("//@expression", expression.join("\n"));
  // Values are renumbered by their order, so that equal chains share a pipeline.
  const order = new Map<string, number>();
  lowering.push(
    dispatch,
    text.replace(/\bv\d+\b/g, (name) => {
      if (!order.has(name)) order.set(name, order.size);
      return `v${order.get(name)}`;
    }),
  );
}

/** Words in the kernel's uniform struct: enough for the most inputs, axes and numbers that a group has. */
const wordLimit = 96;

/** Whether every input can be read four neighbors at a time, or is the same for all four. */
function canReadFours(shape: readonly number[], operands: readonly Operand[]): boolean {
  const inner = shape.length - 1;
  return shape[inner] % 4 === 0 &&
    operands.every(({ view, strides }) => {
      if (strides[inner] === 0) return true;
      return strides[inner] === 1 && [view.offset, ...strides.slice(0, inner)].every((n) => n % 4 === 0);
    });
}

function bindingLines(operands: readonly Operand[], result: Value, vec: boolean): string[] {
  const lines = operands.map(({ value, strides }, n) => {
    const four = vec && strides.at(-1) === 1;
    const element = value.type === "int" ? "i32" : "scalar";
    return `@group(0) @binding(${n + 1}) var<storage, read> input${n}: array<${four ? `vec4<${element}>` : element}>;`;
  });
  const element = result.type === "int" ? "i32" : "scalar";
  return [
    ...lines,
    `@group(0) @binding(${operands.length + 1}) var<storage, read_write> output: array<${
      vec ? `vec4<${element}>` : element
    }>;`,
  ];
}

/** Lines that load each input once; coordinates are only computed when an input's layout differs from the result's. */
function loadLines(
  operands: readonly Operand[],
  shape: readonly number[],
  dense: readonly number[],
  vec: boolean,
  words: Words,
): string[] {
  const inner = shape.length - 1;
  const lines: string[] = [];
  const liesLikeResult = (o: Operand) => o.strides.every((s, d) => s === dense[d]);
  if (operands.some((o) => !liesLikeResult(o) && o.strides.some((s) => s !== 0))) {
    lines.push("  var rest = i;");
    for (let d = inner; d > 0; d--) {
      const size = words.add(d === inner && vec ? shape[d] / 4 : shape[d]);
      lines.push(`  let c${d} = rest % ${size};`, `  rest /= ${size};`);
    }
    lines.push("  let c0 = rest;");
  }
  operands.forEach((o, n) => {
    const type = o.value.type === "int" ? "I" : "V";
    const fours = vec && o.strides[inner] === 1;
    const unit = fours ? 4 : 1;
    const terms = [words.add(o.view.offset / unit)];
    if (liesLikeResult(o)) {
      terms.push("i");
    } else {
      o.strides.forEach((s, d) => {
        if (s !== 0) terms.push(`c${d} * ${words.add(d === inner ? 1 * s : s / unit)}`);
      });
    }
    const element = `input${n}[${terms.join(" + ")}]`;
    // A 16-bit number becomes a vector only by way of f32; four of them are converted directly.
    const wide = o.value.type === "float" && !fours ? `f32(${element})` : element;
    lines.push(`  let v${o.value.id} = ${type}(${wide});`);
  });
  return lines;
}

const unary: Readonly<Record<UnaryFunction, (x: string) => string>> = {
  neg: (x) => `-${x}`,
  abs: (x) => `abs(${x})`,
  exp: (x) => `exp(${x})`,
  log: (x) => `log(${x})`,
  sqrt: (x) => `sqrt(${x})`,
  rsqrt: (x) => `1.0 / sqrt(${x})`,
  reciprocal: (x) => `1.0 / ${x}`,
  square: (x) => `${x} * ${x}`,
  sin: (x) => `sinOf(${x})`,
  cos: (x) => `cosOf(${x})`,
  tanh: (x) => `tanhOf(${x})`,
  sigmoid: (x) => `sigmoidOf(${x})`,
  relu: (x) => `max(${x}, V(0.0))`,
  silu: (x) => `siluOf(${x})`,
  gelu: (x) => `geluOf(${x})`,
  geluErf: (x) => `geluErfOf(${x})`,
};

const binary: Readonly<Record<BinaryFunction, (a: string, b: string) => string>> = {
  add: (a, b) => `${a} + ${b}`,
  sub: (a, b) => `${a} - ${b}`,
  mul: (a, b) => `${a} * ${b}`,
  div: (a, b) => `${a} / ${b}`,
  min: (a, b) => `min(${a}, ${b})`,
  max: (a, b) => `max(${a}, ${b})`,
};

/**
 * The right side of a node's `let`.
 *
 * @param args names of the arguments
 * @param limits names of the bounds of a clamp
 */
function elementwiseExpression(
  node: GraphNode,
  args: readonly string[],
  limits: () => [string, string],
): string {
  const { op } = node;
  switch (op.kind) {
    case "unary":
      return unary[op.fn](args[0]);
    case "binary":
      return binary[op.fn](args[0], args[1]);
    case "clamp": {
      const [low, high] = limits();
      return `min(max(${args[0]}, ${low}), ${high})`;
    }
    case "cast":
      return op.to === "int" ? `I(${args[0]})` : `V(${args[0]})`;
    default:
      throw new Error(`Cannot write ${op.kind} as an expression: it is not elementwise`);
  }
}
