// Picks along an axis: output[o, i, :] = input[o, indices[i], :].
//
// input [outer, rows, inner], indices [picks], output [outer, picks, inner]; inner is counted in units. The binding may
// hold only the rows from firstRow on: picks of other rows are left alone, so that a table too large for one binding is
// read in parts. An invocation owns a unit of the output. Cost: one read, one write.
#variants UNIT2|UNIT4|UNIT8|UNIT16
#include "include/units.wgsl"
#include "include/grid.wgsl"

struct Params {
  count: u32,
  firstRow: u32,
  rows: u32,
  picks: u32,
  inner: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> input: array<unit>;
@group(0) @binding(2) var<storage, read> indices: array<i32>;
@group(0) @binding(3) var<storage, read_write> output: array<unit>;

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
  let pick = i / params.inner % params.picks;
  let outer = i / (params.inner * params.picks);
  let row = u32(indices[pick]) - params.firstRow;
  if row < params.rows {
    output[i] = input[(outer * params.rows + row) * params.inner + i % params.inner];
  }
}
