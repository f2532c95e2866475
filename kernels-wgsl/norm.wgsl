// Normalisation along the middle axis of [outer, length, inner].
//
//   root mean square:  x * 1 / sqrt(mean(x^2) + eps) * weight
//   centred (layer norm):  (x - mean) / sqrt(mean((x - mean)^2) + eps) * weight + bias
//
// then activated (epilogue.wgsl). weight and bias [length] when hasWeight and hasBias. A workgroup owns COLUMNS columns of the length.
// Cost: the input is read twice (three times when centred), the second time mostly from cache.
#variants F16?
#include "include/storage.wgsl"
#include "include/grid.wgsl"
#include "include/columns.wgsl"
alias V = f32;
#include "include/epilogue.wgsl"

struct Params {
  workgroups: u32,
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
@group(0) @binding(1) var<storage, read> input: array<scalar>;
@group(0) @binding(2) var<storage, read> weight: array<scalar>;
@group(0) @binding(3) var<storage, read> bias: array<scalar>;
@group(0) @binding(4) var<storage, read_write> output: array<scalar>;

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
  let base = column / params.inner * params.length * params.inner + column % params.inner;
  let length = select(0u, params.length, column < params.columns);
  var mean = 0.0;
  if params.centred != 0u {
    var sum = 0.0;
    for (var i = lane; i < length; i += LANES) {
      sum += f32(input[base + i * params.inner]);
    }
    mean = overLanes(ADD, sum, invocation) / f32(params.length);
  }
  var squares = 0.0;
  for (var i = lane; i < length; i += LANES) {
    let x = f32(input[base + i * params.inner]) - mean;
    squares += x * x;
  }
  let factor = 1.0 / sqrt(overLanes(ADD, squares, invocation) / f32(params.length) + params.eps);
  for (var i = lane; i < length; i += LANES) {
    var y = (f32(input[base + i * params.inner]) - mean) * factor;
    if params.hasWeight != 0u {
      y *= f32(weight[i]);
    }
    if params.hasBias != 0u {
      y += f32(bias[i]);
    }
    output[base + i * params.inner] = scalar(activate(params.activation, y));
  }
}
