/**
 * Linear resizing of feature maps inside a graph.
 *
 * @module
 */
import { f32, type Graph, matmul, reshape, type Value } from "../../compute/tensor/mod.ts";
import { cornerTaps, interpolationTaps, linearKernel } from "../images/taps.ts";

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
