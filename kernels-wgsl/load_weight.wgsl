// Puts a weight into the form in which the kernels read it, from its bytes in a file.
//
//   PLAIN   output[i] = source[i]
//   TAPS    [O,C,taps] -> [taps,C,O]
//   PHASES  [O,C,3,3] -> [16,C,O]: for results of even and odd rows, and in these of even and odd columns, the 2x2 kernel
//           that gives from an image what the 3x3 kernel gives from it enlarged twice by nearest neighbours. An element is
//           the sum of up to four, rounded once to 32 bits
//
// Everything is computed in integers: no device flushes small numbers then, and none needs 16-bit floats. SOURCE is the
// format of the file, HALF makes 16-bit floats (to nearest, ties to even; overflow is infinite), else they have 32 bits.
// A weight comes in pieces: `source` has `available` elements from number `first` on, and what belongs to other pieces
// stays as it is. An invocation owns 16 words of the output, each of one element or two, 64 apart.
#variants PLAIN|TAPS|PHASES
#include "include/grid.wgsl"

override SOURCE: u32 = 0; // 0 f32, 1 bf16, 2 f16, 3 i8, 4 u8
override HALF: bool = false;

struct Params {
  words: u32,
  count: u32,
  first: u32,
  available: u32,
  taps: u32,
  channels: u32,
  outputs: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> source: array<u32>;
@group(0) @binding(2) var<storage, read_write> output: array<u32>;

// The bits of an element.
fn raw(i: u32) -> u32 {
  if SOURCE == 0u {
    return source[i];
  }
  if SOURCE <= 2u {
    return (source[i / 2u] >> (i % 2u * 16u)) & 0xffffu;
  }
  return (source[i / 4u] >> (i % 4u * 8u)) & 0xffu;
}

// A 16-bit float as one of 32 bits, exactly.
fn widen(half: u32) -> u32 {
  let sign = (half & 0x8000u) << 16u;
  let exponent = (half >> 10u) & 0x1fu;
  let mantissa = half & 0x3ffu;
  if exponent == 31u {
    return sign | 0x7f800000u | (mantissa << 13u);
  }
  if exponent > 0u {
    return sign | ((exponent + 112u) << 23u) | (mantissa << 13u);
  }
  if mantissa == 0u {
    return sign;
  }
  let shift = countLeadingZeros(mantissa) - 21u;
  return sign | ((113u - shift) << 23u) | (((mantissa << shift) & 0x3ffu) << 13u);
}

// The nearest 16-bit float. Nearly all weights are normal numbers, which take no branch.
fn narrow(x: u32) -> u32 {
  let sign = (x >> 16u) & 0x8000u;
  let magnitude = x & 0x7fffffffu;
  var half = (magnitude - 0x38000000u + 0xfffu + ((magnitude >> 13u) & 1u)) >> 13u;
  if magnitude - 0x38800000u >= 0x477ff000u - 0x38800000u {
    half = unusual(magnitude);
  }
  return sign | half;
}

// What is not a normal number of 16 bits.
fn unusual(magnitude: u32) -> u32 {
  if magnitude > 0x7f800000u {
    return 0x7e00u; // not a number
  }
  if magnitude >= 0x477ff000u {
    return 0x7c00u; // rounds past 65504
  }
  if magnitude < 0x33000001u {
    return 0u; // rounds to zero
  }
  let shift = 126u - (magnitude >> 23u); // subnormal: shift the mantissa with its hidden bit
  let mantissa = (magnitude & 0x7fffffu) | 0x800000u;
  return rounded(mantissa >> shift, mantissa & ((1u << shift) - 1u), 1u << (shift - 1u));
}

// A quotient, raised by one where the rest is beyond the middle, or on it and the quotient is odd.
fn rounded(quotient: u32, rest: u32, middle: u32) -> u32 {
  return quotient + select(0u, 1u, rest > middle || (rest == middle && (quotient & 1u) == 1u));
}

// The bits of an element as a 32-bit float.
fn float(i: u32) -> u32 {
  let x = raw(i);
  if SOURCE == 1u {
    return x << 16u;
  }
  if SOURCE == 2u {
    return widen(x);
  }
  if SOURCE == 3u {
    return bitcast<u32>(f32(bitcast<i32>(x << 24u) >> 24u));
  }
  if SOURCE == 4u {
    return bitcast<u32>(f32(x));
  }
  return x;
}

// The bits of an element in the format of the output.
fn converted(i: u32) -> u32 {
  if !HALF {
    return float(i);
  }
  if SOURCE == 2u {
    return raw(i);
  }
  return narrow(float(i));
}

#if PHASES
// The sum of the elements at rows and columns [begin, end) of a kernel 3x3: in fixed point, 36 bits below the last bit of
// the largest one, so that it is rounded once. The bits of a 32-bit float; a sum of zero is positive.
fn sum(kernel: u32, rows: vec2<u32>, columns: vec2<u32>) -> u32 {
  var top = 1u;
  var infinite = vec2<bool>(false, false); // above, below
  var wrong = false;
  for (var row = rows.x; row < rows.y; row++) {
    for (var column = columns.x; column < columns.y; column++) {
      let x = float(kernel + 3u * row + column);
      top = max(top, (x >> 23u) & 0xffu);
      wrong = wrong || (x & 0x7fffffffu) > 0x7f800000u;
      infinite.x = infinite.x || x == 0x7f800000u;
      infinite.y = infinite.y || x == 0xff800000u;
    }
  }
  if top == 255u {
    return select(select(0xff800000u, 0x7f800000u, infinite.x), 0x7fc00000u, wrong || (infinite.x && infinite.y));
  }
  var high = 0u;
  var low = 0u;
  for (var row = rows.x; row < rows.y; row++) {
    for (var column = columns.x; column < columns.y; column++) {
      let x = float(kernel + 3u * row + column);
      let exponent = (x >> 23u) & 0xffu;
      let mantissa = ((x & 0x7fffffu) | select(0u, 0x800000u, exponent > 0u)) << 4u;
      let shift = top - max(exponent, 1u);
      var h = 0u;
      var l = 0u;
      if shift == 0u {
        h = mantissa;
      } else if shift < 32u {
        h = mantissa >> shift;
        l = mantissa << (32u - shift);
      } else if shift < 64u { // what is shifted out leaves a trace
        l = mantissa >> (shift - 32u);
        l |= select(0u, 1u, (mantissa & ((1u << (shift - 32u)) - 1u)) != 0u);
      } else {
        l = select(0u, 1u, mantissa != 0u);
      }
      if (x >> 31u) == 1u {
        l = ~l + 1u;
        h = ~h + select(0u, 1u, l == 0u);
      }
      low += l;
      high += h + select(0u, 1u, low < l);
    }
  }
  let sign = high & 0x80000000u;
  if sign != 0u {
    low = ~low + 1u;
    high = ~high + select(0u, 1u, low == 0u);
  }
  if high == 0u && low == 0u {
    return 0u;
  }
  let first = select(firstLeadingBit(low), 32u + firstLeadingBit(high), high != 0u);
  // Subnormal numbers keep fewer bits.
  let least = 37 - i32(top);
  let shift = max(i32(first) - 23, least);
  var mantissa = 0u;
  if shift <= 0 {
    mantissa = low << u32(-shift);
  } else if shift < 32 {
    let by = u32(shift);
    mantissa = rounded((high << (32u - by)) | (low >> by), low & ((1u << by) - 1u), 1u << (by - 1u));
  } else if shift == 32 {
    mantissa = rounded(high, low, 0x80000000u);
  } else {
    // Twice the rest and a trace of the lower word, against twice the middle.
    let by = u32(shift - 32);
    let rest = (high & ((1u << by) - 1u)) * 2u + select(0u, 1u, low != 0u);
    mantissa = rounded(high >> by, rest, 1u << by);
  }
  return sign | min(mantissa + (u32(shift - least) << 23u), 0x7f800000u);
}
#endif

#if PLAIN
#else
// Number of the 2-D kernel that an element of the output is made of, and of its matrix.
fn find(i: u32) -> vec2<u32> {
  let rest = i / params.outputs;
  let matrix = rest / params.channels;
  return vec2<u32>((i - rest * params.outputs) * params.channels + rest - matrix * params.channels, matrix);
}

// The element of the output at this place, or what is there where another piece has it.
fn made(place: vec2<u32>, kept: u32) -> u32 {
#if PHASES
  let origin = place.x * 9u;
#else
  let origin = place.x * params.taps + place.y;
#endif
  if origin < params.first || origin - params.first >= params.available {
    return kept;
  }
  let at = origin - params.first;
#if PHASES
  // Of results of an even row the first row of the 2x2 kernel is row 0 and the second rows 1 and 2; of an odd row these
  // are rows 0 and 1, and row 2.
  let phase = vec2<u32>(place.y / 8u, (place.y / 4u) % 2u);
  let second = vec2<u32>((place.y / 2u) % 2u, place.y % 2u) == vec2<u32>(1u);
  let begin = select(vec2<u32>(0u), 1u + phase, second);
  let end = select(1u + phase, vec2<u32>(3u), second);
  let x = sum(at, vec2<u32>(begin.x, end.x), vec2<u32>(begin.y, end.y));
  if HALF {
    return narrow(x);
  }
  return x;
#else
  return converted(at);
#endif
}
#endif

// Writes word i of the output.
fn writeWord(i: u32) {
#if PLAIN
  if !HALF {
    output[i] = float(i);
    return;
  }
  if SOURCE == 1u { // both in one word, and padded with zeros as the output is
    let word = source[i];
    output[i] = narrow(word << 16u) | (narrow(word & 0xffff0000u) << 16u);
    return;
  }
  var word = converted(2u * i);
  if 2u * i + 1u < params.count {
    word |= converted(2u * i + 1u) << 16u;
  }
  output[i] = word;
#else
  let place = find(i * select(1u, 2u, HALF));
  let kept = output[i];
  if !HALF {
    output[i] = made(place, kept);
    return;
  }
  var word = made(place, kept & 0xffffu);
  if 2u * i + 1u < params.count {
    // Mostly the next output channel of the same tap.
    var next = place + vec2<u32>(params.channels, 0u);
    if next.x >= params.channels * params.outputs {
      next = find(2u * i + 1u);
    }
    word |= made(next, kept >> 16u) << 16u;
  }
  output[i] = word;
#endif
}

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_index) invocation: u32,
) {
  let first = workgroupNumber(id, count) * 1024u + invocation;
  let end = min(first + 1024u, params.words);
  for (var i = first; i < end; i += 64u) {
    writeWord(i);
  }
}
