// Copies a block between two strided layouts: transpose, slice, broadcast, nearest upsampling, and each part of a
// concatenation are all this.
//
//   output[outputStart + sum of c_d * outputStrides_d] = input[inputStart + sum of c_d * inputStrides_d]
//
// for every coordinate c below sizes, rank axes (at most 8), all counted in units. An invocation owns a unit.
// Cost: one read, one write.
#variants UNIT2|UNIT4|UNIT8|UNIT16
#include "include/units.wgsl"
#include "include/grid.wgsl"

struct Params {
  count: u32,
  inputStart: u32,
  outputStart: u32,
  sizes: array<vec4<u32>, 2>,
  inputStrides: array<vec4<u32>, 2>,
  outputStrides: array<vec4<u32>, 2>,
  rank: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> input: array<unit>;
@group(0) @binding(2) var<storage, read_write> output: array<unit>;

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
  var rest = i;
  var source = params.inputStart;
  var destination = params.outputStart;
  for (var axis = params.rank; axis > 0u; axis--) {
    let d = axis - 1u;
    let size = params.sizes[d / 4u][d % 4u];
    let coordinate = rest % size;
    rest /= size;
    source += coordinate * params.inputStrides[d / 4u][d % 4u];
    destination += coordinate * params.outputStrides[d / 4u][d % 4u];
  }
  output[destination] = input[source];
}
