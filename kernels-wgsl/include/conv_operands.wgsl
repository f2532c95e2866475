// The operands of a convolution: uniform struct, bindings, and reading and writing four elements at a time.
#include "include/storage.wgsl"
#include "include/grid.wgsl"
alias V = vec4<f32>;
#include "include/epilogue.wgsl"
#include "include/parts.wgsl"

#if SPLIT
alias result = f32;
#else
alias result = scalar;
#endif
#if VEC
alias weightElement = vec4<scalar>;
#else
alias weightElement = scalar;
#endif
// WIDE: rows of input and output are multiples of 4, the stride over pixels is 1 and the input is not enlarged, so that
// four neighbouring pixels of an output see, under one tap, four neighbours of the input in one or two aligned quads.
// PHASES leave gaps between the pixels that they store.
#if WIDE
alias inputElement = vec4<scalar>;
#if PHASES
alias residualElement = scalar;
alias resultElement = result;
#else
alias residualElement = vec4<scalar>;
alias resultElement = vec4<result>;
#endif
#else
alias inputElement = scalar;
alias residualElement = scalar;
alias resultElement = result;
#endif

struct Params {
  // Of the dispatch: invocations that own a block, or workgroups that own a tile.
  owners: u32,
  ownerRows: u32,
  ownerColumns: u32,
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
  // Each pixel of the input stands for a square of this side.
  scale: u32,
  // Frames in a binding of their own, before those of the input.
  pastFrames: u32,
  hasResidual: u32,
  activation: u32,
#if SPLIT
  // Planes of the output, and how many slices of taps and channels a part has.
  entries: u32,
  partSlices: u32,
#endif
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> input: array<inputElement>;
@group(0) @binding(2) var<storage, read> weight: array<weightElement>;
@group(0) @binding(3) var<storage, read> bias: array<scalar>;
@group(0) @binding(4) var<storage, read> residual: array<residualElement>;
#if PAST
@group(0) @binding(5) var<storage, read> past: array<inputElement>;
@group(0) @binding(6) var<storage, read_write> output: array<resultElement>;
#else
@group(0) @binding(5) var<storage, read_write> output: array<resultElement>;
#endif

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

// PHASES: of an input enlarged twice, under a kernel of 3x3 with a padding of 1, the pixels of a result with the same
// parities (a phase) see 2x2 pixels of the small input through a kernel of their own: 4 products in place of 9. A
// dispatch then has four planes for each frame, in the order of the parities of row and column, and pixels are numbered
// within a plane. Otherwise a plane is a frame.
#if PHASES
const SIDE: u32 = 2u;
#else
const SIDE: u32 = 1u;
#endif
const PHASES_OF_FRAME: u32 = SIDE * SIDE;

fn planeHeight() -> u32 {
  return params.outHeight / SIDE;
}

fn planeWidth() -> u32 {
  return params.outWidth / SIDE;
}

fn frameOfPlane(plane: u32) -> u32 {
  return plane / PHASES_OF_FRAME;
}

fn firstTap(plane: u32) -> u32 {
  return plane % PHASES_OF_FRAME * params.kernelHeight * params.kernelWidth;
}

#if WIDE
// Where the four pixels of an invocation lie in a plane of the input under one tap: from element `shift` on of the
// aligned quads `low` and `high`, which are counted in quads and -1 outside.
struct PixelPlace {
  low: i32,
  high: i32,
  shift: u32,
}

fn placeOfPixels(outPlane: u32, y: vec4<u32>, x: vec4<u32>, dy: u32, dx: u32) -> PixelPlace {
  let phase = outPlane % PHASES_OF_FRAME;
  let row = i32(y.x * params.strideY + dy + phase / SIDE) - i32(params.padTop);
  let column = i32(x.x + dx + phase % SIDE) - i32(params.padLeft);
  let shift = u32(column & 3);
  let low = column - i32(shift);
  let quad = (row * i32(params.width) + low) / 4;
  let inside = row >= 0 && row < i32(params.height) && y.x < planeHeight();
  return PixelPlace(
    select(-1, quad, inside && low >= 0 && low < i32(params.width)),
    select(-1, quad + 1, inside && low >= -4 && low + 4 < i32(params.width) && shift != 0u),
    shift,
  );
}
#else
// Where the four pixels of an invocation lie in a plane of the input under one tap; -1 outside.
alias PixelPlace = vec4<i32>;

fn placeOfPixels(outPlane: u32, y: vec4<u32>, x: vec4<u32>, dy: u32, dx: u32) -> PixelPlace {
  let phase = outPlane % PHASES_OF_FRAME;
  var row = vec4<i32>(y * params.strideY + dy + phase / SIDE) - i32(params.padTop);
  var column = vec4<i32>(x * params.strideX + dx + phase % SIDE) - i32(params.padLeft);
  let inside = (row >= vec4<i32>()) & (row < vec4<i32>(i32(params.height * params.scale))) &
    (column >= vec4<i32>()) & (column < vec4<i32>(i32(params.width * params.scale))) &
    (y < vec4<u32>(planeHeight()));
  if params.scale != 1u {
    let scale = vec4<i32>(i32(params.scale));
    row /= scale;
    column /= scale;
  }
  return select(vec4<i32>(-1), row * i32(params.width) + column, inside);
}
#endif

// The offset of a frame in its binding: the first ones are the past.
fn frameInBinding(frame: u32) -> u32 {
  return select(frame - params.pastFrames, frame, frame < params.pastFrames);
}

#if WIDE
fn alignedQuad(isPast: bool, plane: u32, quad: i32) -> vec4<f32> {
  if quad < 0 {
    return vec4<f32>();
  }
  let at = plane / 4u + u32(quad);
#if PAST
  if isPast {
    return vec4<f32>(past[at]);
  }
#endif
  return vec4<f32>(input[at]);
}

fn pixelQuad(isPast: bool, plane: u32, place: PixelPlace) -> vec4<f32> {
  let low = alignedQuad(isPast, plane, place.low);
  if place.shift == 0u {
    return low;
  }
  let high = alignedQuad(isPast, plane, place.high);
  switch place.shift {
    case 1u: {
      return vec4<f32>(low.yzw, high.x);
    }
    case 2u: {
      return vec4<f32>(low.zw, high.xy);
    }
    default: {
      return vec4<f32>(low.w, high.xyz);
    }
  }
}
#else
fn pixelQuad(isPast: bool, plane: u32, offsets: PixelPlace) -> vec4<f32> {
  let at = vec4<u32>(max(offsets, vec4<i32>())) + plane;
#if PAST
  if isPast {
    let before = vec4<f32>(f32(past[at.x]), f32(past[at.y]), f32(past[at.z]), f32(past[at.w]));
    return select(before, vec4<f32>(), offsets < vec4<i32>());
  }
#endif
  let pixels = vec4<f32>(f32(input[at.x]), f32(input[at.y]), f32(input[at.z]), f32(input[at.w]));
  return select(pixels, vec4<f32>(), offsets < vec4<i32>());
}
#endif

// The offset of a pixel of a plane in its frame of the output.
fn placeOfPixel(plane: u32, pixel: u32) -> u32 {
#if PHASES
  let row = pixel / planeWidth() * SIDE + plane % PHASES_OF_FRAME / SIDE;
  return row * params.outWidth + pixel % planeWidth() * SIDE + plane % SIDE;
#else
  return pixel;
#endif
}

// output = activate(sums + bias + residual), see epilogue.wgsl.
fn storeQuad(slab: u32, o: u32, column: u32, sums: vec4<f32>) {
  let pixels = planeHeight() * planeWidth();
  if o >= params.outputs || column >= pixels {
    return;
  }
  let isFirst = partOf(slab) == 0u;
  var values = sums;
  if params.hasBias != 0u && isFirst {
    values += vec4<f32>(f32(bias[o]));
  }
  let at = (frameOfPlane(slab) * params.outputs + o) * params.outHeight * params.outWidth;
#if WIDE
#if PHASES
#include "include/store_pixels.wgsl"
#else
  if params.hasResidual != 0u && isFirst {
    values += vec4<f32>(residual[(at + column) / 4u]);
  }
  output[(at + column) / 4u] = resultElement(activate(params.activation, values));
#endif
#else
#include "include/store_pixels.wgsl"
#endif
}
