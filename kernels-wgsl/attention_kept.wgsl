// Attention with the queries kept in registers, for many queries of heads that are at most 128 wide.
//
//   output[b, i, h, :] = sum over j of softmax_j(scale * q[b, i, h, :] . k[b, j, h, :] + bias[b, h, i, j]) v[b, j, h, :]
//
// Operands and parameters are those of attention.wgsl; there is one part, the whole value width.
// A workgroup owns 64 queries of one head and walks over the keys, 8 at a time. Four invocations share two queries:
// each keeps a quarter of both (every fourth vec4) and of their results, so that neither is read again. A key that is
// staged once serves 64 queries, a vec4 of it two queries of an invocation. The quarters of a logit meet in workgroup
// memory; each invocation then keeps maximum and sum of its two queries for itself. 16 KiB, three barriers for 8 keys.
// Cost: queries * keys * (width + valueWidth) multiply-adds per head; keys and values are read once per 64 queries.
// VEC: widths, strides of q, k and v are multiples of 4, read four at a time. WIDE: a width is above 64.
#variants F16? VEC? WIDE?
#include "include/storage.wgsl"
#include "include/grid.wgsl"
alias part = f32;
#include "include/attention_operands.wgsl"

const QUERIES = 64u;
const KEYS = 8u;
// Vec4s of a quarter, and of a whole row.
#if WIDE
const OWN = 8u;
#else
const OWN = 4u;
#endif
const QUADS = 4u * OWN;
const LOWEST = -3.4028234e38;

var<workgroup> keyTile: array<vec4<f32>, KEYS * QUADS>;
var<workgroup> valueTile: array<vec4<f32>, KEYS * QUADS>;
// Quarters of the logits of four keys: query of the pair, half of the keys, quarter, pair.
var<workgroup> quarters: array<vec4<f32>, 512>;

// Where a quarter lies; turned a little for each quarter so that neighbours write to different banks.
fn quarterAt(which: u32, quarter: u32, pair: u32) -> u32 {
  return (which * 4u + quarter) * 32u + (pair + 2u * quarter) % 32u;
}

fn logitsOf(which: u32, pair: u32) -> vec4<f32> {
  return quarters[quarterAt(which, 0u, pair)] + quarters[quarterAt(which, 1u, pair)] +
    quarters[quarterAt(which, 2u, pair)] + quarters[quarterAt(which, 3u, pair)];
}

// Scaled and biased logits of four keys; those beyond the last key are the lowest number.
fn finished(products: vec4<f32>, biasBase: u32, query: u32, firstKey: u32) -> vec4<f32> {
  let keys = vec4<u32>(firstKey) + vec4<u32>(0u, 1u, 2u, 3u);
  var logits = products * params.scale;
  if params.hasBias != 0u && query < params.queries {
    let at = vec4<u32>(biasBase + query * params.biasStrides.z) +
      min(keys, vec4<u32>(params.keys - 1u)) * params.biasStrides.w;
    logits += vec4<f32>(f32(bias[at.x]), f32(bias[at.y]), f32(bias[at.z]), f32(bias[at.w]));
  }
  return select(vec4<f32>(LOWEST), max(logits, vec4<f32>(LOWEST)), keys < vec4<u32>(params.keys));
}

fn highestOf(near: vec4<f32>, far: vec4<f32>) -> f32 {
  let four = max(near, far);
  return max(max(four.x, four.y), max(four.z, four.w));
}

fn weightsOf(logits: vec4<f32>, maximum: f32, firstKey: u32) -> vec4<f32> {
  let keys = vec4<u32>(firstKey) + vec4<u32>(0u, 1u, 2u, 3u);
  return select(vec4<f32>(), exp(logits - vec4<f32>(maximum)), keys < vec4<u32>(params.keys));
}

fn storeQuad(base: u32, query: u32, column: u32, values: vec4<f32>) {
  if query < params.queries {
    let at = base + query * params.heads * params.valueWidth + column;
    for (var j = 0u; j < 4u; j++) {
      if column + j < params.valueWidth {
        output[at + j] = scalar(values[j]);
      }
    }
  }
}

@compute @workgroup_size(128)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_index) invocation: u32,
) {
  let workgroup = workgroupNumber(id, count);
  if workgroup >= params.workgroups {
    return;
  }
  let head = workgroup / params.queryTiles % params.heads;
  let batch = workgroup / (params.queryTiles * params.heads);
  let qBase = params.qStrides.w + batch * params.qStrides.x + head * params.qStrides.z;
  let kBase = params.kStrides.w + batch * params.kStrides.x + head * params.kStrides.z;
  let vBase = params.vStrides.w + batch * params.vStrides.x + head * params.vStrides.z;
  let biasBase = params.biasStart + batch * params.biasStrides.x + head * params.biasStrides.y;
  let quarter = invocation % 4u;
  let pair = invocation / 4u;
  let query = workgroup % params.queryTiles * QUERIES + pair * 2u;
  var queryA: array<vec4<f32>, OWN>;
  var queryB: array<vec4<f32>, OWN>;
  var resultA: array<vec4<f32>, OWN>;
  var resultB: array<vec4<f32>, OWN>;
  for (var i = 0u; i < OWN; i++) {
    let column = (i * 4u + quarter) * 4u;
    if column < params.width && query < params.queries {
      queryA[i] = qQuad(qBase + query * params.qStrides.y, column);
      if query + 1u < params.queries {
        queryB[i] = qQuad(qBase + (query + 1u) * params.qStrides.y, column);
      }
    }
  }
  var maximum = vec2<f32>(LOWEST);
  var sum = vec2<f32>();
  for (var firstKey = 0u; firstKey < params.keys; firstKey += KEYS) {
    for (var i = invocation; i < KEYS * QUADS; i += 128u) {
      let key = firstKey + i / QUADS;
      let column = i % QUADS * 4u;
      var keyQuad = vec4<f32>();
      var valueQuad = vec4<f32>();
      if key < params.keys {
        if column < params.width {
          keyQuad = kQuad(kBase + key * params.kStrides.y, column);
        }
        if column < params.valueWidth {
          valueQuad = vQuad(vBase + key * params.vStrides.y, column);
        }
      }
      keyTile[i] = keyQuad;
      valueTile[i] = valueQuad;
    }
    workgroupBarrier();
    var nearA = vec4<f32>();
    var farA = vec4<f32>();
    var nearB = vec4<f32>();
    var farB = vec4<f32>();
    for (var i = 0u; i < OWN; i++) {
      let at = i * 4u + quarter;
      let a = queryA[i];
      let b = queryB[i];
      let k0 = keyTile[at];
      let k1 = keyTile[at + QUADS];
      let k2 = keyTile[at + 2u * QUADS];
      let k3 = keyTile[at + 3u * QUADS];
      nearA += vec4<f32>(dot(a, k0), dot(a, k1), dot(a, k2), dot(a, k3));
      nearB += vec4<f32>(dot(b, k0), dot(b, k1), dot(b, k2), dot(b, k3));
      let k4 = keyTile[at + 4u * QUADS];
      let k5 = keyTile[at + 5u * QUADS];
      let k6 = keyTile[at + 6u * QUADS];
      let k7 = keyTile[at + 7u * QUADS];
      farA += vec4<f32>(dot(a, k4), dot(a, k5), dot(a, k6), dot(a, k7));
      farB += vec4<f32>(dot(b, k4), dot(b, k5), dot(b, k6), dot(b, k7));
    }
    quarters[quarterAt(0u, quarter, pair)] = nearA;
    quarters[quarterAt(1u, quarter, pair)] = farA;
    quarters[quarterAt(2u, quarter, pair)] = nearB;
    quarters[quarterAt(3u, quarter, pair)] = farB;
    workgroupBarrier();
    let farKey = firstKey + 4u;
    nearA = finished(logitsOf(0u, pair), biasBase, query, firstKey);
    farA = finished(logitsOf(1u, pair), biasBase, query, farKey);
    nearB = finished(logitsOf(2u, pair), biasBase, query + 1u, firstKey);
    farB = finished(logitsOf(3u, pair), biasBase, query + 1u, farKey);
    let before = maximum;
    maximum = max(before, vec2<f32>(highestOf(nearA, farA), highestOf(nearB, farB)));
    let correction = exp(before - maximum);
    nearA = weightsOf(nearA, maximum.x, firstKey);
    farA = weightsOf(farA, maximum.x, farKey);
    nearB = weightsOf(nearB, maximum.y, firstKey);
    farB = weightsOf(farB, maximum.y, farKey);
    sum = sum * correction + vec2<f32>(dot(nearA + farA, vec4<f32>(1.0)), dot(nearB + farB, vec4<f32>(1.0)));
    for (var i = 0u; i < OWN; i++) {
      let at = i * 4u + quarter;
      let v0 = valueTile[at];
      let v1 = valueTile[at + QUADS];
      let v2 = valueTile[at + 2u * QUADS];
      let v3 = valueTile[at + 3u * QUADS];
      let v4 = valueTile[at + 4u * QUADS];
      let v5 = valueTile[at + 5u * QUADS];
      let v6 = valueTile[at + 6u * QUADS];
      let v7 = valueTile[at + 7u * QUADS];
      resultA[i] = resultA[i] * correction.x + nearA.x * v0 + nearA.y * v1 + nearA.z * v2 + nearA.w * v3 +
        farA.x * v4 + farA.y * v5 + farA.z * v6 + farA.w * v7;
      resultB[i] = resultB[i] * correction.y + nearB.x * v0 + nearB.y * v1 + nearB.z * v2 + nearB.w * v3 +
        farB.x * v4 + farB.y * v5 + farB.z * v6 + farB.w * v7;
    }
    workgroupBarrier();
  }
  let base = (batch * params.queries * params.heads + head) * params.valueWidth;
  for (var i = 0u; i < OWN; i++) {
    let column = (i * 4u + quarter) * 4u;
    storeQuad(base, query, column, resultA[i] / sum.x);
    storeQuad(base, query + 1u, column, resultB[i] / sum.y);
  }
}
