// The tile of tile.wgsl by subgroup matrices: each of the subgroups of 32 invocations has ROWS x COLUMNS fragments of
// EDGE x EDGE elements of it, whose products it adds up together.
// MATRIX8: f32 operands; MATRIX16: operands of the buffers' type; sums are always kept in f32.
// EMULATED8, EMULATED16: the same with loops in place of the three builtins, for devices that have none: a fragment of an
// operand is its place in the tile, and every invocation keeps its share of a fragment of sums.
// While one slice is multiplied, the next one is on its way into registers. With two BUFFERS it is then stored beside the
// first and a slice takes one barrier, with one it takes two and half of the memory.
// Slices lie as the operands do in memory: the left one by rows where LEFT_ROWS, else by columns; the right one by
// columns where TRANSPOSED, else by rows. The including kernel declares both, and fetchSlice(source, slice, invocation).
override BUFFERS: u32 = 1u;

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
const DEPTH = EDGE;
const GROUP_ROWS = TILE / 32u;
const GROUP_COLUMNS = 2u;
// Dawn requires the x-dimension of a workgroup with subgroup matrices to be a multiple of the largest subgroup.
const INVOCATIONS = GROUP_ROWS * GROUP_COLUMNS * LANES;
const ROWS = TILE / EDGE / GROUP_ROWS;
const COLUMNS = TILE / EDGE / GROUP_COLUMNS;
const OWN = ROWS * COLUMNS;
const ELEMENTS = EDGE * EDGE;
const SLICE = TILE * DEPTH;
const OWN_QUADS = SLICE / 4u / INVOCATIONS;

var<workgroup> leftTile: array<part, BUFFERS * SLICE>;
var<workgroup> rightTile: array<part, BUFFERS * SLICE>;
// A fragment of every subgroup on its way out.
var<workgroup> staged: array<f32, GROUP_ROWS * GROUP_COLUMNS * ELEMENTS>;

// An invocation's share of a slice: the quads `invocation`, `invocation + INVOCATIONS`, .. of both sides.
struct Share {
  left: array<vec4<part>, OWN_QUADS>,
  right: array<vec4<part>, OWN_QUADS>,
}

#include "include/fragment_builtins.wgsl"

struct Sums {
  fragments: array<Fragment, OWN>,
}

fn putShare(share: Share, base: u32, invocation: u32) {
  var quads = share;
  for (var n = 0u; n < OWN_QUADS; n++) {
    let at = base + (invocation + n * INVOCATIONS) * 4u;
    let left = quads.left[n];
    leftTile[at] = left.x;
    leftTile[at + 1u] = left.y;
    leftTile[at + 2u] = left.z;
    leftTile[at + 3u] = left.w;
    let right = quads.right[n];
    rightTile[at] = right.x;
    rightTile[at + 1u] = right.y;
    rightTile[at + 2u] = right.z;
    rightTile[at + 3u] = right.w;
  }
}

fn addSlice(sums: ptr<function, Sums>, base: u32, invocation: u32) {
  let group = invocation / LANES;
  let row = group / GROUP_COLUMNS * ROWS * EDGE;
  let column = group % GROUP_COLUMNS * COLUMNS * EDGE;
  var lefts: array<LeftFragment, ROWS>;
  for (var i = 0u; i < ROWS; i++) {
    lefts[i] = leftFragment(base, row + i * EDGE);
  }
  for (var j = 0u; j < COLUMNS; j++) {
    let right = rightFragment(base, column + j * EDGE);
    for (var i = 0u; i < ROWS; i++) {
      let at = i * COLUMNS + j;
      (*sums).fragments[at] = multiplyAdd(lefts[i], right, (*sums).fragments[at], invocation % LANES);
    }
  }
}

// Adds the products of the slices first .. end - 1, of which there is one at least.
fn addSlices(sums: ptr<function, Sums>, source: Source, first: u32, end: u32, invocation: u32) {
  putShare(fetchSlice(source, first, invocation), 0u, invocation);
  workgroupBarrier();
  for (var slice = first; slice < end; slice++) {
    var next: Share;
    if slice + 1u < end {
      next = fetchSlice(source, slice + 1u, invocation);
    }
    addSlice(sums, (slice - first) % BUFFERS * SLICE, invocation);
    if BUFFERS == 1u {
      workgroupBarrier();
    }
    if slice + 1u < end {
      putShare(next, (slice + 1u - first) % BUFFERS * SLICE, invocation);
    }
    workgroupBarrier();
  }
}

// Hands the sums to storeQuad(slice, row, column, values) of the including kernel, four columns at a time.
fn storeSums(slice: u32, sums: ptr<function, Sums>, firstRow: u32, firstColumn: u32, invocation: u32) {
  const QUADS = EDGE / 4u;
  let group = invocation / LANES;
  let lane = invocation % LANES;
  let row = firstRow + group / GROUP_COLUMNS * ROWS * EDGE;
  let column = firstColumn + group % GROUP_COLUMNS * COLUMNS * EDGE;
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
