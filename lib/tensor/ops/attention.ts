/**
 * Attention and rotary positions.
 *
 * @module
 */
import type { Value } from "../graph.ts";
import type { RopePairs } from "../op.ts";
import { broadcastShapes, formatShape, sameShape, ShapeError } from "../shape.ts";
import { requireFloat } from "./elementwise.ts";

/** Options of {@linkcode attention}. */
export interface AttentionOptions {
  /** Factor on the logits; default 1 / sqrt(D). */
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
 * Rotary position embedding (Su et al. 2021): every pair (a, b) -> (a c - b s, a s + b c). Neighbours pair channel 2j
 * with 2j+1 as in the paper, halves pair channel j with j + D/2 as many language models do.
 *
 * Shapes: x [L,H,D], cos and sin [L,D/2] -> [L,H,D].
 */
export function rope(x: Value, cos: Value, sin: Value, pairs: RopePairs = "neighbours"): Value {
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
