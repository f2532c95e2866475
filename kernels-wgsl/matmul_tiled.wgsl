// Matrix product with bias and activation, for results large enough to fill a GPU with tiles.
//
//   output[b, m, n] = activate(sum over k of left[b, m, k] * right[b, k, n] + bias[n])
//
// left [batch, rows, inner], right [batch, inner, columns], or [batch, columns, inner] when transposeRight, either
// batch possibly one that is shared; bias [columns] when hasBias; output rows are outputStride apart and start at
// firstColumn, so that a weight too large for one binding is multiplied in parts.
// A workgroup owns a tile of 128 rows and 128 columns, or 64 and 64: see tile.wgsl.
// Cost: rows * columns * inner multiply-adds; left is read once per column of tiles, right once per row of tiles.
// QUANTIZED: right is taken apart while its tile is filled.
// VEC: inner, columns and outputStride are multiples of 4, everything is read and written four at a time.
// SPLIT: a workgroup owns a part of the inner axis, see parts.wgsl.
// TRANSPOSED is transposeRight, for what is decided when the pipeline is made.
#variants F16? VEC? QUANTIZED? SMALL? SPLIT? PORTABLE|MATRIX8|MATRIX16|EMULATED8|EMULATED16
#include "include/matmul_operands.wgsl"
override TRANSPOSED: bool = false;
const LEFT_ROWS = true;
#include "include/tile.wgsl"

// Where a tile lies.
struct Source {
  left: u32,
  right: u32,
  row: u32,
  column: u32,
}

#if PORTABLE
fn loadLeft(source: Source, firstK: u32, invocation: u32) {
  const QUADS = DEPTH / 4u;
  let width = TILE_QUADS;
  for (var i = invocation; i < width * QUADS; i += INVOCATIONS) {
    let group = i / QUADS;
    let k = (i % QUADS) * 4u;
    let row = source.row + group * 4u;
    var quads: array<vec4<f32>, 4>;
    for (var j = 0u; j < 4u; j++) {
      quads[j] = leftQuad(source.left, row + j, firstK + k);
    }
    for (var j = 0u; j < 4u; j++) {
      putLeft((k + j) * width + group, vec4<f32>(quads[0][j], quads[1][j], quads[2][j], quads[3][j]));
    }
  }
}

fn loadRight(source: Source, firstK: u32, invocation: u32) {
  const QUADS = DEPTH / 4u;
  let width = TILE_QUADS;
  if TRANSPOSED {
    for (var i = invocation; i < width * QUADS; i += INVOCATIONS) {
      let group = i / QUADS;
      let k = (i % QUADS) * 4u;
      let column = source.column + group * 4u;
      var quads: array<vec4<f32>, 4>;
      for (var j = 0u; j < 4u; j++) {
        quads[j] = rightQuad(source.right, column + j, firstK + k);
      }
      for (var j = 0u; j < 4u; j++) {
        putRight((k + j) * width + group, vec4<f32>(quads[0][j], quads[1][j], quads[2][j], quads[3][j]));
      }
    }
  } else {
    for (var i = invocation; i < width * DEPTH; i += INVOCATIONS) {
      putRight(i, rightQuad(source.right, firstK + i / width, source.column + (i % width) * 4u));
    }
  }
}

fn addSlices(sums: ptr<function, Sums>, source: Source, first: u32, end: u32, invocation: u32) {
  for (var slice = first; slice < end; slice++) {
    loadLeft(source, slice * DEPTH, invocation);
    loadRight(source, slice * DEPTH, invocation);
    workgroupBarrier();
    addTiles(sums, invocation);
    workgroupBarrier();
  }
}
#else
fn fetchSlice(source: Source, slice: u32, invocation: u32) -> Share {
  const QUADS = DEPTH / 4u;
  let firstK = slice * DEPTH;
  var share: Share;
  for (var n = 0u; n < OWN_QUADS; n++) {
    let i = invocation + n * INVOCATIONS;
    let k = firstK + i % QUADS * 4u;
    share.left[n] = vec4<part>(leftQuad(source.left, source.row + i / QUADS, k));
    if TRANSPOSED {
      share.right[n] = vec4<part>(rightQuad(source.right, source.column + i / QUADS, k));
    } else {
      let column = source.column + i % TILE_QUADS * 4u;
      share.right[n] = vec4<part>(rightQuad(source.right, firstK + i / TILE_QUADS, column));
    }
  }
  return share;
}
#endif

@compute @workgroup_size(INVOCATIONS)
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
  let slab = owner / (params.ownerColumns * params.ownerRows);
  let batch = entryOf(slab);
  let slices = slicesOf(slab, (params.inner + DEPTH - 1u) / DEPTH);
  var sums: Sums;
  let source = Source(batch * params.leftBatch, batch * params.rightBatch, row, column);
  addSlices(&sums, source, slices.x, slices.y, invocation);
  storeSums(slab, &sums, row, column, invocation);
}
