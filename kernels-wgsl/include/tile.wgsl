// A workgroup's tile of a matrix product: slices of DEPTH inner elements are in workgroup memory, and their products are
// added up in registers. A tile has TILE rows and columns: 128, or 64 (SMALL) where 128 would leave processors idle.
// PORTABLE: by outer products, every invocation has 8 x 8 elements. The left slice lies as columns and the right one as
// rows; quad g of a column of the left slice holds the rows 4g .. 4g + 3 of the tile. Else by fragments, see
// fragments.wgsl.
#if SMALL
const TILE = 64u;
#else
const TILE = 128u;
#endif
const TILE_QUADS = TILE / 4u;

#if PORTABLE
const DEPTH = 16u;
const THREADS = TILE / 8u;
const INVOCATIONS = THREADS * THREADS;

var<workgroup> leftTile: array<vec4<f32>, TILE_QUADS * DEPTH>;
var<workgroup> rightTile: array<vec4<f32>, TILE_QUADS * DEPTH>;

fn putLeft(quad: u32, values: vec4<f32>) {
  leftTile[quad] = values;
}

fn putRight(quad: u32, values: vec4<f32>) {
  rightTile[quad] = values;
}

// 4 rows of 4 columns.
struct Block {
  r0: vec4<f32>,
  r1: vec4<f32>,
  r2: vec4<f32>,
  r3: vec4<f32>,
}

fn addOuterProduct(b: Block, left: vec4<f32>, right: vec4<f32>) -> Block {
  return Block(
    b.r0 + left.x * right,
    b.r1 + left.y * right,
    b.r2 + left.z * right,
    b.r3 + left.w * right,
  );
}

// What one invocation owns: block bij lies i * TILE / 2 rows and j * TILE / 2 columns further than block
// b00.
struct Sums {
  b00: Block,
  b01: Block,
  b10: Block,
  b11: Block,
}

fn addTiles(sums: ptr<function, Sums>, invocation: u32) {
  let thread = vec2<u32>(invocation % THREADS, invocation / THREADS);
  var s = *sums;
  for (var k = 0u; k < DEPTH; k++) {
    let left = k * TILE_QUADS + thread.y;
    let right = k * TILE_QUADS + thread.x;
    let l0 = leftTile[left];
    let l1 = leftTile[left + THREADS];
    let r0 = rightTile[right];
    let r1 = rightTile[right + THREADS];
    s.b00 = addOuterProduct(s.b00, l0, r0);
    s.b01 = addOuterProduct(s.b01, l0, r1);
    s.b10 = addOuterProduct(s.b10, l1, r0);
    s.b11 = addOuterProduct(s.b11, l1, r1);
  }
  *sums = s;
}

// Hands the sums to storeQuad(slice, row, column, values) of the including kernel, four columns at a time.
fn storeSums(slice: u32, sums: ptr<function, Sums>, firstRow: u32, firstColumn: u32, invocation: u32) {
  let thread = vec2<u32>(invocation % THREADS, invocation / THREADS);
  let s = *sums;
  var quads = array<vec4<f32>, 16>(
    s.b00.r0, s.b00.r1, s.b00.r2, s.b00.r3,
    s.b01.r0, s.b01.r1, s.b01.r2, s.b01.r3,
    s.b10.r0, s.b10.r1, s.b10.r2, s.b10.r3,
    s.b11.r0, s.b11.r1, s.b11.r2, s.b11.r3,
  );
  for (var i = 0u; i < 16u; i++) {
    let row = firstRow + thread.y * 4u + i / 8u * (TILE / 2u) + i % 4u;
    let column = firstColumn + thread.x * 4u + i / 4u % 2u * (TILE / 2u);
    storeQuad(slice, row, column, quads[i]);
  }
}
#else
#include "include/fragments.wgsl"
#endif
