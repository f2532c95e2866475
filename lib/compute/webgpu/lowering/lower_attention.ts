/**
 * Lowering of attention and rotary positions.
 *
 * @module
 */
import type { Precision } from "../../tensor/device.ts";
import type { Value } from "../../tensor/graph.ts";
import type { OpOf } from "../../tensor/op.ts";
import { sizeOf } from "../../tensor/shape.ts";
import type { TileKind } from "../matrix_tiles.ts";
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
  const { kernel, tileQueries, parts, flags, constants } = kernelFor(lowering, { queries, keys, width, valueWidth });
  const queryTiles = Math.ceil(queries / tileQueries);
  const workgroups = parts * queryTiles * heads * batch;
  lowering.dispatch({
    what: "attention",
    kernel,
    flags: [lowering.precision === "f16" && "F16", vec && "VEC", ...flags],
    constants,
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

/** The kernel of a shape, the queries of its workgroups, and the parts of the value width that they share. */
interface AttentionKernel {
  readonly kernel: string;
  readonly tileQueries: number;
  readonly parts: number;
  readonly flags: readonly (string | false)[];
  readonly constants: Readonly<Record<string, number>>;
}

interface AttentionShape {
  readonly queries: number;
  readonly keys: number;
  readonly width: number;
  readonly valueWidth: number;
}

/** Bytes of workgroup memory that every device has. */
const LEAST_WORKGROUP_BYTES = 16384;

/**
 * Chooses the kernel: by subgroup matrices where the device computes its tiles by them and there are queries and keys to
 * fill some; else with the queries in registers where these suffice and there are queries for two tiles of the third
 * kernel, which does any shape.
 */
function kernelFor({ limits, precision }: Lowering, shape: AttentionShape): AttentionKernel {
  const { queries, keys, width, valueWidth } = shape;
  const { tile = "PORTABLE", maxComputeWorkgroupStorageSize = LEAST_WORKGROUP_BYTES } = limits;
  const widest = Math.max(width, valueWidth);
  if (tile !== "PORTABLE" && queries >= 16 && keys >= 16) {
    const edge = tile.endsWith("16") ? 16 : 8;
    const strips = Math.min(8, Math.ceil(widest / 16));
    const memoryWith = (keys: number) => matrixMemory({ tile, edge, keys, strips, precision });
    const large = memoryWith(32);
    const { constants } = large.bytes <= maxComputeWorkgroupStorageSize ? large : memoryWith(16);
    return {
      kernel: "attention_matrix",
      tileQueries: 4 * edge,
      parts: Math.ceil(valueWidth / 128),
      flags: [tile],
      constants: { ...constants, CHUNKS: Math.ceil(width / 128) },
    };
  }
  if (queries > 32 && widest <= 128) {
    return { kernel: "attention_kept", tileQueries: 64, parts: 1, flags: [widest > 64 && "WIDE"], constants: {} };
  }
  const wide = valueWidth > 64;
  const parts = Math.ceil(valueWidth / (wide ? 128 : 64));
  return { kernel: "attention", tileQueries: 32, parts, flags: [wide && "WIDE"], constants: {} };
}

interface MatrixSizes {
  readonly tile: TileKind;
  readonly edge: number;
  readonly keys: number;
  readonly strips: number;
  readonly precision: Precision;
}

/** Constants of `attention_matrix.wgsl`, and the bytes of workgroup memory that it has with them. */
function matrixMemory(
  { tile, edge, keys, strips, precision }: MatrixSizes,
): { readonly constants: Readonly<Record<string, number>>; readonly bytes: number } {
  const emulated = tile.startsWith("EMULATED");
  const half = edge === 16 && precision === "f16";
  const [skew, partBytes] = half ? [8, 2] : [4, 4];
  const queries = 4 * edge;
  const TILE = keys * (16 * strips + skew);
  const LOGITS = queries * (keys + 4);
  const WEIGHTS = half || emulated ? queries * (keys + skew) : 0;
  const QUERY_TILE = emulated ? queries * strips * 16 : 0;
  // Loops in place of the builtins exchange 128 numbers.
  const bytes = (TILE + WEIGHTS + QUERY_TILE) * partBytes + LOGITS * 4 + (emulated ? 512 : 0) + 16;
  const kept = { ...(WEIGHTS > 0 && { WEIGHTS }), ...(emulated && { QUERY_TILE }) };
  return { constants: { KEYS: keys, STRIPS: strips, TILE, LOGITS, ...kept }, bytes };
}

/** Strides of batch, token and head, and the first element. */
function tokenStrides(view: View): number[] {
  const [tokens, heads] = view.strides.slice(-3);
  return [view.strides.length === 4 ? view.strides[0] : 0, tokens, heads, view.offset];
}

/** x [L,H,D], cos [L,D/2], sin [L,D/2] -> [L,H,D] */
export function lowerRope(lowering: Lowering, op: OpOf<"rope">, inputs: readonly Value[], value: Value): void {
  const [, heads, width] = value.shape;
  const vec = width % 8 === 0;
  const each = vec ? 4 : 1;
  const count = sizeOf(value.shape) / 2 / each;
  const pairs = width / 2 / each;
  lowering.dispatch({
    what: "rope",
    kernel: "rope",
    flags: [lowering.precision === "f16" && "F16", vec && "VEC"],
    // Distances between the pairs and between the two of a pair.
    params: [count, heads, pairs, ...(op.pairs === "neighbours" ? [2, 1] : [1, pairs])],
    inputs: inputs.map((v) => lowering.dense(lowering.view(v))),
    output: lowering.result(value),
    workgroups: Math.ceil(count / 64),
  });
}
