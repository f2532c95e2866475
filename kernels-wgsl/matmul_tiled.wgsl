// Matrix product with bias and activation, for results large enough to fill a GPU with tiles.
//
//   output[b, m, n] = activate(sum over k of left[b, m, k] * right[b, k, n] + bias[n])
//
// left [batch, rows, inner], right [batch, inner, columns], or [batch, columns, inner] when transposeRight, either
// batch possibly one that is shared; bias [columns] when hasBias; output rows are outputStride apart and start at
// firstColumn, so that a weight too large for one binding is multiplied in parts.
// A workgroup owns a tile of 128 rows and 128 columns, an invocation 8 rows and 8 columns of it.
// Cost: rows * columns * inner multiply-adds; left is read once per column of tiles, right once per row of tiles.
// QUANTIZED: right is taken apart while its tile is filled.
// VEC: inner, columns and outputStride are multiples of 4, everything is read and written four at a time.
#variants F16? VEC? QUANTIZED? PORTABLE|MATRIX8|MATRIX16|EMULATED8|EMULATED16
#include "include/matmul_operands.wgsl"
#include "include/tile.wgsl"

fn loadLeft(base: u32, firstRow: u32, firstK: u32, invocation: u32) {
  const QUADS = DEPTH / 4u;
  let width = TILE_QUADS;
  for (var i = invocation; i < width * QUADS; i += INVOCATIONS) {
    let group = i / QUADS;
    let k = (i % QUADS) * 4u;
    let row = firstRow + group * 4u;
    var quads: array<vec4<f32>, 4>;
    for (var j = 0u; j < 4u; j++) {
      quads[j] = leftQuad(base, row + j, firstK + k);
    }
    for (var j = 0u; j < 4u; j++) {
      putLeft((k + j) * width + group, vec4<f32>(quads[0][j], quads[1][j], quads[2][j], quads[3][j]));
    }
  }
}

fn loadRight(base: u32, firstColumn: u32, firstK: u32, invocation: u32) {
  const QUADS = DEPTH / 4u;
  let width = TILE_QUADS;
  if params.transposeRight != 0u {
    for (var i = invocation; i < width * QUADS; i += INVOCATIONS) {
      let group = i / QUADS;
      let k = (i % QUADS) * 4u;
      let column = firstColumn + group * 4u;
      var quads: array<vec4<f32>, 4>;
      for (var j = 0u; j < 4u; j++) {
        quads[j] = rightQuad(base, column + j, firstK + k);
      }
      for (var j = 0u; j < 4u; j++) {
        putRight((k + j) * width + group, vec4<f32>(quads[0][j], quads[1][j], quads[2][j], quads[3][j]));
      }
    }
  } else {
    for (var i = invocation; i < width * DEPTH; i += INVOCATIONS) {
      putRight(i, rightQuad(base, firstK + i / width, firstColumn + (i % width) * 4u));
    }
  }
}

@compute @workgroup_size(16, 16)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_index) invocation: u32,
) {
  let owner = workgroupNumber(id, count);
  if owner >= params.owners {
    return;
  }
  let column = owner % params.ownerColumns * TILE;
  let row = owner / params.ownerColumns % params.ownerRows * TILE;
  let batch = owner / (params.ownerColumns * params.ownerRows);
  var sums: Sums;
  for (var k = 0u; k < params.inner; k += DEPTH) {
    loadLeft(batch * params.leftBatch, row, k, invocation);
    loadRight(batch * params.rightBatch, column, k, invocation);
    workgroupBarrier();
    addTiles(&sums, invocation);
    workgroupBarrier();
  }
  storeSums(batch, &sums, row, column, invocation);
}
