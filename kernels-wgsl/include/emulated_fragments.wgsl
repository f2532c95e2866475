// The builtins of subgroup matrices as loops.
alias LeftFragment = u32;
alias Fragment = array<f32, ELEMENTS / LANES>;

fn leftFragment(base: u32, row: u32) -> u32 {
  return base + row * select(1u, DEPTH, LEFT_ROWS);
}

fn rightFragment(base: u32, column: u32) -> u32 {
  return base + column * select(1u, DEPTH, TRANSPOSED);
}

fn multiplyAdd(left: u32, right: u32, before: Fragment, lane: u32) -> Fragment {
  let leftRow = select(1u, DEPTH, LEFT_ROWS);
  let leftK = select(TILE, 1u, LEFT_ROWS);
  let rightColumn = select(1u, DEPTH, TRANSPOSED);
  let rightK = select(TILE, 1u, TRANSPOSED);
  var sums = before;
  for (var i = 0u; i < ELEMENTS / LANES; i++) {
    let element = i * LANES + lane;
    let l = left + element / EDGE * leftRow;
    let r = right + element % EDGE * rightColumn;
    for (var k = 0u; k < EDGE; k++) {
      sums[i] += f32(leftTile[l + k * leftK]) * f32(rightTile[r + k * rightK]);
    }
  }
  return sums;
}

fn stage(place: u32, sums: Fragment, lane: u32) {
  for (var i = 0u; i < ELEMENTS / LANES; i++) {
    staged[place + i * LANES + lane] = sums[i];
  }
}
