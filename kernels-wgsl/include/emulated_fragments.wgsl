// The builtins of subgroup matrices as loops.
alias Fragment = array<f32, ELEMENTS / LANES>;

fn leftFragment(at: u32) -> u32 {
  return at;
}

fn rightFragment(at: u32) -> u32 {
  return at;
}

fn multiplyAdd(left: u32, right: u32, before: Fragment, lane: u32) -> Fragment {
  var sums = before;
  for (var i = 0u; i < ELEMENTS / LANES; i++) {
    let element = i * LANES + lane;
    for (var k = 0u; k < EDGE; k++) {
      sums[i] += f32(leftTile[left + k * TILE + element / EDGE]) * f32(rightTile[right + k * TILE + element % EDGE]);
    }
  }
  return sums;
}

fn stage(place: u32, sums: Fragment, lane: u32) {
  for (var i = 0u; i < ELEMENTS / LANES; i++) {
    staged[place + i * LANES + lane] = sums[i];
  }
}
