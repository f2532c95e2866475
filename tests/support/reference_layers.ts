/**
 * Matrix products, convolutions, attention and norms in 64-bit floats.
 *
 * @module
 */
import type { OpOf } from "../../lib/compute/tensor/op.ts";
import type { Shape } from "../../lib/compute/tensor/shape.ts";
import { unaryFunctions } from "./reference_functions.ts";
import { at, generate, type Reference } from "./reference_tensor.ts";

/** a [..,M,K], b [..,K,N] or [..,N,K], bias? [N] -> [..,M,N] */
export function matmul(op: OpOf<"matmul">, [a, b, bias]: readonly Reference[], shape: Shape): Reference {
  const k = a.shape[a.shape.length - 1];
  const product = generate(shape, (i) => {
    const [lead, [m, n]] = [i.slice(0, -2), i.slice(-2)];
    let sum = bias ? bias.data[n] : 0;
    for (let j = 0; j < k; j++) {
      sum += at(a, [...lead, m, j]) * at(b, op.transposeB ? [...lead, n, j] : [...lead, j, n]);
    }
    return sum;
  });
  return op.activation ? { shape, data: product.data.map(unaryFunctions[op.activation]) } : product;
}

/** x [N,C,H,W], w [O,C,kh,kw], bias? [O] -> [N,O,H',W'] */
export function conv2d(op: OpOf<"conv2d">, [x, w, bias]: readonly Reference[], shape: Shape): Reference {
  const [o, c, kh, kw] = w.shape;
  const kernel = { shape: [o, c, 1, kh, kw], data: w.data };
  return conv3d({ ...op, kind: "conv3d", stride: [1, ...op.stride] }, bias ? [x, kernel, bias] : [x, kernel], shape);
}

/** x [T,C,H,W], w [O,C,kt,kh,kw], bias? [O] -> [T',O,H',W'] */
export function conv3d(op: OpOf<"conv3d">, [x, w, bias]: readonly Reference[], shape: Shape): Reference {
  const [, c, kt, kh, kw] = w.shape;
  const [, , h, wide] = x.shape;
  return generate(shape, ([t, o, row, column]) => {
    let sum = bias ? bias.data[o] : 0;
    for (let dt = 0; dt < kt; dt++) {
      for (let dy = 0; dy < kh; dy++) {
        const y = row * op.stride[1] + dy - op.pad[0];
        for (let dx = 0; dx < kw; dx++) {
          const z = column * op.stride[2] + dx - op.pad[1];
          if (y < 0 || y >= h || z < 0 || z >= wide) continue;
          for (let i = 0; i < c; i++) sum += at(x, [t * op.stride[0] + dt, i, y, z]) * at(w, [o, i, dt, dy, dx]);
        }
      }
    }
    return sum;
  });
}

/** q [B?,Lq,H,D], k [B?,Lk,H,D], v [B?,Lk,H,Dv], bias? -> [B?,Lq,H,Dv] */
export function attention(op: OpOf<"attention">, [q, k, v, bias]: readonly Reference[], shape: Shape): Reference {
  const channels = q.shape[q.shape.length - 1];
  const [lk, heads] = k.shape.slice(-3);
  const lead = q.shape.slice(0, -3);
  const logits = generate([...lead, heads, shape[lead.length], lk], (i) => {
    const [b, [h, m, n]] = [i.slice(0, -3), i.slice(-3)];
    let sum = 0;
    for (let d = 0; d < channels; d++) sum += at(q, [...b, m, h, d]) * at(k, [...b, n, h, d]);
    return op.scale * sum + (bias ? at(bias, i) : 0);
  });
  const weights = softmax(logits);
  return generate(shape, (i) => {
    const [b, [m, h, d]] = [i.slice(0, -3), i.slice(-3)];
    let sum = 0;
    for (let n = 0; n < lk; n++) sum += at(weights, [...b, h, m, n]) * at(v, [...b, n, h, d]);
    return sum;
  });
}

/** x [L,H,D], cos [L,D/2], sin [L,D/2] -> [L,H,D] */
export function rope(op: OpOf<"rope">, [x, cos, sin]: readonly Reference[]): Reference {
  const half = x.shape[2] / 2;
  return generate(x.shape, ([l, h, d]) => {
    const [pair, isSecond] = op.pairs === "halves" ? [d % half, d >= half] : [d >> 1, d % 2 === 1];
    const [a, b] = op.pairs === "halves" ? [pair, pair + half] : [2 * pair, 2 * pair + 1];
    const [first, second] = [at(x, [l, h, a]), at(x, [l, h, b])];
    const [c, s] = [at(cos, [l, pair]), at(sin, [l, pair])];
    return isSecond ? first * s + second * c : first * c - second * s;
  });
}

/** Along the last axis. */
export function softmax(x: Reference): Reference {
  return alongLast(x, (row) => {
    const largest = Math.max(...row);
    const powers = row.map((v) => Math.exp(v - largest));
    const sum = powers.reduce((s, v) => s + v, 0);
    return powers.map((v) => v / sum);
  });
}

/** x, weight? [n], bias? [n] -> same shape, over the last axis */
export function layerNorm(op: OpOf<"layerNorm">, [x, weight, bias]: readonly Reference[]): Reference {
  return alongLast(x, (row) => {
    const mean = row.reduce((s, v) => s + v, 0) / row.length;
    const variance = row.reduce((s, v) => s + (v - mean) ** 2, 0) / row.length;
    return row.map((v, i) =>
      (v - mean) / Math.sqrt(variance + op.eps) * (weight ? weight.data[i] : 1) + (bias ? bias.data[i] : 0)
    );
  });
}

/** x, weight? [n] of the axis -> same shape */
export function rmsNorm(op: OpOf<"rmsNorm">, [x, weight]: readonly Reference[]): Reference {
  const n = x.shape[op.axis];
  return generate(x.shape, (i) => {
    let sum = 0;
    for (let j = 0; j < n; j++) sum += at(x, i.with(op.axis, j)) ** 2;
    return at(x, i) / Math.sqrt(sum / n + op.eps) * (weight ? weight.data[i[op.axis]] : 1);
  });
}

function alongLast(x: Reference, map: (row: Float64Array) => Float64Array): Reference {
  const n = x.shape[x.shape.length - 1];
  const data = new Float64Array(x.data.length);
  for (let i = 0; i < data.length; i += n) data.set(map(x.data.subarray(i, i + n)), i);
  return { shape: x.shape, data };
}
