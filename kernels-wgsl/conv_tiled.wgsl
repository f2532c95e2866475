// Convolution of frames (cross-correlation), as a matrix product whose right side is read out of the frames: for
// results large enough to fill a GPU with tiles.
//
//   output[t, o, y, x] = bias[o] + sum over dt, dy, dx, c of
//     weight[dt, dy, dx, c, o] * input[t * strideT + dt, c, y * strideY + dy - padTop, x * strideX + dx - padLeft]
//
// input [T, channels, height, width], weight [taps, channels, outputs] (taps = depth * kernelHeight * kernelWidth,
// repacked from [O, C, kt, kh, kw] so that one tap is a plain matrix), bias [outputs] when hasBias, output
// [T', outputs, outHeight, outWidth]. Pixels outside a frame are zero. conv2d is the case of depth 1 with the batch as
// frames. An input that is enlarged by nearest neighbours is read where it is small: y and x are divided by the scale.
// PHASES: it is enlarged twice under a 3x3 kernel, see conv_operands.wgsl; the weights are those of four 2x2 kernels.
// PAST: the first pastFrames frames lie in a binding of their own.
// A residual of the output's shape may be added, and the sum activated, before it is stored.
// A workgroup owns a tile of 128 outputs and 128 pixels of one frame, an invocation 8 outputs and 8 pixels of it.
// Cost: taps * channels * outputs * T' * outHeight * outWidth multiply-adds; frames are read once per tap and row of
// tiles, weights once per column of tiles.
// VEC: outputs is a multiple of 4, weights are read four at a time.
#variants F16? VEC? PAST? PHASES? PORTABLE|MATRIX8|MATRIX16|EMULATED8|EMULATED16
#include "include/conv_operands.wgsl"
#include "include/tile.wgsl"

fn loadWeights(tap: u32, firstChannel: u32, firstOutput: u32, invocation: u32) {
  for (var i = invocation; i < TILE_QUADS * DEPTH; i += INVOCATIONS) {
    putLeft(i, weightQuad(tap, firstChannel + i / TILE_QUADS, firstOutput + (i % TILE_QUADS) * 4u));
  }
}

fn loadPixels(isPast: bool, frame: u32, firstChannel: u32, offsets: vec4<i32>, invocation: u32) {
  for (var i = invocation; i < TILE_QUADS * DEPTH; i += INVOCATIONS) {
    let channel = firstChannel + i / TILE_QUADS;
    var quad = vec4<f32>();
    if channel < params.channels {
      quad = pixelQuad(isPast, (frame * params.channels + channel) * params.height * params.width, offsets);
    }
    putRight(i, quad);
  }
}

@compute @workgroup_size(16, 16)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_index) invocation: u32,
) {
  let owner = workgroupNumber(id, count);
  if owner >= params.owners {
    return;
  }
  let column = owner % params.ownerColumns * TILE;
  let o = owner / params.ownerColumns % params.ownerRows * TILE;
  let outPlane = owner / (params.ownerColumns * params.ownerRows);
  // An invocation loads the same four pixels for every tap and channel: a tile's width divides the workgroup.
  let first = vec4<u32>(column + invocation % TILE_QUADS * 4u) + vec4<u32>(0u, 1u, 2u, 3u);
  let y = first / planeWidth();
  let x = first % planeWidth();
  var sums: Sums;
  var tap = firstTap(outPlane);
  for (var dt = 0u; dt < params.depth; dt++) {
    let frame = frameOfPlane(outPlane) * params.strideT + dt;
    let isPast = frame < params.pastFrames;
    for (var dy = 0u; dy < params.kernelHeight; dy++) {
      for (var dx = 0u; dx < params.kernelWidth; dx++) {
        let offsets = pixelOffsets(outPlane, y, x, dy, dx);
        for (var channel = 0u; channel < params.channels; channel += DEPTH) {
          loadWeights(tap, channel, o, invocation);
          loadPixels(isPast, frameInBinding(frame), channel, offsets, invocation);
          workgroupBarrier();
          addTiles(&sums, invocation);
          workgroupBarrier();
        }
        tap++;
      }
    }
  }
  storeSums(outPlane, &sums, o, column, invocation);
}
