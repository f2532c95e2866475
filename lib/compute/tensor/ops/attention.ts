/**
 * Attention and rotary positions.
 *
 * @module
 */
import type { Value } from "../graph.ts";
import { broadcastShapes, formatShape, sameShape, ShapeError } from "../shape.ts";
import { requireFloat } from "./elementwise.ts";
import { broadcastTo, reshape, transpose } from "./layout.ts";

/** Options of {@linkcode attention}. */
export interface AttentionOptions {
  /** Scale of the logits; 1 / sqrt(D) by default. */
  readonly scale?: number;
  /** Added to the logits, broadcastable to [B?,H,Lq,Lk]. */
  readonly bias?: Value | undefined;
}

/**
 * Scaled dot-product attention (Vaswani et al. 2017, section 3.2.1): softmax(scale * q k^T + bias) v.
 *
 * Shapes: q [B?,Lq,H,D], k [B?,Lk,H,D], v [B?,Lk,H,Dv] -> [B?,Lq,H,Dv].
 */
export function attention(q: Value, k: Value, v: Value, options: AttentionOptions = {}): Value {
  const rank = q.shape.length;
  const describe = () => `q ${formatShape(q.shape)}, k ${formatShape(k.shape)}, v ${formatShape(v.shape)}`;
  for (const x of [q, k, v]) requireFloat("attention", x);
  if ((rank !== 3 && rank !== 4) || k.shape.length !== rank || v.shape.length !== rank) {
    throw new ShapeError(
      `Cannot attend with ${describe()}: all need the axes [tokens,heads,channels], or a batch first`,
    );
  }
  const [lq, heads, channels] = q.shape.slice(-3);
  const [lk, headsK, channelsK] = k.shape.slice(-3);
  const [lv, headsV, channelsV] = v.shape.slice(-3);
  const batch = q.shape.slice(0, -3);
  const batches = sameShape(batch, k.shape.slice(0, -3)) && sameShape(batch, v.shape.slice(0, -3));
  if (!batches || heads !== headsK || heads !== headsV || channels !== channelsK || lk !== lv) {
    throw new ShapeError(
      `Cannot attend with ${describe()}: batch, heads, channels of q and k, or tokens of k and v differ`,
    );
  }
  const { scale = 1 / Math.sqrt(channels), bias } = options;
  if (bias) {
    const logits = [...batch, heads, lq, lk];
    if (!sameShape(broadcastShapes("add an attention bias", bias.shape, logits), logits)) {
      throw new ShapeError(`Cannot add attention bias ${formatShape(bias.shape)} to logits ${formatShape(logits)}`);
    }
  }
  return q.graph.push(
    { kind: "attention", scale, bias: !!bias },
    bias ? [q, k, v, bias] : [q, k, v],
    [...batch, lq, heads, channelsV],
  );
}

/**
 * Grouped-query attention (Ainslie et al. 2023): query head h looks at head floor(h / (H / G)) of the keys and values.
 * The queries of a group become rows of one head, so that keys and values are never repeated.
 *
 * Shapes: q [Lq,H,D], k [Lk,G,D], v [Lk,G,Dv] with H a multiple of G; bias [Lk], [1,Lk] or [Lq,Lk] -> [Lq,H,Dv].
 */
export function groupedAttention(q: Value, k: Value, v: Value, options: AttentionOptions = {}): Value {
  const [lq, heads, channels] = q.shape;
  const [lk, groups] = k.shape;
  const { bias } = options;
  const size = heads / groups;
  if (q.shape.length !== 3 || k.shape.length !== 3 || !Number.isInteger(size)) {
    throw new ShapeError(
      `Cannot attend in groups with q ${formatShape(q.shape)} and k ${formatShape(k.shape)}: ` +
        `expected [tokens,heads,channels] with a multiple of the keys' heads`,
    );
  }
  if (bias && !sameShape(broadcastShapes("add an attention bias", bias.shape, [lq, lk]), [lq, lk])) {
    throw new ShapeError(`Cannot add attention bias ${formatShape(bias.shape)} to logits ${formatShape([lq, lk])}`);
  }
  const rows = transpose(reshape(q, [lq, groups, size, channels]), [0, 2, 1, 3]);
  const mixed = attention(reshape(rows, [lq * size, groups, channels]), k, v, {
    ...options,
    bias: bias && bias.shape.at(-2) === lq && lq > 1
      ? reshape(broadcastTo(reshape(bias, [lq, 1, lk]), [lq, size, lk]), [lq * size, lk])
      : bias,
  });
  return reshape(transpose(reshape(mixed, [lq, size, groups, -1]), [0, 2, 1, 3]), [lq, heads, -1]);
}

/**
 * Rotary position embedding (Su et al. 2021): every pair (a, b) -> (a c - b s, a s + b c). Neighbours pair channel 2j
 * with 2j+1 as in the paper, halves pair channel j with j + D/2 as many language models do.
 *
 * Shapes: x [L,H,D], cos and sin [L,D/2] -> [L,H,D].
 */
export function rope(x: Value, cos: Value, sin: Value, pairs: "neighbours" | "halves" = "neighbours"): Value {
  const [tokens, , channels] = x.shape;
  const table = [tokens, channels / 2];
  requireFloat("rope", x);
  if (x.shape.length !== 3 || channels % 2 || !sameShape(cos.shape, table) || !sameShape(sin.shape, table)) {
    throw new ShapeError(
      `Cannot rotate ${formatShape(x.shape)} by tables ${formatShape(cos.shape)} and ${formatShape(sin.shape)}: ` +
        `expected [L,H,D] with even D and tables [L,D/2]`,
    );
  }
  return x.graph.push({ kind: "rope", pairs }, [x, cos, sin], x.shape);
}
