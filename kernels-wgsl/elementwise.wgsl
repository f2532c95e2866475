// A chain of elementwise operators in one pass: the compiler of programs puts the inputs, the loads and the expression
// of the chain in the three marked places.
//
//   output[i] = f(input0[offset0(i)], input1[offset1(i)], ..)
//
// Inputs are broadcast by strides of 0. `words` holds the count, then constants (bits of f32), sizes and strides in the
// order in which the generated lines read them. An invocation owns an element, or four neighbours when VEC.
// Cost: each input is read once, the output written once, whatever the length of the chain.
#variants F16? VEC?
#include "include/storage.wgsl"
#include "include/grid.wgsl"

#if VEC
alias V = vec4<f32>;
alias I = vec4<i32>;
alias element = vec4<scalar>;
#else
alias V = f32;
alias I = i32;
alias element = scalar;
#endif
#include "include/activation.wgsl"

struct Params {
  words: array<vec4<u32>, 24>,
}

@group(0) @binding(0) var<uniform> params: Params;
//@bindings

fn word(i: u32) -> u32 {
  return params.words[i / 4u][i % 4u];
}

fn constant(i: u32) -> V {
  return V(bitcast<f32>(word(i)));
}

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_index) invocation: u32,
) {
  let i = workgroupNumber(id, count) * 64u + invocation;
  if i >= word(0u) {
    return;
  }
//@loads
//@expression
}
