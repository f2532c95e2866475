// Operands of attention, four elements at a time, in the type `part` of the including kernel; elements beyond a width are
// zero.
#if VEC
alias element = vec4<scalar>;
#else
alias element = scalar;
#endif

struct Params {
  workgroups: u32,
  queries: u32,
  keys: u32,
  heads: u32,
  width: u32,
  valueWidth: u32,
  queryTiles: u32,
  parts: u32,
  // Strides of batch, token and head, then the first element.
  qStrides: vec4<u32>,
  kStrides: vec4<u32>,
  vStrides: vec4<u32>,
  biasStrides: vec4<u32>,
  scale: f32,
  hasBias: u32,
  biasStart: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> q: array<element>;
@group(0) @binding(2) var<storage, read> k: array<element>;
@group(0) @binding(3) var<storage, read> v: array<element>;
@group(0) @binding(4) var<storage, read> bias: array<scalar>;
@group(0) @binding(5) var<storage, read_write> output: array<scalar>;

#if VEC
fn qQuad(base: u32, c: u32) -> vec4<part> {
  return vec4<part>(q[(base + c) / 4u]);
}
fn kQuad(base: u32, c: u32) -> vec4<part> {
  return vec4<part>(k[(base + c) / 4u]);
}
fn vQuad(base: u32, c: u32) -> vec4<part> {
  return vec4<part>(v[(base + c) / 4u]);
}
#else
fn qQuad(base: u32, c: u32) -> vec4<part> {
  var quad = vec4<part>();
  for (var i = 0u; i < 4u; i++) {
    if c + i < params.width {
      quad[i] = part(q[base + c + i]);
    }
  }
  return quad;
}
fn kQuad(base: u32, c: u32) -> vec4<part> {
  var quad = vec4<part>();
  for (var i = 0u; i < 4u; i++) {
    if c + i < params.width {
      quad[i] = part(k[base + c + i]);
    }
  }
  return quad;
}
fn vQuad(base: u32, c: u32) -> vec4<part> {
  var quad = vec4<part>();
  for (var i = 0u; i < 4u; i++) {
    if c + i < params.valueWidth {
      quad[i] = part(v[base + c + i]);
    }
  }
  return quad;
}
#endif
