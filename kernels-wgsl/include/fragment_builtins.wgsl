// Fragments and what is done with them: by the builtins of Dawn, or by loops.
#if EMULATED8
#include "include/emulated_fragments.wgsl"
#else
#if EMULATED16
#include "include/emulated_fragments.wgsl"
#else
alias LeftFragment = subgroup_matrix_left<part, EDGE, EDGE>;
alias RightFragment = subgroup_matrix_right<part, EDGE, EDGE>;
alias Fragment = subgroup_matrix_result<f32, EDGE, EDGE>;

fn leftFragment(at: u32) -> LeftFragment {
  return subgroupMatrixLoad<LeftFragment, col_major>(&leftTile, at, TILE);
}

fn rightFragment(at: u32) -> RightFragment {
  return subgroupMatrixLoad<RightFragment, row_major>(&rightTile, at, TILE);
}

fn multiplyAdd(left: LeftFragment, right: RightFragment, before: Fragment, lane: u32) -> Fragment {
  return subgroupMatrixMultiplyAccumulate(left, right, before);
}

fn stage(place: u32, sums: Fragment, lane: u32) {
  subgroupMatrixStore<row_major>(&staged, place, sums, EDGE);
}
#endif
#endif
