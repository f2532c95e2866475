// The operands of a matrix product: uniform struct, bindings, and reading and writing four elements at a time.
#include "include/storage.wgsl"
#include "include/grid.wgsl"
alias V = vec4<f32>;
#include "include/epilogue.wgsl"

#include "include/parts.wgsl"

// QUANTIZED: right is a quantised matrix, transposed.
#if SPLIT
alias result = f32;
#else
alias result = scalar;
#endif
#if VEC
alias element = vec4<scalar>;
alias resultElement = vec4<result>;
#else
alias element = scalar;
alias resultElement = result;
#endif

struct Params {
  // Of the dispatch: invocations that own a block, or workgroups that own a tile.
  owners: u32,
  rows: u32,
  columns: u32,
  inner: u32,
  ownerRows: u32,
  ownerColumns: u32,
  leftBatch: u32,
  rightBatch: u32,
  outputStride: u32,
  firstColumn: u32,
  transposeRight: u32,
  hasBias: u32,
  activation: u32,
#if QUANTIZED
  groups: u32,
  hasZeroPoints: u32,
#endif
#if SPLIT
  // Of the batch, and how many slices of the inner axis a part has.
  entries: u32,
  partSlices: u32,
#endif
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> left: array<element>;
#if QUANTIZED
@group(0) @binding(2) var<storage, read> bias: array<scalar>;
#include "include/quantized.wgsl"
@group(0) @binding(6) var<storage, read_write> output: array<resultElement>;
#else
@group(0) @binding(2) var<storage, read> right: array<element>;
@group(0) @binding(3) var<storage, read> bias: array<scalar>;
@group(0) @binding(4) var<storage, read_write> output: array<resultElement>;
#endif

// Four elements from `k` on of a row of `left`; zeros outside.
fn leftQuad(base: u32, row: u32, k: u32) -> vec4<f32> {
  var quad = vec4<f32>();
  if row < params.rows {
    let at = base + row * params.inner + k;
#if VEC
    if k < params.inner {
      quad = vec4<f32>(left[at / 4u]);
    }
#else
    for (var i = 0u; i < 4u; i++) {
      if k + i < params.inner {
        quad[i] = f32(left[at + i]);
      }
    }
#endif
  }
  return quad;
}

// Four elements from `minor` on of row `major` of `right` as it lies in memory; zeros outside.
#if QUANTIZED
fn rightQuad(base: u32, major: u32, minor: u32) -> vec4<f32> {
  return quantizedQuad(major, minor);
}
#else
fn rightQuad(base: u32, major: u32, minor: u32) -> vec4<f32> {
  let majors = select(params.inner, params.columns, params.transposeRight != 0u);
  let minors = select(params.columns, params.inner, params.transposeRight != 0u);
  var quad = vec4<f32>();
  if major < majors {
    let at = base + major * minors + minor;
#if VEC
    if minor < minors {
      quad = vec4<f32>(right[at / 4u]);
    }
#else
    for (var i = 0u; i < 4u; i++) {
      if minor + i < minors {
        quad[i] = f32(right[at + i]);
      }
    }
#endif
  }
  return quad;
}
#endif

fn storeQuad(slab: u32, row: u32, column: u32, sums: vec4<f32>) {
  if row >= params.rows || column >= params.columns {
    return;
  }
  var values = sums;
  if params.hasBias != 0u && partOf(slab) == 0u {
    for (var i = 0u; i < 4u; i++) {
      if column + i < params.columns {
        values[i] += f32(bias[params.firstColumn + column + i]);
      }
    }
  }
  values = activate(params.activation, values);
  let at = (slab * params.rows + row) * params.outputStride + params.firstColumn + column;
#if VEC
  output[at / 4u] = resultElement(values);
#else
  for (var i = 0u; i < 4u; i++) {
    if column + i < params.columns {
      output[at + i] = result(values[i]);
    }
  }
#endif
}
