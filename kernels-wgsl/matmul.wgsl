// Matrix product with bias and activation.
//
//   output[b, m, n] = activate(sum over k of left[b, m, k] * right[b, k, n] + bias[n])
//
// left [batch, rows, inner], right [batch, inner, columns], or [batch, columns, inner] when transposeRight, either
// batch possibly one that is shared; bias [columns] when hasBias; output rows are outputStride apart and start at
// firstColumn, so that a weight too large for one binding is multiplied in parts.
// A workgroup owns a tile of THREAD_ROWS * 4 * GROUPS rows and THREAD_COLUMNS * 4 * GROUPS columns.
// Cost: rows * columns * inner multiply-adds; left is read once per column of tiles, right once per row of tiles.
// VEC: inner, columns and outputStride are multiples of 4, everything is read and written four at a time.
#variants F16? VEC? WIDE?
#include "include/storage.wgsl"
#include "include/grid.wgsl"
#include "include/epilogue.wgsl"
#include "include/tile.wgsl"
#include "include/tile_store.wgsl"

#if VEC
alias element = vec4<scalar>;
#else
alias element = scalar;
#endif

struct Params {
  workgroups: u32,
  rows: u32,
  columns: u32,
  inner: u32,
  rowTiles: u32,
  columnTiles: u32,
  leftBatch: u32,
  rightBatch: u32,
  outputStride: u32,
  firstColumn: u32,
  transposeRight: u32,
  hasBias: u32,
  activation: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> left: array<element>;
@group(0) @binding(2) var<storage, read> right: array<element>;
@group(0) @binding(3) var<storage, read> bias: array<scalar>;
@group(0) @binding(4) var<storage, read_write> output: array<element>;

var<private> outputBatch: u32;

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

fn loadLeft(base: u32, firstRow: u32, firstK: u32, invocation: u32) {
  const QUADS = DEPTH / 4u;
  let width = THREAD_ROWS * GROUPS;
  for (var i = invocation; i < width * QUADS; i += THREAD_ROWS * THREAD_COLUMNS) {
    let group = i / QUADS;
    let k = (i % QUADS) * 4u;
    let row = firstRow + group * 4u;
    var quads: array<vec4<f32>, 4>;
    for (var j = 0u; j < 4u; j++) {
      quads[j] = leftQuad(base, row + j, firstK + k);
    }
    for (var j = 0u; j < 4u; j++) {
      leftTile[(k + j) * width + group] = vec4<f32>(quads[0][j], quads[1][j], quads[2][j], quads[3][j]);
    }
  }
}

fn loadRight(base: u32, firstColumn: u32, firstK: u32, invocation: u32) {
  const QUADS = DEPTH / 4u;
  let width = THREAD_COLUMNS * GROUPS;
  if params.transposeRight != 0u {
    for (var i = invocation; i < width * QUADS; i += THREAD_ROWS * THREAD_COLUMNS) {
      let group = i / QUADS;
      let k = (i % QUADS) * 4u;
      let column = firstColumn + group * 4u;
      var quads: array<vec4<f32>, 4>;
      for (var j = 0u; j < 4u; j++) {
        quads[j] = rightQuad(base, column + j, firstK + k);
      }
      for (var j = 0u; j < 4u; j++) {
        rightTile[(k + j) * width + group] = vec4<f32>(quads[0][j], quads[1][j], quads[2][j], quads[3][j]);
      }
    }
  } else {
    for (var i = invocation; i < width * DEPTH; i += THREAD_ROWS * THREAD_COLUMNS) {
      rightTile[i] = rightQuad(base, firstK + i / width, firstColumn + (i % width) * 4u);
    }
  }
}

fn storeQuad(row: u32, column: u32, sums: vec4<f32>) {
  if row >= params.rows || column >= params.columns {
    return;
  }
  var values = sums;
  if params.hasBias != 0u {
    for (var i = 0u; i < 4u; i++) {
      if column + i < params.columns {
        values[i] += f32(bias[params.firstColumn + column + i]);
      }
    }
  }
  values = activate(params.activation, values);
  let at = (outputBatch * params.rows + row) * params.outputStride + params.firstColumn + column;
#if VEC
  output[at / 4u] = vec4<scalar>(values);
#else
  for (var i = 0u; i < 4u; i++) {
    if column + i < params.columns {
      output[at + i] = scalar(values[i]);
    }
  }
#endif
}

@compute @workgroup_size(THREAD_COLUMNS, THREAD_ROWS)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_id) local: vec3<u32>,
  @builtin(local_invocation_index) invocation: u32,
) {
  let workgroup = workgroupNumber(id, count);
  if workgroup >= params.workgroups {
    return;
  }
  let tileColumn = workgroup % params.columnTiles;
  let tileRow = workgroup / params.columnTiles % params.rowTiles;
  let batch = workgroup / (params.columnTiles * params.rowTiles);
  outputBatch = batch;
  var sums: Sums;
  for (var k = 0u; k < params.inner; k += DEPTH) {
    loadLeft(batch * params.leftBatch, tileRow * THREAD_ROWS * GROUPS * 4u, k, invocation);
    loadRight(batch * params.rightBatch, tileColumn * THREAD_COLUMNS * GROUPS * 4u, k, invocation);
    workgroupBarrier();
    sums = addTiles(sums, local.xy);
    workgroupBarrier();
  }
  storeSums(sums, tileRow, tileColumn, local.xy);
}
