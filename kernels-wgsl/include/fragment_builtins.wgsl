// Fragments and their operations: by the builtins of Dawn, or by loops.
#if EMULATED8
#include "include/emulated_fragments.wgsl"
#else
#if EMULATED16
#include "include/emulated_fragments.wgsl"
#else
alias LeftFragment = subgroup_matrix_left<part, EDGE, EDGE>;
alias RightFragment = subgroup_matrix_right<part, EDGE, EDGE>;
alias Fragment = subgroup_matrix_result<f32, EDGE, EDGE>;

fn leftFragment(base: u32, row: u32) -> LeftFragment {
  if LEFT_ROWS {
    return subgroupMatrixLoad<LeftFragment, row_major>(&leftTile, base + row * DEPTH, DEPTH);
  }
  return subgroupMatrixLoad<LeftFragment, col_major>(&leftTile, base + row, TILE);
}

fn rightFragment(base: u32, column: u32) -> RightFragment {
  if TRANSPOSED {
    return subgroupMatrixLoad<RightFragment, col_major>(&rightTile, base + column * DEPTH, DEPTH);
  }
  return subgroupMatrixLoad<RightFragment, row_major>(&rightTile, base + column, TILE);
}

fn multiplyAdd(left: LeftFragment, right: RightFragment, before: Fragment, lane: u32) -> Fragment {
  return subgroupMatrixMultiplyAccumulate(left, right, before);
}

fn stage(place: u32, sums: Fragment, lane: u32) {
  subgroupMatrixStore<row_major>(&staged, place, sums, EDGE);
}
#endif
#endif
