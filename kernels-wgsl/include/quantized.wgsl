// A quantised matrix [columns, inner]: numbers of BITS bits, four or eight of them in a word, with a scale and perhaps a
// zero point for every GROUP of them; rows are filled up to whole groups. Element = (number - zero point) * scale.
override BITS: u32 = 8u;
override GROUP: u32 = 32u;

@group(0) @binding(3) var<storage, read> numbers: array<u32>;
@group(0) @binding(4) var<storage, read> scales: array<scalar>;
@group(0) @binding(5) var<storage, read> zeroPoints: array<u32>;

// Four elements from `k` on, a multiple of 4, of row `n`; zeros outside.
fn quantizedQuad(n: u32, k: u32) -> vec4<f32> {
  if n >= params.columns || k >= params.inner {
    return vec4<f32>();
  }
  let group = n * params.groups + k / GROUP;
  let at = n * params.groups * GROUP + k;
  let word = numbers[at * BITS / 32u] >> (at * BITS % 32u);
  let quad = (vec4<u32>(word) >> (vec4<u32>(0u, 1u, 2u, 3u) * BITS)) & vec4<u32>((1u << BITS) - 1u);
  var zero = 1u << (BITS - 1u);
  if params.hasZeroPoints != 0u {
    zero = (zeroPoints[group / 4u] >> (group % 4u * 8u)) & 255u;
  }
  return vec4<f32>(vec4<i32>(quad) - i32(zero)) * f32(scales[group]);
}
