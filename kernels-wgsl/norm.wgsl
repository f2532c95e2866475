// Normalisation along the middle axis of [outer, length, inner].
//
//   root mean square:  x * 1 / sqrt(mean(x^2) + eps) * weight
//   centred (layer norm):  (x - mean) / sqrt(mean((x - mean)^2) + eps) * weight + bias
//
// then activated (epilogue.wgsl). weight and bias [length] when hasWeight and hasBias. A workgroup owns COLUMNS columns
// of the length.
// Cost: the input is read twice (three times when centred), the second time mostly from cache.
#variants F16? SINGLE|ALONG|ACROSS
#include "include/storage.wgsl"
#include "include/grid.wgsl"
#include "include/columns.wgsl"
#include "include/epilogue.wgsl"

// A weight is one of a column's elements.
#if ALONG
alias factor = vec4<scalar>;
alias factored = vec4<f32>;
#else
alias factor = scalar;
alias factored = f32;
#endif

struct Params {
  workgroups: u32,
  // Columns and inner count four as one in ACROSS.
  columns: u32,
  length: u32,
  inner: u32,
  eps: f32,
  centred: u32,
  hasWeight: u32,
  hasBias: u32,
  activation: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> input: array<element>;
@group(0) @binding(2) var<storage, read> weight: array<factor>;
@group(0) @binding(3) var<storage, read> bias: array<factor>;
@group(0) @binding(4) var<storage, read_write> output: array<element>;

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
  var mean = V();
  if params.centred != 0u {
    var sum = V();
    for (var i = lane; i < length; i += LANES) {
      sum += V(input[base + i * params.inner]);
    }
    mean = V(overLanes(ADD, sum, invocation) / f32(params.length));
  }
  var squares = V();
  for (var i = lane; i < length; i += LANES) {
    let x = V(input[base + i * params.inner]) - mean;
    squares += x * x;
  }
  let deviation = sqrt(overLanes(ADD, squares, invocation) / f32(params.length) + total(params.eps));
  let scale = V(total(1.0) / deviation);
  for (var i = lane; i < length; i += LANES) {
    var y = (V(input[base + i * params.inner]) - mean) * scale;
    if params.hasWeight != 0u {
      y *= V(factored(weight[i]));
    }
    if params.hasBias != 0u {
      y += V(factored(bias[i]));
    }
    output[base + i * params.inner] = element(activate(params.activation, y));
  }
}
