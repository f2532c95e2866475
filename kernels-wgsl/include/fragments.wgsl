// The tile of tile.wgsl by subgroup matrices: each of 8 subgroups of 32 invocations has ROWS x COLUMNS fragments of
// EDGE x EDGE elements of it, whose products it adds up together.
// MATRIX8: f32 operands; MATRIX16: operands of the buffers' type; sums are always kept in f32.
// EMULATED8, EMULATED16: the same with loops in place of the three builtins, for devices that have none: a fragment of an
// operand is its place in the tile, and every invocation keeps its share of a fragment of sums.
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
const ROWS = TILE / EDGE / 4u;
const COLUMNS = TILE / EDGE / 2u;
const OWN = ROWS * COLUMNS;
const ELEMENTS = EDGE * EDGE;

var<workgroup> leftTile: array<part, 2048>;
var<workgroup> rightTile: array<part, 2048>;
// A fragment of every subgroup on its way out.
var<workgroup> staged: array<f32, 8u * ELEMENTS>;

fn putLeft(quad: u32, values: vec4<f32>) {
  for (var i = 0u; i < 4u; i++) {
    leftTile[quad * 4u + i] = part(values[i]);
  }
}

fn putRight(quad: u32, values: vec4<f32>) {
  for (var i = 0u; i < 4u; i++) {
    rightTile[quad * 4u + i] = part(values[i]);
  }
}

#include "include/fragment_builtins.wgsl"

struct Sums {
  fragments: array<Fragment, OWN>,
}

fn addTiles(sums: ptr<function, Sums>, invocation: u32) {
  let group = invocation / LANES;
  let left = group / 2u * ROWS * EDGE;
  let right = group % 2u * COLUMNS * EDGE;
  for (var k = 0u; k < DEPTH; k += EDGE) {
    for (var i = 0u; i < ROWS; i++) {
      let l = leftFragment(k * TILE + left + i * EDGE);
      for (var j = 0u; j < COLUMNS; j++) {
        let r = rightFragment(k * TILE + right + j * EDGE);
        let at = i * COLUMNS + j;
        (*sums).fragments[at] = multiplyAdd(l, r, (*sums).fragments[at], invocation % LANES);
      }
    }
  }
}

// Hands the sums to storeQuad(slice, row, column, values) of the including kernel, four columns at a time.
fn storeSums(slice: u32, sums: ptr<function, Sums>, firstRow: u32, firstColumn: u32, invocation: u32) {
  const QUADS = EDGE / 4u;
  let group = invocation / LANES;
  let lane = invocation % LANES;
  let row = firstRow + group / 2u * ROWS * EDGE;
  let column = firstColumn + group % 2u * COLUMNS * EDGE;
  let place = group * ELEMENTS;
  for (var i = 0u; i < OWN; i++) {
    stage(place, (*sums).fragments[i], lane);
    workgroupBarrier();
    for (var quad = lane; quad < ELEMENTS / 4u; quad += LANES) {
      let at = place + quad * 4u;
      storeQuad(
        slice,
        row + i / COLUMNS * EDGE + quad / QUADS,
        column + i % COLUMNS * EDGE + quad % QUADS * 4u,
        vec4<f32>(staged[at], staged[at + 1u], staged[at + 2u], staged[at + 3u]),
      );
    }
    workgroupBarrier();
  }
}
