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
// PAST: the first pastFrames frames are in a binding of their own.
// A residual of the output's shape may be added, and the sum activated, before it is stored.
// A workgroup owns a tile of 128 outputs and 128 pixels of one frame, or 64 and 64: see tile.wgsl.
// Cost: taps * channels * outputs * T' * outHeight * outWidth multiply-adds; frames are read once per tap and row of
// tiles, weights once per column of tiles.
// VEC: outputs is a multiple of 4, weights are read four at a time.
// WIDE: so are pixels, see conv_operands.wgsl.
// SPLIT: a workgroup owns a part of the taps and channels, see parts.wgsl.
#variants F16? VEC? WIDE? PAST? PHASES? SMALL? SPLIT? PORTABLE|MATRIX8|MATRIX16|EMULATED8|EMULATED16
#include "include/conv_operands.wgsl"
const LEFT_ROWS = false;
const TRANSPOSED = false;
#include "include/tile.wgsl"

// Where a tile lies. An invocation loads the same four pixels for every tap and channel: a tile's width divides the
// workgroup.
struct Source {
  plane: u32,
  output: u32,
  y: vec4<u32>,
  x: vec4<u32>,
}

// What a slice of the inner axis is of: DEPTH channels of one tap.
struct Tap {
  weights: u32,
  channel: u32,
  isPast: bool,
  frame: u32,
  dy: u32,
  dx: u32,
}

fn slicesOfTap() -> u32 {
  return (params.channels + DEPTH - 1u) / DEPTH;
}

fn tapOf(plane: u32, slice: u32) -> Tap {
  let tap = slice / slicesOfTap();
  let ofFrame = params.kernelHeight * params.kernelWidth;
  let frame = frameOfPlane(plane) * params.strideT + tap / ofFrame;
  return Tap(
    firstTap(plane) + tap,
    slice % slicesOfTap() * DEPTH,
    frame < params.pastFrames,
    frameInBinding(frame),
    tap % ofFrame / params.kernelWidth,
    tap % params.kernelWidth,
  );
}

fn pixelsAt(tap: Tap, channel: u32, place: PixelPlace) -> vec4<f32> {
  if channel < params.channels {
    return pixelQuad(tap.isPast, (tap.frame * params.channels + channel) * params.height * params.width, place);
  }
  return vec4<f32>();
}

#if PORTABLE
fn loadWeights(tap: Tap, firstOutput: u32, invocation: u32) {
  for (var i = invocation; i < TILE_QUADS * DEPTH; i += INVOCATIONS) {
    putLeft(i, weightQuad(tap.weights, tap.channel + i / TILE_QUADS, firstOutput + (i % TILE_QUADS) * 4u));
  }
}

fn loadPixels(tap: Tap, place: PixelPlace, invocation: u32) {
  for (var i = invocation; i < TILE_QUADS * DEPTH; i += INVOCATIONS) {
    putRight(i, pixelsAt(tap, tap.channel + i / TILE_QUADS, place));
  }
}

fn addSlices(sums: ptr<function, Sums>, source: Source, first: u32, end: u32, invocation: u32) {
  var place: PixelPlace;
  for (var slice = first; slice < end; slice++) {
    let tap = tapOf(source.plane, slice);
    if slice == first || tap.channel == 0u {
      place = placeOfPixels(source.plane, source.y, source.x, tap.dy, tap.dx);
    }
    loadWeights(tap, source.output, invocation);
    loadPixels(tap, place, invocation);
    workgroupBarrier();
    addTiles(sums, invocation);
    workgroupBarrier();
  }
}
#else
fn fetchSlice(source: Source, slice: u32, invocation: u32) -> Share {
  let tap = tapOf(source.plane, slice);
  let place = placeOfPixels(source.plane, source.y, source.x, tap.dy, tap.dx);
  var share: Share;
  for (var n = 0u; n < OWN_QUADS; n++) {
    let i = invocation + n * INVOCATIONS;
    let channel = tap.channel + i / TILE_QUADS;
    share.left[n] = vec4<part>(weightQuad(tap.weights, channel, source.output + i % TILE_QUADS * 4u));
    share.right[n] = vec4<part>(pixelsAt(tap, channel, place));
  }
  return share;
}
#endif

@compute @workgroup_size(INVOCATIONS)
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
  let slab = owner / (params.ownerColumns * params.ownerRows);
  let first = vec4<u32>(column + invocation % TILE_QUADS * 4u) + vec4<u32>(0u, 1u, 2u, 3u);
  let slices = slicesOf(slab, params.depth * params.kernelHeight * params.kernelWidth * slicesOfTap());
  var sums: Sums;
  let source = Source(entryOf(slab), o, first / planeWidth(), first % planeWidth());
  addSlices(&sums, source, slices.x, slices.y, invocation);
  storeSums(slab, &sums, o, column, invocation);
}
