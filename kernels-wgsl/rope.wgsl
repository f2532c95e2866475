// Rotary positions (Su et al. 2021).
//
//   (output[l, h, a], output[l, h, b]) = (x0 c - x1 s, x0 s + x1 c),  c = cosines[l, j], s = sines[l, j]
//   where pair j is a = stride * j, b = a + reach: neighbours have stride 2 and reach 1, halves stride 1 and reach pairs
//
// input [L, heads, 2 * pairs], cosines and sines [L, pairs]. An invocation owns a pair. Cost: one read, one write.
#variants F16?
#include "include/storage.wgsl"
#include "include/grid.wgsl"

struct Params {
  count: u32,
  heads: u32,
  pairs: u32,
  stride: u32,
  reach: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> input: array<scalar>;
@group(0) @binding(2) var<storage, read> cosines: array<scalar>;
@group(0) @binding(3) var<storage, read> sines: array<scalar>;
@group(0) @binding(4) var<storage, read_write> output: array<scalar>;

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_index) invocation: u32,
) {
  let i = workgroupNumber(id, count) * 64u + invocation;
  if i >= params.count {
    return;
  }
  let pair = i % params.pairs;
  let at = i / (params.heads * params.pairs) * params.pairs + pair;
  let c = f32(cosines[at]);
  let s = f32(sines[at]);
  let first = i / params.pairs * 2u * params.pairs + pair * params.stride;
  let second = first + params.reach;
  let x0 = f32(input[first]);
  let x1 = f32(input[second]);
  output[first] = scalar(x0 * c - x1 * s);
  output[second] = scalar(x0 * s + x1 * c);
}
