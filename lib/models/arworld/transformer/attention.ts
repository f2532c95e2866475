/**
 * The three attentions of a layer: of a block of frames over its window and itself, in camera coordinates (PRoPE, Li
 * et al. 2025), and from the image to the text.
 *
 * @module
 */
import { attention, concat, matmul, reshape, rmsNorm, rope, slice, type Value } from "../../../compute/tensor/mod.ts";
import { dense } from "../../layers/dense.ts";
import type { Weights } from "../../checkpoint/weights.ts";

/** Keys (normed, not rotated) and values of a block, both [L,H,D/H]. */
export interface KeysValues {
  readonly k: Value;
  readonly v: Value;
}

/** Rotary tables [L,D/H/2]. */
export interface RopeValues {
  readonly cos: Value;
  readonly sin: Value;
}

/**
 * What a world has of its own where several worlds run a pass together, in their order. The rows of tokens are then those
 * of one world after the other.
 */
export type PerWorld<T> = T | { readonly worlds: readonly T[] };

/** One for each world. */
export function worldsOf<T extends object>(own: PerWorld<T>): readonly T[] {
  return "worlds" in own ? own.worlds : [own];
}

/** Rotary tables of the block's own tokens, and of the keys that a pass rotates: its own after a {@linkcode JoinedPast}. */
export interface WindowRope {
  readonly queries: RopeValues;
  readonly keys: RopeValues;
}

/** Keys (rotated) and values of all committed blocks in the window, oldest first, both [Lp,H,D/H]. */
interface JoinedPast {
  readonly k: Value;
  readonly v: Value;
}

/** A layer's committed blocks in the window: one by one, oldest first, or joined already. */
export type WindowPast = readonly KeysValues[] | JoinedPast;

/** A layer's committed blocks of several worlds, each oldest first; all keys are rotated by a pass. */
export interface WorldsPast {
  readonly worlds: readonly (readonly KeysValues[])[];
}

/** Joins committed blocks, oldest first; `tables` are those of all their tokens. */
export function joinPast(context: readonly KeysValues[], tables: RopeValues): JoinedPast {
  return {
    k: rope(concat(context.map((b) => b.k), 0), tables.cos, tables.sin),
    v: concat(context.map((b) => b.v), 0),
  };
}

/** Keys and values of a block's tokens x [L,D]; the norm of the keys runs over the whole width. */
export function keysValues(x: Value, weights: Weights, heads: number): KeysValues {
  const k = rmsNorm(dense(x, weights.at("k")), weights.in(x.graph, "norm_k.weight"));
  return { k: splitHeads(k, heads), v: splitHeads(dense(x, weights.at("v")), heads) };
}

/** Queries of tokens x [L,D], normed over the whole width -> [L,H,D/H]. */
export function queries(x: Value, weights: Weights, heads: number): Value {
  return splitHeads(rmsNorm(dense(x, weights.at("q")), weights.in(x.graph, "norm_q.weight")), heads);
}

/**
 * Attention over the committed blocks of the window, oldest first, and the block itself, in both directions. Positions
 * are frame indices within the window, so keys are cached unrotated and rotated by their current position.
 * Shapes: x [L,D] -> [L,D].
 *
 * @param past Joined where several passes share it, else rotated together with the block's own keys.
 * @param bias Added to the logits of the window's keys, [1,1,Lk].
 */
export function windowAttention(
  x: Value,
  own: KeysValues,
  past: WindowPast | WorldsPast,
  tables: WindowRope,
  weights: Weights,
  bias?: Value,
): Value {
  const q = rope(queries(x, weights, own.k.shape[1]), tables.queries.cos, tables.queries.sin);
  if ("worlds" in past) {
    return dense(reshape(attendWindows(q, own, past.worlds, tables.keys), x.shape), weights.at("o"));
  }
  const window = "k" in past ? appendOwn(past, joinPast([own], tables.keys)) : joinPast([...past, own], tables.keys);
  const mixed = attention(q, window.k, window.v, { bias });
  return dense(reshape(mixed, x.shape), weights.at("o"));
}

/** Attention of each world's queries over its own window; the windows lie one after the other. */
function attendWindows(
  q: Value,
  own: KeysValues,
  pasts: readonly (readonly KeysValues[])[],
  keys: RopeValues,
): Value {
  const worlds = pasts.length;
  const [tokens, ...head] = [q.shape[0] / worlds, ...q.shape.slice(1)];
  const rows = ({ k, v }: KeysValues, i: number) => ({ k: rowsOfWorld(k, i, worlds), v: rowsOfWorld(v, i, worlds) });
  const windows = joinPast(pasts.flatMap((past, i) => [...past, rows(own, i)]), keys);
  const lengths = pasts.map((past) => (past.length + 1) * tokens);
  if (new Set(lengths).size === 1) {
    const batched = (value: Value) => reshape(value, [worlds, value.shape[0] / worlds, ...head]);
    return reshape(attention(batched(q), batched(windows.k), batched(windows.v)), q.shape);
  }
  let end = 0;
  const each = lengths.map((length, i) => {
    const [start] = [end, end += length];
    const [k, v] = [windows.k, windows.v].map((all) => slice(all, { axis: 0, start, end }));
    return attention(rowsOfWorld(q, i, worlds), k, v);
  });
  return concat(each, 0);
}

function appendOwn(past: JoinedPast, own: JoinedPast): JoinedPast {
  return { k: concat([past.k, own.k], 0), v: concat([past.v, own.v], 0) };
}

/** The rows of one world; all where there is one. */
export function rowsOfWorld(value: Value, world: number, worlds: number): Value {
  const rows = value.shape[0] / worlds;
  return worlds === 1 ? value : slice(value, { axis: 0, start: world * rows, end: (world + 1) * rows });
}

/** [L,D] -> [L,H,D/H] */
export function splitHeads(x: Value, heads: number): Value {
  const [length, width] = x.shape;
  return reshape(x, [length, heads, width / heads]);
}

/** Matrices of the frames' cameras, all [F,4,4]; P = diag(fx,fy,1,1) * worldToCamera, see `camera.ts`. */
export interface CameraValues {
  readonly p: Value;
  readonly pTransposed: Value;
  /** (P^-1)^T */
  readonly pInverseTransposed: Value;
}

/** What the camera attention computes on its way; all [F*S,H,C] but the last. */
interface CameraAttentionValues {
  readonly q: Value;
  readonly k: Value;
  readonly v: Value;
  /** P^T q */
  readonly qMoved: Value;
  /** P^-1 k */
  readonly kMoved: Value;
  /** P^-1 v */
  readonly vMoved: Value;
  readonly mixed: Value;
  /** P times the mixed values. */
  readonly mixedMoved: Value;
  /** [F*S,D] */
  readonly output: Value;
}

/** Attends inside the block of frames of each world, without rotary positions; x [F*S,D]. */
export function cameraAttention(
  x: Value,
  cameras: CameraValues,
  weights: Weights,
  heads: number,
  worlds: number = 1,
): CameraAttentionValues {
  const g = x.graph;
  const normed = (name: string) =>
    splitHeads(rmsNorm(dense(x, weights.at(`${name}_proj`)), weights.in(g, `norm_${name}.weight`)), heads);
  const [q, k] = [normed("q"), normed("k")];
  const v = splitHeads(dense(x, weights.at("v_proj")), heads);
  const qMoved = moveRows(q, cameras.p);
  const kMoved = moveRows(k, cameras.pInverseTransposed);
  const vMoved = moveRows(v, cameras.pInverseTransposed);
  const [tokens, ...head] = q.shape;
  const batched = worlds === 1 ? q.shape : [worlds, tokens / worlds, ...head];
  const [qs, ks, vs] = [qMoved, kMoved, vMoved].map((moved) => reshape(moved, batched));
  const mixed = reshape(attention(qs, ks, vs), q.shape);
  const mixedMoved = moveRows(mixed, cameras.pTransposed);
  const output = dense(reshape(mixedMoved, [x.shape[0], -1]), weights.at("out_proj"));
  return { q, k, v, qMoved, kMoved, vMoved, mixed, mixedMoved, output };
}

/** Every 4-vector u of a frame as a row times the frame's matrix, that is M^T u; x [F*S,H,C], matrices [F,4,4]. */
function moveRows(x: Value, matrices: Value): Value {
  return reshape(matmul(reshape(x, [matrices.shape[0], -1, 4]), matrices), x.shape);
}

/** Rows of the text encoder [text_len,text_dim], zero after the text -> [text_len,D]. */
export function embedContext(rows: Value, weights: Weights): Value {
  return dense(dense(rows, weights.at("text_embedding.0"), "gelu"), weights.at("text_embedding.2"));
}

/**
 * Attention of x [L,D] to the text's keys and values [text_len,H,D/H], which `keysValues` of the same weights makes
 * once for a prompt. Rows after the text are not masked: the model was trained to see them.
 */
export function crossAttention(x: Value, text: PerWorld<KeysValues>, weights: Weights): Value {
  const texts = worldsOf(text);
  const q = queries(x, weights, texts[0].k.shape[1]);
  const each = texts.map(({ k, v }, i) => attention(rowsOfWorld(q, i, texts.length), k, v));
  const mixed = each.length === 1 ? each[0] : concat(each, 0);
  return dense(reshape(mixed, x.shape), weights.at("o"));
}
