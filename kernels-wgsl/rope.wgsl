// Rotary positions (Su et al. 2021).
//
//   (output[l, h, a], output[l, h, b]) = (x0 c - x1 s, x0 s + x1 c),  c = cosines[l, j], s = sines[l, j]
//   where pair j is a = stride * j, b = a + reach: neighbours have stride 2 and reach 1, halves stride 1 and reach pairs
//
// input [L, heads, 2 * pairs], cosines and sines [L, pairs]. An invocation owns a pair. Cost: one read, one write.
// VEC: an invocation owns four pairs; count and pairs are those of four, reach and stride vec4s.
#variants F16? VEC?
#include "include/storage.wgsl"
#include "include/grid.wgsl"
#if VEC
alias element = vec4<scalar>;
alias V = vec4<f32>;
#else
alias element = scalar;
alias V = f32;
#endif

struct Params {
  count: u32,
  heads: u32,
  pairs: u32,
  stride: u32,
  reach: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> input: array<element>;
@group(0) @binding(2) var<storage, read> cosines: array<element>;
@group(0) @binding(3) var<storage, read> sines: array<element>;
@group(0) @binding(4) var<storage, read_write> output: array<element>;

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
  let c = V(cosines[at]);
  let s = V(sines[at]);
  let first = i / params.pairs * 2u * params.pairs + pair * params.stride;
  let second = first + params.reach;
#if VEC
  let near = V(input[first]);
  let far = V(input[second]);
  if params.stride == 2u {
    // Neighbours: both quads have two pairs each.
    let x0 = vec4<f32>(near.xz, far.xz);
    let x1 = vec4<f32>(near.yw, far.yw);
    let y0 = x0 * c - x1 * s;
    let y1 = x0 * s + x1 * c;
    output[first] = element(vec4<f32>(y0.x, y1.x, y0.y, y1.y));
    output[second] = element(vec4<f32>(y0.z, y1.z, y0.w, y1.w));
  } else {
    output[first] = element(near * c - far * s);
    output[second] = element(near * s + far * c);
  }
#else
  let x0 = V(input[first]);
  let x1 = V(input[second]);
  output[first] = scalar(x0 * c - x1 * s);
  output[second] = scalar(x0 * s + x1 * c);
#endif
}
