/**
 * Products and attention at the shapes of a 5B world.
 *
 * @module
 */
import {
  attention,
  linear,
  quantizedLinear,
  type QuantizedMatrix,
  quantizedMatrix,
  tensor,
  toFloat32,
} from "../../../lib/compute/tensor/mod.ts";
import { halves, numbers, repeated } from "./numbers.ts";
import { SMALL } from "./part.ts";
import { length, made, shapes, type SpeedCase, type SpeedShape } from "./speed_case.ts";

/** Linear layers of 16-bit weights; two sets of them by turns, so that not all is in the cache. */
export function linears(names?: RegExp): Iterable<SpeedCase> {
  return made(shapes.linear, names, (shape) => {
    const [, k, n] = linearShape(shape);
    const weights = [11, 12].map((seed) => halves([n, k], 1.7 / Math.sqrt(k), seed));
    const w = toFloat32(weights[0]);
    return {
      ...linearCase(shape, "linear", (column, j) => w[column * k + j]),
      build: (graph, { x }, turn) => linear(x, graph.constant(weights[turn % 2]), undefined, shape.act),
    };
  });
}

/** Linear layers of weights with 4 or 8 bits. */
export function quantizedLinears(bits: 4 | 8, names?: RegExp): Iterable<SpeedCase> {
  return made(shapes.linear, names, (shape) => {
    const [, k, n] = linearShape(shape);
    const matrix = randomQuantized(bits, n, k);
    const { values, groups, groupSize } = matrix;
    const [bytes, scales] = [values.data, toFloat32(matrix.scales)];
    const weight = (column: number, j: number) => {
      const at = column * groups * groupSize + j;
      const number = bits === 8 ? bytes[at] : bytes[at >> 1] >> 4 * (at & 1) & 15;
      return (number - (1 << bits - 1)) * scales[column * groups + Math.floor(j / groupSize)];
    };
    return {
      ...linearCase(shape, `linear, ${bits} bits`, weight),
      build: (_, { x }) => quantizedLinear(x, matrix, undefined, shape.act),
    };
  });
}

/** Attention of a block to its window, to the text, and within itself. */
export function attentions(names?: RegExp): Iterable<SpeedCase> {
  return made(shapes.attention, names, (shape) => {
    const [q, k, h, d] = [length(shape.q, 36), length(shape.k, 36), SMALL ? 2 : shape.h, shape.d];
    const inputs = { q: halves([q, h, d], 1.7, 5), k: halves([k, h, d], 1.7, 6), v: halves([k, h, d], 1, 7) };
    const [fq, fk, fv] = Object.values(inputs).map(toFloat32);
    return {
      ...{ id: shape.id, group: "attention", flops: 4 * q * k * h * d, floats: (2 * q + 2 * k) * h * d, inputs },
      size: q * h * d,
      build: (_, i) => attention(i.q, i.k, i.v),
      element: (index) => {
        const [query, head, c] = [Math.floor(index / (h * d)), Math.floor(index / d) % h, index % d];
        let [weights, sum] = [0, 0];
        for (let j = 0; j < k; j++) {
          let logit = 0;
          for (let e = 0; e < d; e++) logit += fq[(query * h + head) * d + e] * fk[(j * h + head) * d + e];
          const weight = Math.exp(logit / Math.sqrt(d)); // logits are small numbers here
          weights += weight;
          sum += weight * fv[(j * h + head) * d + c];
        }
        return sum / weights;
      },
    };
  });
}

function linearShape({ m, k, n }: SpeedShape): [number, number, number] {
  return [m < 8 ? m : length(m, 16), length(k, 64), length(n, 64)];
}

function linearCase(
  shape: SpeedShape,
  group: string,
  weight: (column: number, j: number) => number,
): Omit<SpeedCase, "build"> {
  const [m, k, n] = linearShape(shape);
  const x = halves([m, k], 1, 3);
  const xs = toFloat32(x);
  return {
    ...{ id: shape.id, group, flops: 2 * m * k * n, floats: m * k + n * k + m * n, inputs: { x }, size: m * n },
    element: (index) => {
      const [row, column] = [Math.floor(index / n), index % n];
      let sum = 0;
      for (let j = 0; j < k; j++) sum += xs[row * k + j] * weight(column, j);
      if (!shape.act) return sum;
      return 0.5 * sum * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (sum + 0.044715 * sum ** 3)));
    },
  };
}

/** Random bits with a scale a group: quantising real weights takes JavaScript minutes at these sizes. */
function randomQuantized(bits: 4 | 8, rows: number, columns: number): QuantizedMatrix {
  const groupSize = bits === 8 ? 64 : 32;
  const groups = Math.ceil(columns / groupSize);
  const bytes = groups * groupSize * bits / 8;
  const block = Uint8Array.from(numbers(1048399, 128, bits), (v) => Math.floor(v + 128));
  // Numbers of one size with random low bits: the layer's results are about as large as its input.
  const exponent = bits === 8 ? 0x0c00 : 0x1800;
  const scales = halves([rows, groups], 1, 21).data.map((v) => v & 0x03ff | exponent);
  return quantizedMatrix({
    ...{ bits, shape: [rows, columns] },
    values: tensor("u8", [rows, bytes], repeated(block, new Uint8Array(rows * bytes))),
    scales: tensor("f16", [rows, groups], scales),
  });
}
