// Attention with the queries kept in registers, for many queries of heads that are at most 128 wide.
//
//   output[b, i, h, :] = sum over j of softmax_j(scale * q[b, i, h, :] . k[b, j, h, :] + bias[b, h, i, j]) v[b, j, h, :]
//
// Operands and parameters are those of attention.wgsl; there is one part, the whole value width.
// A workgroup owns 64 queries of one head and walks over the keys, 8 at a time. Four invocations share two queries:
// each keeps a quarter of both (every fourth vec4) and of their results, so that neither is read again; these vec4s have
// names, since a driver may put an array that is indexed into memory. A key that is staged once serves 64 queries, a vec4
// of it two queries of an invocation. The quarters of a logit meet in workgroup memory; each invocation then keeps maximum
// and sum of its two queries for itself. Values are staged while keys are read, keys while values are, and both are read
// from their buffers ahead of the arithmetic in between: two barriers for 8 keys. 16 KiB, too few for more keys.
// Cost: queries * keys * (width + valueWidth) multiply-adds per head; keys and values are read once per 64 queries.
// VEC: widths, strides of q, k and v are multiples of 4, read four at a time. WIDE: a width is above 64.
#variants F16? VEC? WIDE?
#include "include/storage.wgsl"
#include "include/grid.wgsl"
alias part = f32;
#include "include/attention_operands.wgsl"

const QUERIES = 64u;
const KEYS = 8u;
// Vec4s of a row.
#if WIDE
const QUADS = 32u;
#else
const QUADS = 16u;
#endif
const LOWEST = -3.4028234e38;

// A vec4 of both queries, or of their results.
struct Pair {
  a: vec4<f32>,
  b: vec4<f32>,
}

// Logits or weights of both queries at the first four keys and at the others.
struct Logits {
  nearA: vec4<f32>,
  farA: vec4<f32>,
  nearB: vec4<f32>,
  farB: vec4<f32>,
}

// What an invocation stages of the keys or values.
struct Ahead {
  a: vec4<f32>,
#if WIDE
  b: vec4<f32>,
#endif
}

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

fn queryPair(base: u32, query: u32, column: u32) -> Pair {
  var pair = Pair();
  if column < params.width && query < params.queries {
    pair.a = qQuad(base + query * params.qStrides.y, column);
    if query + 1u < params.queries {
      pair.b = qQuad(base + (query + 1u) * params.qStrides.y, column);
    }
  }
  return pair;
}

fn keyQuad(base: u32, key: u32, column: u32) -> vec4<f32> {
  if key < params.keys && column < params.width {
    return kQuad(base + key * params.kStrides.y, column);
  }
  return vec4<f32>();
}

fn valueQuad(base: u32, key: u32, column: u32) -> vec4<f32> {
  if key < params.keys && column < params.valueWidth {
    return vQuad(base + key * params.vStrides.y, column);
  }
  return vec4<f32>();
}

fn keysAhead(base: u32, firstKey: u32, invocation: u32) -> Ahead {
  let key = firstKey + invocation / QUADS;
  let column = invocation % QUADS * 4u;
  var ahead: Ahead;
  ahead.a = keyQuad(base, key, column);
#if WIDE
  ahead.b = keyQuad(base, key + 4u, column);
#endif
  return ahead;
}

fn valuesAhead(base: u32, firstKey: u32, invocation: u32) -> Ahead {
  let key = firstKey + invocation / QUADS;
  let column = invocation % QUADS * 4u;
  var ahead: Ahead;
  ahead.a = valueQuad(base, key, column);
#if WIDE
  ahead.b = valueQuad(base, key + 4u, column);
#endif
  return ahead;
}

fn stageKeys(ahead: Ahead, invocation: u32) {
  keyTile[invocation] = ahead.a;
#if WIDE
  keyTile[invocation + 128u] = ahead.b;
#endif
}

fn stageValues(ahead: Ahead, invocation: u32) {
  valueTile[invocation] = ahead.a;
#if WIDE
  valueTile[invocation + 128u] = ahead.b;
#endif
}

// Products of a vec4 of both queries with those of the keys, which lie in the tile from `at` on.
fn addLogits(logits: Logits, query: Pair, at: u32) -> Logits {
  let a = query.a;
  let b = query.b;
  let k0 = keyTile[at];
  let k1 = keyTile[at + QUADS];
  let k2 = keyTile[at + 2u * QUADS];
  let k3 = keyTile[at + 3u * QUADS];
  let k4 = keyTile[at + 4u * QUADS];
  let k5 = keyTile[at + 5u * QUADS];
  let k6 = keyTile[at + 6u * QUADS];
  let k7 = keyTile[at + 7u * QUADS];
  return Logits(
    logits.nearA + vec4<f32>(dot(a, k0), dot(a, k1), dot(a, k2), dot(a, k3)),
    logits.farA + vec4<f32>(dot(a, k4), dot(a, k5), dot(a, k6), dot(a, k7)),
    logits.nearB + vec4<f32>(dot(b, k0), dot(b, k1), dot(b, k2), dot(b, k3)),
    logits.farB + vec4<f32>(dot(b, k4), dot(b, k5), dot(b, k6), dot(b, k7)),
  );
}

// Both results, corrected, with the weighted values, which lie in the tile from `at` on.
fn addValues(result: Pair, correction: vec2<f32>, weights: Logits, at: u32) -> Pair {
  let v0 = valueTile[at];
  let v1 = valueTile[at + QUADS];
  let v2 = valueTile[at + 2u * QUADS];
  let v3 = valueTile[at + 3u * QUADS];
  let v4 = valueTile[at + 4u * QUADS];
  let v5 = valueTile[at + 5u * QUADS];
  let v6 = valueTile[at + 6u * QUADS];
  let v7 = valueTile[at + 7u * QUADS];
  let nearA = weights.nearA;
  let farA = weights.farA;
  let nearB = weights.nearB;
  let farB = weights.farB;
  return Pair(
    result.a * correction.x + nearA.x * v0 + nearA.y * v1 + nearA.z * v2 + nearA.w * v3 + farA.x * v4 + farA.y * v5 +
      farA.z * v6 + farA.w * v7,
    result.b * correction.y + nearB.x * v0 + nearB.y * v1 + nearB.z * v2 + nearB.w * v3 + farB.x * v4 + farB.y * v5 +
      farB.z * v6 + farB.w * v7,
  );
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

fn storePair(base: u32, query: u32, column: u32, result: Pair, sum: vec2<f32>) {
  storeQuad(base, query, column, result.a / sum.x);
  storeQuad(base, query + 1u, column, result.b / sum.y);
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
  let column = quarter * 4u;
  let query0 = queryPair(qBase, query, column + 0u);
  var result0 = Pair();
  let query1 = queryPair(qBase, query, column + 16u);
  var result1 = Pair();
  let query2 = queryPair(qBase, query, column + 32u);
  var result2 = Pair();
  let query3 = queryPair(qBase, query, column + 48u);
  var result3 = Pair();
#if WIDE
  let query4 = queryPair(qBase, query, column + 64u);
  var result4 = Pair();
  let query5 = queryPair(qBase, query, column + 80u);
  var result5 = Pair();
  let query6 = queryPair(qBase, query, column + 96u);
  var result6 = Pair();
  let query7 = queryPair(qBase, query, column + 112u);
  var result7 = Pair();
#endif
  var maximum = vec2<f32>(LOWEST);
  var sum = vec2<f32>();
  stageKeys(keysAhead(kBase, 0u, invocation), invocation);
  for (var firstKey = 0u; firstKey < params.keys; firstKey += KEYS) {
    // Now the keys are staged, and nobody reads the last values or quarters.
    workgroupBarrier();
    let values = valuesAhead(vBase, firstKey, invocation);
    var logits = Logits();
    logits = addLogits(logits, query0, quarter + 0u);
    logits = addLogits(logits, query1, quarter + 4u);
    logits = addLogits(logits, query2, quarter + 8u);
    logits = addLogits(logits, query3, quarter + 12u);
#if WIDE
    logits = addLogits(logits, query4, quarter + 16u);
    logits = addLogits(logits, query5, quarter + 20u);
    logits = addLogits(logits, query6, quarter + 24u);
    logits = addLogits(logits, query7, quarter + 28u);
#endif
    quarters[quarterAt(0u, quarter, pair)] = logits.nearA;
    quarters[quarterAt(1u, quarter, pair)] = logits.farA;
    quarters[quarterAt(2u, quarter, pair)] = logits.nearB;
    quarters[quarterAt(3u, quarter, pair)] = logits.farB;
    stageValues(values, invocation);
    // Now the values are staged, and nobody reads the keys.
    workgroupBarrier();
    let keys = keysAhead(kBase, firstKey + KEYS, invocation);
    let farKey = firstKey + 4u;
    let nearA = finished(logitsOf(0u, pair), biasBase, query, firstKey);
    let farA = finished(logitsOf(1u, pair), biasBase, query, farKey);
    let nearB = finished(logitsOf(2u, pair), biasBase, query + 1u, firstKey);
    let farB = finished(logitsOf(3u, pair), biasBase, query + 1u, farKey);
    let before = maximum;
    maximum = max(before, vec2<f32>(highestOf(nearA, farA), highestOf(nearB, farB)));
    let correction = exp(before - maximum);
    let weights = Logits(
      weightsOf(nearA, maximum.x, firstKey),
      weightsOf(farA, maximum.x, farKey),
      weightsOf(nearB, maximum.y, firstKey),
      weightsOf(farB, maximum.y, farKey),
    );
    sum = sum * correction +
      vec2<f32>(dot(weights.nearA + weights.farA, vec4<f32>(1.0)), dot(weights.nearB + weights.farB, vec4<f32>(1.0)));
    result0 = addValues(result0, correction, weights, quarter + 0u);
    result1 = addValues(result1, correction, weights, quarter + 4u);
    result2 = addValues(result2, correction, weights, quarter + 8u);
    result3 = addValues(result3, correction, weights, quarter + 12u);
#if WIDE
    result4 = addValues(result4, correction, weights, quarter + 16u);
    result5 = addValues(result5, correction, weights, quarter + 20u);
    result6 = addValues(result6, correction, weights, quarter + 24u);
    result7 = addValues(result7, correction, weights, quarter + 28u);
#endif
    stageKeys(keys, invocation);
  }
  let base = (batch * params.queries * params.heads + head) * params.valueWidth;
  storePair(base, query, column + 0u, result0, sum);
  storePair(base, query, column + 16u, result1, sum);
  storePair(base, query, column + 32u, result2, sum);
  storePair(base, query, column + 48u, result3, sum);
#if WIDE
  storePair(base, query, column + 64u, result4, sum);
  storePair(base, query, column + 80u, result5, sum);
  storePair(base, query, column + 96u, result6, sum);
  storePair(base, query, column + 112u, result7, sum);
#endif
}
