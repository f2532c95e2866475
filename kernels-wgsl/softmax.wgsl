// Softmax along the rows of [columns, length]: e^(x - max) / sum of e^(x - max).
//
// A workgroup owns COLUMNS rows (the last axis is `length`, inner is 1). Cost: the input is read three times, the last
// two mostly from cache.
#variants F16? SINGLE|ALONG
#include "include/storage.wgsl"
#include "include/grid.wgsl"
#include "include/columns.wgsl"

struct Params {
  workgroups: u32,
  columns: u32,
  length: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> input: array<element>;
@group(0) @binding(2) var<storage, read_write> output: array<element>;

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
  let length = select(0u, params.length / EACH, column < params.columns);
  let base = column * (params.length / EACH);
  var highest = V(-3.4028234e38);
  for (var i = lane; i < length; i += LANES) {
    highest = max(highest, V(input[base + i]));
  }
  let maximum = overLanes(MAXIMUM, highest, invocation);
  var sum = V(0.0);
  for (var i = lane; i < length; i += LANES) {
    sum += exp(V(input[base + i]) - V(maximum));
  }
  let divisor = overLanes(ADD, sum, invocation);
  for (var i = lane; i < length; i += LANES) {
    output[base + i] = element(exp(V(input[base + i]) - V(maximum)) / divisor);
  }
}
