// A workgroup's tile of a matrix product, by outer products: two slices of DEPTH inner elements lie in workgroup
// memory, the left one as columns and the right one as rows, both in vec4s, and every invocation adds the products of
// 4 x 4 elements (8 x 8 when WIDE) in registers. Vec4 g of the left slice holds the rows 4g .. 4g + 3 of the tile.
override THREAD_ROWS: u32 = 16u;
override THREAD_COLUMNS: u32 = 16u;
const DEPTH = 16u;
#if WIDE
const GROUPS = 2u;
#else
const GROUPS = 1u;
#endif

var<workgroup> leftTile: array<vec4<f32>, THREAD_ROWS * GROUPS * DEPTH>;
var<workgroup> rightTile: array<vec4<f32>, THREAD_COLUMNS * GROUPS * DEPTH>;

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

// What one invocation owns: block (i, j) lies i * THREAD_ROWS * 4 rows and j * THREAD_COLUMNS * 4 columns further.
struct Sums {
  b00: Block,
#if WIDE
  b01: Block,
  b10: Block,
  b11: Block,
#endif
}

fn addTiles(before: Sums, thread: vec2<u32>) -> Sums {
  var s = before;
  for (var k = 0u; k < DEPTH; k++) {
    let left = k * THREAD_ROWS * GROUPS + thread.y;
    let right = k * THREAD_COLUMNS * GROUPS + thread.x;
    let l0 = leftTile[left];
    let r0 = rightTile[right];
    s.b00 = addOuterProduct(s.b00, l0, r0);
#if WIDE
    let l1 = leftTile[left + THREAD_ROWS];
    let r1 = rightTile[right + THREAD_COLUMNS];
    s.b01 = addOuterProduct(s.b01, l0, r1);
    s.b10 = addOuterProduct(s.b10, l1, r0);
    s.b11 = addOuterProduct(s.b11, l1, r1);
#endif
  }
  return s;
}
