/**
 * Lowering of attention and rotary positions.
 *
 * @module
 */
import type { Value } from "../../tensor/graph.ts";
import type { OpOf } from "../../tensor/op.ts";
import { sizeOf } from "../../tensor/shape.ts";
import { wholeRegion } from "./dispatch.ts";
import type { Lowering } from "./lowering.ts";
import { broadcastView, type View } from "./view.ts";

/** q [B?,Lq,H,D], k [B?,Lk,H,D], v [B?,Lk,H,Dv], bias? -> [B?,Lq,H,Dv] */
export function lowerAttention(
  lowering: Lowering,
  op: OpOf<"attention">,
  inputs: readonly Value[],
  value: Value,
): void {
  const [q, k, v] = inputs.slice(0, 3).map((x) => lowering.denseRows(lowering.view(x)));
  const [queries, heads, valueWidth] = value.shape.slice(-3);
  const [keys, , width] = k.shape.slice(-3);
  const batch = value.shape.length === 4 ? value.shape[0] : 1;
  const bias = op.bias ? broadcastView(lowering.view(inputs[3]), [batch, heads, queries, keys]) : undefined;

  const strides = [q, k, v].map(tokenStrides);
  const vec = [width, valueWidth, ...strides.flat()].every((n) => n % 4 === 0);
  const widest = Math.max(width, valueWidth);
  const kept = queries > 32 && widest <= 128;
  const wide = (kept ? widest : valueWidth) > 64;
  const queryTiles = Math.ceil(queries / (kept ? 64 : 32));
  const parts = kept ? 1 : Math.ceil(valueWidth / (wide ? 128 : 64));
  const workgroups = parts * queryTiles * heads * batch;
  lowering.dispatch({
    what: "attention",
    kernel: kept ? "attention_kept" : "attention",
    flags: [lowering.precision === "f16" && "F16", vec && "VEC", wide && "WIDE"],
    params: [
      workgroups,
      queries,
      keys,
      heads,
      width,
      valueWidth,
      queryTiles,
      parts,
      ...strides,
      bias?.strides ?? [0, 0, 0, 0],
      { f32: op.scale },
      bias ? 1 : 0,
      bias?.offset ?? 0,
    ],
    inputs: [...[q, k, v].map(wholeRegion), bias ? wholeRegion(bias) : lowering.nothing()],
    output: lowering.result(value),
    workgroups,
    flops: 2 * batch * queries * keys * heads * (width + valueWidth),
  });
}

/** Strides of batch, token and head, and the first element. */
function tokenStrides(view: View): number[] {
  const [tokens, heads] = view.strides.slice(-3);
  return [view.strides.length === 4 ? view.strides[0] : 0, tokens, heads, view.offset];
}

/** x [L,H,D], cos [L,D/2], sin [L,D/2] -> [L,H,D] */
export function lowerRope(lowering: Lowering, op: OpOf<"rope">, inputs: readonly Value[], value: Value): void {
  const [, heads, width] = value.shape;
  const count = sizeOf(value.shape) / 2;
  lowering.dispatch({
    what: "rope",
    kernel: "rope",
    flags: [lowering.precision === "f16" && "F16"],
    // Distances between the pairs and between the two of a pair.
    params: [count, heads, width / 2, ...(op.pairs === "neighbours" ? [2, 1] : [1, width / 2])],
    inputs: inputs.map((v) => lowering.dense(lowering.view(v))),
    output: lowering.result(value),
    workgroups: Math.ceil(count / 64),
  });
}
