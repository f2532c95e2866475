/**
 * Linear resizing of feature maps inside a graph.
 *
 * @module
 */
import { add, concat, f32, type Graph, matmul, mul, reshape, slice, type Value } from "../../compute/tensor/mod.ts";
import { cornerTaps, interpolationTaps, linearKernel } from "../images/resample.ts";

/** Whether the outermost places of input and output lie upon each other, or the edges of their pixels do. */
export type ResizeAlignment = "corners" | "edges";

/** Both axes as products with constant matrices; x [N,C,H,W] -> [N,C,height,width]. */
export function resizeLinear(x: Value, height: number, width: number, alignment: ResizeAlignment): Value {
  const [n, c, h, w] = x.shape;
  const wide = w === width ? x : matmul(x, matrix(x.graph, w, width, alignment), { transposeB: true });
  if (h === height) return wide;
  const rows = matmul(matrix(x.graph, h, height, alignment), reshape(wide, [n * c, h, width]));
  return reshape(rows, [n, c, height, width]);
}

/** Weights [target,size]. */
function matrix(graph: Graph, size: number, target: number, alignment: ResizeAlignment): Value {
  const taps = alignment === "edges" ? interpolationTaps(size, target, linearKernel) : cornerTaps(size, target);
  const weights = new Float32Array(target * size);
  taps.forEach((tap, i) => weights.set(tap.weights, i * size + tap.first));
  return graph.constant(f32([target, size], weights));
}

/**
 * Both axes twice as long with their edges upon each other: every place is three quarters of the nearest one and one
 * quarter of its neighbour. Costs a few passes over the map instead of two matrix products. x [N,C,H,W] -> [N,C,2H,2W].
 */
export function doubleLinear(x: Value): Value {
  return doubleAxis(doubleAxis(x, 3), 2);
}

function doubleAxis(x: Value, axis: number): Value {
  const shape = [...x.shape];
  const size = shape[axis];
  const neighbours = (step: -1 | 1) => {
    if (size === 1) return x;
    return step < 0
      ? concat([slice(x, { axis, end: 1 }), slice(x, { axis, end: -1 })], axis)
      : concat([slice(x, { axis, start: 1 }), slice(x, { axis, start: -1 })], axis);
  };
  const near = mul(x, 0.75);
  const pair = [...shape.slice(0, axis + 1), 1, ...shape.slice(axis + 1)];
  const places = ([-1, 1] as const).map((step) => reshape(add(near, mul(neighbours(step), 0.25)), pair));
  shape[axis] = 2 * size;
  return reshape(concat(places, axis + 1), shape);
}
