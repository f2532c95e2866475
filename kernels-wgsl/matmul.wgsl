// Matrix product with bias and activation, for results too small to fill a GPU with large tiles.
//
//   output[b, m, n] = activate(sum over k of left[b, m, k] * right[b, k, n] + bias[n])
//
// left [batch, rows, inner], right [batch, inner, columns], or [batch, columns, inner] when transposeRight, either
// batch possibly one that is shared; bias [columns] when hasBias; output rows are outputStride apart and start at
// firstColumn, so that a weight too large for one binding is multiplied in parts.
// An invocation owns 4 rows and 4 columns and keeps them in registers; neighbours share what they read through the
// cache. Cost: rows * columns * inner multiply-adds; two reads of four elements for every 16 of them.
// QUANTIZED: right is taken apart by every invocation that reads it.
// VEC: inner, columns and outputStride are multiples of 4, everything is read and written four at a time.
#variants F16? VEC? QUANTIZED?
#include "include/matmul_operands.wgsl"

// Four rows of four elements.
struct Block {
  r0: vec4<f32>,
  r1: vec4<f32>,
  r2: vec4<f32>,
  r3: vec4<f32>,
}

// sums + l r^T
fn addDotProducts(sums: Block, l: Block, r: Block) -> Block {
  return Block(
    sums.r0 + vec4<f32>(dot(l.r0, r.r0), dot(l.r0, r.r1), dot(l.r0, r.r2), dot(l.r0, r.r3)),
    sums.r1 + vec4<f32>(dot(l.r1, r.r0), dot(l.r1, r.r1), dot(l.r1, r.r2), dot(l.r1, r.r3)),
    sums.r2 + vec4<f32>(dot(l.r2, r.r0), dot(l.r2, r.r1), dot(l.r2, r.r2), dot(l.r2, r.r3)),
    sums.r3 + vec4<f32>(dot(l.r3, r.r0), dot(l.r3, r.r1), dot(l.r3, r.r2), dot(l.r3, r.r3)),
  );
}

// sums + l r
fn addProducts(sums: Block, l: Block, r: Block) -> Block {
  return Block(
    sums.r0 + l.r0.x * r.r0 + l.r0.y * r.r1 + l.r0.z * r.r2 + l.r0.w * r.r3,
    sums.r1 + l.r1.x * r.r0 + l.r1.y * r.r1 + l.r1.z * r.r2 + l.r1.w * r.r3,
    sums.r2 + l.r2.x * r.r0 + l.r2.y * r.r1 + l.r2.z * r.r2 + l.r2.w * r.r3,
    sums.r3 + l.r3.x * r.r0 + l.r3.y * r.r1 + l.r3.z * r.r2 + l.r3.w * r.r3,
  );
}

#if QUANTIZED
#else
#if VEC
fn leftAt(i: u32) -> vec4<f32> {
  return vec4<f32>(left[i]);
}

fn rightAt(i: u32) -> vec4<f32> {
  return vec4<f32>(right[i]);
}
#endif
#endif

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_index) invocation: u32,
) {
  let owner = workgroupNumber(id, count) * 64u + invocation;
  if owner >= params.owners {
    return;
  }
  let column = owner % params.ownerColumns * 4u;
  let row = owner / params.ownerColumns % params.ownerRows * 4u;
  let batch = owner / (params.ownerColumns * params.ownerRows);
  let leftBase = batch * params.leftBatch;
  let rightBase = batch * params.rightBatch;
#if QUANTIZED
  var sums: Block;
  for (var k = 0u; k < params.inner; k += 4u) {
    let l = Block(
      leftQuad(leftBase, row, k),
      leftQuad(leftBase, row + 1u, k),
      leftQuad(leftBase, row + 2u, k),
      leftQuad(leftBase, row + 3u, k),
    );
    let r = Block(
      quantizedQuad(column, k),
      quantizedQuad(column + 1u, k),
      quantizedQuad(column + 2u, k),
      quantizedQuad(column + 3u, k),
    );
    sums = addDotProducts(sums, l, r);
  }
#else
#if VEC
  // Rows beyond the last read the last one; their sums are not stored.
  let lastRow = vec4<u32>(params.rows - 1u);
  let rows = (leftBase + min(vec4<u32>(row, row + 1u, row + 2u, row + 3u), lastRow) * params.inner) / 4u;
  let quads = params.inner / 4u;
  var sums: Block;
  if params.transposeRight != 0u {
    let right0 = (rightBase + column * params.inner) / 4u;
    for (var i = 0u; i < quads; i++) {
      let at = right0 + i;
      sums = addDotProducts(
        sums,
        Block(leftAt(rows.x + i), leftAt(rows.y + i), leftAt(rows.z + i), leftAt(rows.w + i)),
        Block(rightAt(at), rightAt(at + quads), rightAt(at + 2u * quads), rightAt(at + 3u * quads)),
      );
    }
  } else {
    let right0 = (rightBase + column) / 4u;
    let step = params.columns / 4u;
    for (var i = 0u; i < quads; i++) {
      let at = right0 + i * params.columns;
      sums = addProducts(
        sums,
        Block(leftAt(rows.x + i), leftAt(rows.y + i), leftAt(rows.z + i), leftAt(rows.w + i)),
        Block(rightAt(at), rightAt(at + step), rightAt(at + 2u * step), rightAt(at + 3u * step)),
      );
    }
  }
#else
  var sums: Block;
  for (var k = 0u; k < params.inner; k += 4u) {
    let l = Block(
      leftQuad(leftBase, row, k),
      leftQuad(leftBase, row + 1u, k),
      leftQuad(leftBase, row + 2u, k),
      leftQuad(leftBase, row + 3u, k),
    );
    if params.transposeRight != 0u {
      let r = Block(
        rightQuad(rightBase, column, k),
        rightQuad(rightBase, column + 1u, k),
        rightQuad(rightBase, column + 2u, k),
        rightQuad(rightBase, column + 3u, k),
      );
      sums = addDotProducts(sums, l, r);
    } else {
      let r = Block(
        rightQuad(rightBase, k, column),
        rightQuad(rightBase, k + 1u, column),
        rightQuad(rightBase, k + 2u, column),
        rightQuad(rightBase, k + 3u, column),
      );
      sums = addProducts(sums, l, r);
    }
  }
#endif
#endif
  let rowSums = array<vec4<f32>, 4>(sums.r0, sums.r1, sums.r2, sums.r3);
  for (var i = 0u; i < 4u; i++) {
    storeQuad(batch, row + i, column, rowSums[i]);
  }
}
