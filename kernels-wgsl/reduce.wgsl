// Sum, mean, maximum or minimum along the middle axis of [outer, length, inner] -> [outer, 1, inner].
//
// A workgroup owns COLUMNS columns. Cost: the input is read once.
#variants F16? SINGLE|ALONG|ACROSS
#include "include/storage.wgsl"
#include "include/grid.wgsl"
#include "include/columns.wgsl"

#if ACROSS
alias result = vec4<scalar>;
#else
alias result = scalar;
#endif

struct Params {
  workgroups: u32,
  // Columns and inner count four as one in ACROSS.
  columns: u32,
  length: u32,
  inner: u32,
  // What the combined value is multiplied by: 1 / length for the mean.
  factor: f32,
  how: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> input: array<element>;
@group(0) @binding(2) var<storage, read_write> output: array<result>;

@compute @workgroup_size(COLUMNS * LANES)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_index) invocation: u32,
) {
  let workgroup = workgroupNumber(id, count);
  if workgroup >= params.workgroups {
    return;
  }
  let column = workgroup * COLUMNS + invocation % COLUMNS;
  let lane = invocation / COLUMNS;
  let elements = params.length / EACH;
  let base = column / params.inner * elements * params.inner + column % params.inner;
  let length = select(0u, elements, column < params.columns);
  var value = V(0.0);
  if params.how != ADD {
    // Any element is a neutral start of a maximum or minimum; lanes beyond the length take the first.
    value = V(input[select(0u, base, column < params.columns)]);
  }
  for (var i = lane; i < length; i += LANES) {
    value = combine(params.how, value, V(input[base + i * params.inner]));
  }
  let combined = overLanes(params.how, value, invocation);
  if lane == 0u && column < params.columns {
    output[column] = result(combined * params.factor);
  }
}
