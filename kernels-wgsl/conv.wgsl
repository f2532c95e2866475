// Convolution of frames (cross-correlation), for results too small to fill a GPU with large tiles.
//
//   output[t, o, y, x] = bias[o] + sum over dt, dy, dx, c of
//     weight[dt, dy, dx, c, o] * input[t * strideT + dt, c, y * strideY + dy - padTop, x * strideX + dx - padLeft]
//
// input [T, channels, height, width], weight [taps, channels, outputs] (taps = depth * kernelHeight * kernelWidth,
// repacked from [O, C, kt, kh, kw] so that one tap is a plain matrix), bias [outputs] when hasBias, output
// [T', outputs, outHeight, outWidth]. Pixels outside a frame are zero. conv2d is the case of depth 1 with the batch as
// frames. An input that is enlarged by nearest neighbours is read where it is small: y and x are divided by the scale.
// PHASES: it is enlarged twice under a 3x3 kernel, see conv_operands.wgsl; the weights are those of four 2x2 kernels.
// PAST: the first pastFrames frames are in a binding of their own.
// A residual of the output's shape may be added, and the sum activated, before it is stored.
// An invocation owns 4 outputs of 4 neighbouring pixels and keeps them in registers; neighbours share what they read
// through the cache. Cost: taps * channels * outputs * T' * outHeight * outWidth multiply-adds.
// VEC: outputs is a multiple of 4, weights are read four at a time.
#variants F16? VEC? PAST? PHASES?
#include "include/conv_operands.wgsl"

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_index) invocation: u32,
) {
  let owner = workgroupNumber(id, count) * 64u + invocation;
  if owner >= params.owners {
    return;
  }
  let column = owner % params.ownerColumns * 4u;
  let o = owner / params.ownerColumns % params.ownerRows * 4u;
  let outPlane = owner / (params.ownerColumns * params.ownerRows);
  let first = vec4<u32>(column) + vec4<u32>(0u, 1u, 2u, 3u);
  let y = first / planeWidth();
  let x = first % planeWidth();
  let planeSize = params.height * params.width;
  var sums0 = vec4<f32>();
  var sums1 = vec4<f32>();
  var sums2 = vec4<f32>();
  var sums3 = vec4<f32>();
  var tap = firstTap(outPlane);
  for (var dt = 0u; dt < params.depth; dt++) {
    let frame = frameOfPlane(outPlane) * params.strideT + dt;
    let isPast = frame < params.pastFrames;
    for (var dy = 0u; dy < params.kernelHeight; dy++) {
      for (var dx = 0u; dx < params.kernelWidth; dx++) {
        let offsets = placeOfPixels(outPlane, y, x, dy, dx);
        var plane = frameInBinding(frame) * params.channels * planeSize;
#if VEC
        var at = (tap * params.channels * params.outputs + o) / 4u;
#endif
        for (var channel = 0u; channel < params.channels; channel++) {
#if VEC
          let w = vec4<f32>(weight[at]);
          at += params.outputs / 4u;
#else
          let w = weightQuad(tap, channel, o);
#endif
          let pixels = pixelQuad(isPast, plane, offsets);
          sums0 += w.x * pixels;
          sums1 += w.y * pixels;
          sums2 += w.z * pixels;
          sums3 += w.w * pixels;
          plane += planeSize;
        }
        tap++;
      }
    }
  }
  let sums = array<vec4<f32>, 4>(sums0, sums1, sums2, sums3);
  for (var i = 0u; i < 4u; i++) {
    storeQuad(outPlane, o + i, column, sums[i]);
  }
}
