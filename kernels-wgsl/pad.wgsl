// Zeros around a block: output[c] = input[c - before] where that lies inside `sizes`, zero elsewhere.
//
// rank axes (at most 8), all counted in units; input dense, output dense. An invocation owns a unit of the output.
// Cost: one read, one write.
#variants UNIT2|UNIT4|UNIT8|UNIT16
#include "include/units.wgsl"
#include "include/grid.wgsl"

struct Params {
  count: u32,
  outputSizes: array<vec4<u32>, 2>,
  sizes: array<vec4<u32>, 2>,
  before: array<vec4<u32>, 2>,
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
  var source = 0u;
  var stride = 1u;
  var inside = true;
  for (var axis = params.rank; axis > 0u; axis--) {
    let d = axis - 1u;
    let outputSize = params.outputSizes[d / 4u][d % 4u];
    let size = params.sizes[d / 4u][d % 4u];
    // Below `before` this wraps around to a number above every size.
    let coordinate = rest % outputSize - params.before[d / 4u][d % 4u];
    rest /= outputSize;
    inside = inside && coordinate < size;
    source += coordinate * stride;
    stride *= size;
  }
  var value = unit();
  if inside {
    value = input[source];
  }
  output[i] = value;
}
