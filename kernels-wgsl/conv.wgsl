// Convolution of frames (cross-correlation), as a matrix product whose right side is read out of the frames.
//
//   output[t, o, y, x] = bias[o] + sum over dt, dy, dx, c of
//     weight[dt, dy, dx, c, o] * input[t * strideT + dt, c, y * strideY + dy - padTop, x * strideX + dx - padLeft]
//
// input [T, channels, height, width], weight [taps, channels, outputs] (taps = depth * kernelHeight * kernelWidth,
// repacked from [O, C, kt, kh, kw] so that one tap is a plain matrix), bias [outputs] when hasBias, output
// [T', outputs, outHeight, outWidth]. Pixels outside a frame are zero. conv2d is the case of depth 1 with the batch as
// frames. A workgroup owns a tile of THREAD_ROWS * 4 * GROUPS outputs and THREAD_COLUMNS * 4 * GROUPS pixels of one
// frame. Cost: taps * channels * outputs * T' * outHeight * outWidth multiply-adds.
// VEC: outputs is a multiple of 4, weights are read four at a time.
#variants F16? VEC? WIDE?
#include "include/storage.wgsl"
#include "include/grid.wgsl"
#include "include/tile.wgsl"
#include "include/tile_store.wgsl"

#if VEC
alias weightElement = vec4<scalar>;
#else
alias weightElement = scalar;
#endif

struct Params {
  workgroups: u32,
  rowTiles: u32,
  columnTiles: u32,
  outputs: u32,
  channels: u32,
  height: u32,
  width: u32,
  depth: u32,
  kernelHeight: u32,
  kernelWidth: u32,
  strideT: u32,
  strideY: u32,
  strideX: u32,
  padTop: u32,
  padLeft: u32,
  outHeight: u32,
  outWidth: u32,
  hasBias: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> input: array<scalar>;
@group(0) @binding(2) var<storage, read> weight: array<weightElement>;
@group(0) @binding(3) var<storage, read> bias: array<scalar>;
@group(0) @binding(4) var<storage, read_write> output: array<scalar>;

var<private> outputFrame: u32;

fn weightQuad(tap: u32, channel: u32, o: u32) -> vec4<f32> {
  var quad = vec4<f32>();
  if channel < params.channels && o < params.outputs {
    let at = (tap * params.channels + channel) * params.outputs + o;
#if VEC
    quad = vec4<f32>(weight[at / 4u]);
#else
    for (var i = 0u; i < 4u; i++) {
      if o + i < params.outputs {
        quad[i] = f32(weight[at + i]);
      }
    }
#endif
  }
  return quad;
}

fn loadWeights(tap: u32, firstChannel: u32, firstOutput: u32, invocation: u32) {
  let width = THREAD_ROWS * GROUPS;
  for (var i = invocation; i < width * DEPTH; i += THREAD_ROWS * THREAD_COLUMNS) {
    leftTile[i] = weightQuad(tap, firstChannel + i / width, firstOutput + (i % width) * 4u);
  }
}

// Where the four pixels of an invocation lie in a plane of the input under one tap; -1 outside.
fn pixelOffsets(y: vec4<u32>, x: vec4<u32>, dy: u32, dx: u32) -> vec4<i32> {
  let row = vec4<i32>(y * params.strideY + dy) - i32(params.padTop);
  let column = vec4<i32>(x * params.strideX + dx) - i32(params.padLeft);
  let inside = (row >= vec4<i32>()) & (row < vec4<i32>(i32(params.height))) & (column >= vec4<i32>()) &
    (column < vec4<i32>(i32(params.width))) & (y < vec4<u32>(params.outHeight));
  return select(vec4<i32>(-1), row * i32(params.width) + column, inside);
}

fn pixel(plane: u32, offset: i32) -> f32 {
  if offset < 0 {
    return 0.0;
  }
  return f32(input[plane + u32(offset)]);
}

fn loadPixels(frame: u32, firstChannel: u32, offsets: vec4<i32>, invocation: u32) {
  let width = THREAD_COLUMNS * GROUPS;
  for (var i = invocation; i < width * DEPTH; i += THREAD_ROWS * THREAD_COLUMNS) {
    let channel = firstChannel + i / width;
    var quad = vec4<f32>();
    if channel < params.channels {
      let plane = (frame * params.channels + channel) * params.height * params.width;
      for (var j = 0u; j < 4u; j++) {
        quad[j] = pixel(plane, offsets[j]);
      }
    }
    rightTile[i] = quad;
  }
}

fn storeQuad(o: u32, column: u32, sums: vec4<f32>) {
  let pixels = params.outHeight * params.outWidth;
  if o >= params.outputs {
    return;
  }
  var values = sums;
  if params.hasBias != 0u {
    values += vec4<f32>(f32(bias[o]));
  }
  let at = (outputFrame * params.outputs + o) * pixels + column;
  for (var i = 0u; i < 4u; i++) {
    if column + i < pixels {
      output[at + i] = scalar(values[i]);
    }
  }
}

@compute @workgroup_size(THREAD_COLUMNS, THREAD_ROWS)
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
  let tileColumn = workgroup % params.columnTiles;
  let tileRow = workgroup / params.columnTiles % params.rowTiles;
  outputFrame = workgroup / (params.columnTiles * params.rowTiles);
  // An invocation loads the same four pixels for every tap and channel: the group width divides the workgroup.
  let group = tileColumn * THREAD_COLUMNS * GROUPS + invocation % (THREAD_COLUMNS * GROUPS);
  let first = vec4<u32>(group * 4u) + vec4<u32>(0u, 1u, 2u, 3u);
  let y = first / params.outWidth;
  let x = first % params.outWidth;
  let firstOutput = tileRow * THREAD_ROWS * GROUPS * 4u;
  var sums: Sums;
  var tap = 0u;
  for (var dt = 0u; dt < params.depth; dt++) {
    let frame = outputFrame * params.strideT + dt;
    for (var dy = 0u; dy < params.kernelHeight; dy++) {
      for (var dx = 0u; dx < params.kernelWidth; dx++) {
        let offsets = pixelOffsets(y, x, dy, dx);
        for (var channel = 0u; channel < params.channels; channel += DEPTH) {
          loadWeights(tap, channel, firstOutput, invocation);
          loadPixels(frame, channel, offsets, invocation);
          workgroupBarrier();
          sums = addTiles(sums, local.xy);
          workgroupBarrier();
        }
        tap++;
      }
    }
  }
  storeSums(sums, tileRow, tileColumn, local.xy);
}
