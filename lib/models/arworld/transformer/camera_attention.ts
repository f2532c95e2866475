/**
 * Attention in camera coordinates (PRoPE, Li et al. 2025): every head vector is a row of 4-vectors that the cameras of
 * the frames transform, so that logits and values depend on how two cameras stand to each other.
 *
 * @module
 */
import { attention, matmul, reshape, rmsNorm, type Value } from "../../../compute/tensor/mod.ts";
import { dense } from "../../checkpoint/dense.ts";
import type { Weights } from "../../checkpoint/weights.ts";
import { splitHeads } from "./window_attention.ts";

/** Matrices of the frames' cameras, all [F,4,4]; P = diag(fx,fy,1,1) * worldToCamera, see `camera.ts`. */
export interface CameraValues {
  readonly p: Value;
  readonly pTransposed: Value;
  /** (P^-1)^T */
  readonly pInverseTransposed: Value;
}

/** What the camera attention computes on its way; all [F*S,H,C] but the last. */
export interface CameraAttentionValues {
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

/** Attends inside one block of frames, without rotary positions; x [F*S,D]. */
export function cameraAttention(
  x: Value,
  cameras: CameraValues,
  weights: Weights,
  heads: number,
): CameraAttentionValues {
  const g = x.graph;
  const normed = (name: string) =>
    splitHeads(rmsNorm(dense(x, weights.at(`${name}_proj`)), weights.in(g, `norm_${name}.weight`)), heads);
  const [q, k] = [normed("q"), normed("k")];
  const v = splitHeads(dense(x, weights.at("v_proj")), heads);
  const qMoved = moveRows(q, cameras.p);
  const kMoved = moveRows(k, cameras.pInverseTransposed);
  const vMoved = moveRows(v, cameras.pInverseTransposed);
  const mixed = attention(qMoved, kMoved, vMoved);
  const mixedMoved = moveRows(mixed, cameras.pTransposed);
  const output = dense(reshape(mixedMoved, [x.shape[0], -1]), weights.at("out_proj"));
  return { q, k, v, qMoved, kMoved, vMoved, mixed, mixedMoved, output };
}

/** Every 4-vector u of a frame as a row times the frame's matrix, that is M^T u; x [F*S,H,C], matrices [F,4,4]. */
function moveRows(x: Value, matrices: Value): Value {
  return reshape(matmul(reshape(x, [matrices.shape[0], -1, 4]), matrices), x.shape);
}
