// Strips of attention_matrix.wgsl: EDGE rows by 16 columns, in registers of a subgroup of 32 invocations.
// MATRIX8: two fragments of 8 x 8 side by side, of f32; MATRIX16: one of 16 x 16, of the buffers' type. Sums are f32.
// EMULATED8, EMULATED16: the same with loops in place of the builtins, for devices that have none. An invocation owns the
// elements (2 i + lane / 16, lane % 16) of the sums; left operands stay in workgroup memory.
#if MATRIX8
const EDGE = 8u;
alias part = f32;
#endif
#if EMULATED8
const EDGE = 8u;
alias part = f32;
#endif
#if MATRIX16
const EDGE = 16u;
alias part = scalar;
#endif
#if EMULATED16
const EDGE = 16u;
alias part = scalar;
#endif
const LANES = 32u;
const STRIP = 16u;
// Queries of a workgroup, and invocations that share one.
const QUERIES = 4u * EDGE;
const SHARERS = LANES / EDGE;
// Strips of a head that are in registers at a time.
override STRIPS: u32 = 8u;
// Keys that are staged at once, 16 or 32.
override KEYS: u32 = 16u;
// Elements of the tile, KEYS * (STRIPS * STRIP + SKEW), and of the logits, QUERIES * (KEYS + 4): numbers of their own
// because naga does not compute the length of an array from several overrides.
override TILE: u32 = 2176u;
override LOGITS: u32 = 1280u;

// KEYS keys or values; rows are 16 bytes longer than they need to be, so that those of a column are in different banks.
var<workgroup> tile: array<part, TILE>;
// Logits of every query, or a strip of sums on its way; then, where operands have 32 bits, the weights in their place.
var<workgroup> logitTile: array<f32, LOGITS>;

#if F16
#if MATRIX16
const SKEW = 8u;
#include "include/attention_weights.wgsl"
#endif
#if EMULATED16
const SKEW = 8u;
#include "include/attention_weights.wgsl"
#endif
#else
#if MATRIX16
const SKEW = 4u;
#include "include/attention_weights_in_place.wgsl"
#endif
#if EMULATED16
const SKEW = 4u;
#include "include/attention_weights.wgsl"
#endif
#endif
#if MATRIX8
const SKEW = 4u;
#include "include/attention_weights_in_place.wgsl"
#endif
#if EMULATED8
const SKEW = 4u;
#include "include/attention_weights.wgsl"
#endif

#if EMULATED8
#include "include/attention_emulated.wgsl"
#else
#if EMULATED16
#include "include/attention_emulated.wgsl"
#else
fn rowMaximum(value: f32, invocation: u32) -> f32 {
  var highest = max(value, subgroupShuffleXor(value, 1u));
  if SHARERS > 2u {
    highest = max(highest, subgroupShuffleXor(highest, 2u));
  }
  return highest;
}

fn rowSum(value: f32, invocation: u32) -> f32 {
  var sum = value + subgroupShuffleXor(value, 1u);
  if SHARERS > 2u {
    sum += subgroupShuffleXor(sum, 2u);
  }
  return sum;
}

alias Left = subgroup_matrix_left<part, EDGE, EDGE>;
alias Right = subgroup_matrix_right<part, EDGE, EDGE>;
alias Result = subgroup_matrix_result<f32, EDGE, EDGE>;

#if MATRIX8
struct LeftStrip {
  near: Left,
  far: Left,
}

struct SumStrip {
  near: Result,
  far: Result,
}

fn leftOfTile(at: u32, invocation: u32) -> LeftStrip {
  return LeftStrip(
    subgroupMatrixLoad<Left, row_major>(&tile, at, STRIPS * STRIP + SKEW),
    subgroupMatrixLoad<Left, row_major>(&tile, at + EDGE, STRIPS * STRIP + SKEW),
  );
}

fn leftOfWeights(at: u32, lane: u32) -> LeftStrip {
  return LeftStrip(
    subgroupMatrixLoad<Left, row_major>(&logitTile, at, KEYS + 4u),
    subgroupMatrixLoad<Left, row_major>(&logitTile, at + EDGE, KEYS + 4u),
  );
}

fn timesKeys(left: LeftStrip, at: u32, before: SumStrip, lane: u32) -> SumStrip {
  let below = at + EDGE * (STRIPS * STRIP + SKEW);
  var sums = before;
  sums.near = subgroupMatrixMultiplyAccumulate(
    left.near, subgroupMatrixLoad<Right, col_major>(&tile, at, STRIPS * STRIP + SKEW), sums.near);
  sums.far = subgroupMatrixMultiplyAccumulate(
    left.near, subgroupMatrixLoad<Right, col_major>(&tile, below, STRIPS * STRIP + SKEW), sums.far);
  sums.near = subgroupMatrixMultiplyAccumulate(
    left.far, subgroupMatrixLoad<Right, col_major>(&tile, at + EDGE, STRIPS * STRIP + SKEW), sums.near);
  sums.far = subgroupMatrixMultiplyAccumulate(
    left.far, subgroupMatrixLoad<Right, col_major>(&tile, below + EDGE, STRIPS * STRIP + SKEW), sums.far);
  return sums;
}

fn timesValues(left: LeftStrip, at: u32, before: SumStrip, lane: u32) -> SumStrip {
  let below = at + EDGE * (STRIPS * STRIP + SKEW);
  var sums = before;
  sums.near = subgroupMatrixMultiplyAccumulate(
    left.near, subgroupMatrixLoad<Right, row_major>(&tile, at, STRIPS * STRIP + SKEW), sums.near);
  sums.far = subgroupMatrixMultiplyAccumulate(
    left.near, subgroupMatrixLoad<Right, row_major>(&tile, at + EDGE, STRIPS * STRIP + SKEW), sums.far);
  sums.near = subgroupMatrixMultiplyAccumulate(
    left.far, subgroupMatrixLoad<Right, row_major>(&tile, below, STRIPS * STRIP + SKEW), sums.near);
  sums.far = subgroupMatrixMultiplyAccumulate(
    left.far, subgroupMatrixLoad<Right, row_major>(&tile, below + EDGE, STRIPS * STRIP + SKEW), sums.far);
  return sums;
}

fn stage(at: u32, sums: SumStrip, lane: u32) {
  subgroupMatrixStore<row_major>(&logitTile, at, sums.near, KEYS + 4u);
  subgroupMatrixStore<row_major>(&logitTile, at + EDGE, sums.far, KEYS + 4u);
}

fn staged(at: u32, lane: u32) -> SumStrip {
  return SumStrip(
    subgroupMatrixLoad<Result, row_major>(&logitTile, at, KEYS + 4u),
    subgroupMatrixLoad<Result, row_major>(&logitTile, at + EDGE, KEYS + 4u),
  );
}
#else
alias LeftStrip = Left;
alias SumStrip = Result;

fn leftOfTile(at: u32, invocation: u32) -> LeftStrip {
  return subgroupMatrixLoad<Left, row_major>(&tile, at, STRIPS * STRIP + SKEW);
}

fn leftOfWeights(at: u32, lane: u32) -> LeftStrip {
#if F16
  return subgroupMatrixLoad<Left, row_major>(&weightTile, at, KEYS + SKEW);
#else
  return subgroupMatrixLoad<Left, row_major>(&logitTile, at, KEYS + SKEW);
#endif
}

fn timesKeys(left: LeftStrip, at: u32, before: SumStrip, lane: u32) -> SumStrip {
  return subgroupMatrixMultiplyAccumulate(left, subgroupMatrixLoad<Right, col_major>(&tile, at, STRIPS * STRIP + SKEW), before);
}

fn timesValues(left: LeftStrip, at: u32, before: SumStrip, lane: u32) -> SumStrip {
  return subgroupMatrixMultiplyAccumulate(left, subgroupMatrixLoad<Right, row_major>(&tile, at, STRIPS * STRIP + SKEW), before);
}

fn stage(at: u32, sums: SumStrip, lane: u32) {
  subgroupMatrixStore<row_major>(&logitTile, at, sums, KEYS + 4u);
}

fn staged(at: u32, lane: u32) -> SumStrip {
  return subgroupMatrixLoad<Result, row_major>(&logitTile, at, KEYS + 4u);
}
#endif
#endif
#endif
