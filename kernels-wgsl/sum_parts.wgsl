// The sum of the parts of a product whose inner axis was divided (include/parts.wgsl), activated.
//
//   output[i] = activate(sum over p of partial[p, i])
//
// partial [parts, elements] in f32, output [elements]. Parts are added in their order, so that results do not depend on
// which workgroup ends first. Cost: every partial sum is read once.
// VEC: elements is a multiple of 4, and counted in fours.
#variants F16? VEC?
#include "include/storage.wgsl"
#include "include/grid.wgsl"
#if VEC
alias V = vec4<f32>;
alias element = vec4<scalar>;
#else
alias V = f32;
alias element = scalar;
#endif
#include "include/epilogue.wgsl"

struct Params {
  elements: u32,
  parts: u32,
  activation: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> partial: array<V>;
@group(0) @binding(2) var<storage, read_write> output: array<element>;

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_index) invocation: u32,
) {
  let i = workgroupNumber(id, count) * 256u + invocation;
  if i >= params.elements {
    return;
  }
  var sum = partial[i];
  for (var part = 1u; part < params.parts; part++) {
    sum += partial[part * params.elements + i];
  }
  output[i] = element(activate(params.activation, sum));
}
