// Matrix product of a few rows with a transposed weight: the layers that see one token, or one timestep.
//
//   output[m, n] = activate(sum over k of left[m, k] * right[n, k] + bias[n])
//
// left [rows, inner], right [columns, inner], bias [columns] when hasBias; output rows are outputStride apart and
// start at firstColumn. A workgroup owns 4 rows and COLUMNS columns; LANES invocations share a column and its inner
// axis. Cost: right is read once per 4 rows, which is what this product is bound by.
// QUANTIZED: right is a quantised matrix.
// VEC: inner is a multiple of 4 and read four at a time.
#variants F16? VEC? QUANTIZED?
#include "include/storage.wgsl"
#include "include/grid.wgsl"
alias V = vec4<f32>;
#include "include/epilogue.wgsl"

#if VEC
alias element = vec4<scalar>;
#else
alias element = scalar;
#endif

struct Params {
  workgroups: u32,
  rows: u32,
  columns: u32,
  inner: u32,
  columnTiles: u32,
  outputStride: u32,
  firstColumn: u32,
  hasBias: u32,
  activation: u32,
#if QUANTIZED
  groups: u32,
  hasZeroPoints: u32,
#endif
}

const LANES = 32u;
const COLUMNS = 4u;

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> left: array<element>;
#if QUANTIZED
@group(0) @binding(2) var<storage, read> bias: array<scalar>;
#include "include/quantized.wgsl"
@group(0) @binding(6) var<storage, read_write> output: array<scalar>;
#else
@group(0) @binding(2) var<storage, read> right: array<element>;
@group(0) @binding(3) var<storage, read> bias: array<scalar>;
@group(0) @binding(4) var<storage, read_write> output: array<scalar>;
#endif

// The sums of the 4 rows, one vec4 an invocation.
var<workgroup> partial: array<vec4<f32>, LANES * COLUMNS>;

// STEP elements from `k` on of a row of left, and of a row of right; zeros outside.
#if QUANTIZED
const STEP = 4u;

fn productSum(x: vec4<f32>, w: vec4<f32>) -> f32 {
  return dot(x, w);
}

fn leftElements(row: u32, k: u32) -> vec4<f32> {
  var quad = vec4<f32>();
  if row < params.rows {
    let at = row * params.inner + k;
#if VEC
    quad = vec4<f32>(left[at / 4u]);
#else
    for (var i = 0u; i < min(4u, params.inner - k); i++) {
      quad[i] = f32(left[at + i]);
    }
#endif
  }
  return quad;
}

fn rightElements(column: u32, k: u32) -> vec4<f32> {
  return quantizedQuad(column, k);
}
#else
#if VEC
const STEP = 4u;

fn productSum(x: vec4<f32>, w: vec4<f32>) -> f32 {
  return dot(x, w);
}

fn leftElements(row: u32, k: u32) -> vec4<f32> {
  if row >= params.rows {
    return vec4<f32>();
  }
  return vec4<f32>(left[(row * params.inner + k) / 4u]);
}

fn rightElements(column: u32, k: u32) -> vec4<f32> {
  return vec4<f32>(right[(column * params.inner + k) / 4u]);
}
#else
const STEP = 1u;

fn productSum(x: f32, w: f32) -> f32 {
  return x * w;
}

fn leftElements(row: u32, k: u32) -> f32 {
  if row >= params.rows {
    return 0.0;
  }
  return f32(left[row * params.inner + k]);
}

fn rightElements(column: u32, k: u32) -> f32 {
  return f32(right[column * params.inner + k]);
}
#endif
#endif

@compute @workgroup_size(LANES, COLUMNS)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_id) local: vec3<u32>,
  @builtin(local_invocation_index) invocation: u32,
) {
  let workgroup = workgroupNumber(id, count);
  if workgroup >= params.workgroups {
    return;
  }
  let column = workgroup % params.columnTiles * COLUMNS + local.y;
  let row = workgroup / params.columnTiles * 4u;
  var sums = vec4<f32>();
  if column < params.columns {
    for (var k = local.x * STEP; k < params.inner; k += LANES * STEP) {
      let w = rightElements(column, k);
      for (var j = 0u; j < 4u; j++) {
        sums[j] += productSum(leftElements(row + j, k), w);
      }
    }
  }
  partial[invocation] = sums;
  workgroupBarrier();
  for (var lanes = LANES / 2u; lanes > 0u; lanes /= 2u) {
    if local.x < lanes {
      partial[invocation] += partial[invocation + lanes];
    }
    workgroupBarrier();
  }
  if local.x == 0u && column < params.columns {
    var values = partial[invocation];
    if params.hasBias != 0u {
      values += vec4<f32>(f32(bias[params.firstColumn + column]));
    }
    values = activate(params.activation, values);
    for (var i = 0u; i < min(4u, params.rows - row); i++) {
      output[(row + i) * params.outputStride + params.firstColumn + column] = scalar(values[i]);
    }
  }
}
