// Attention by subgroup matrices (Dao 2023, FlashAttention-2), for many queries.
//
//   output[b, i, h, :] = sum over j of softmax_j(scale * q[b, i, h, :] . k[b, j, h, :] + bias[b, h, i, j]) v[b, j, h, :]
//
// Operands and parameters are those of attention.wgsl; a part is 128 columns of the value width. Any width.
// Each of the 4 subgroups of a workgroup owns EDGE queries (attention_strips.wgsl): it keeps them and their results in
// registers, STRIPS strips of 16 columns each, and walks over the keys with the others, KEYS at a time. Where heads are
// wider than 128 columns, the queries are read again for each chunk of 128.
// Both products are of fragments with sums of 32 bits; logits, maximum and sum have 32 bits too, the weights have the type
// of the operands. Results are relative to a maximum that only follows the true one where that is more than GROWTH above
// it (Shah et al. 2024), since to scale them they must leave the registers. The next keys or values are read while the
// products of the last ones are computed. Five barriers for KEYS keys.
// Cost: queries * keys * (width + valueWidth) multiply-adds per head; keys and values are read once per 4 * EDGE queries.
// VEC: widths, strides of q, k and v are multiples of 4, read four at a time.
// Workgroup memory is at most 16 KiB with 16 keys, 27 KiB with 32.
#variants F16? VEC? MATRIX8|MATRIX16|EMULATED8|EMULATED16
#if MATRIX8
enable subgroups;
enable chromium_experimental_subgroup_matrix;
diagnostic(off, chromium.subgroup_matrix_uniformity);
#endif
#if MATRIX16
enable subgroups;
enable chromium_experimental_subgroup_matrix;
diagnostic(off, chromium.subgroup_matrix_uniformity);
#endif
#include "include/storage.wgsl"
#include "include/grid.wgsl"
#include "include/attention_strips.wgsl"
#include "include/attention_operands.wgsl"

const INVOCATIONS = 128u;
// Columns of a chunk of the head width, and of a part of the value width.
const CHUNK = 128u;
override CHUNKS: u32 = 1u;
const LOWEST = -3.4028234e38;
// A weight may be e^GROWTH, which is far below the largest float of 16 bits.
const GROWTH = 8.0;

// The keys from which on a row's maximum has last grown too far.
var<workgroup> grown: u32;

// The queries or results of a subgroup.
struct Queries {
  a: LeftStrip,
  b: LeftStrip,
  c: LeftStrip,
  d: LeftStrip,
  e: LeftStrip,
  f: LeftStrip,
  g: LeftStrip,
  h: LeftStrip,
}

struct Results {
  a: SumStrip,
  b: SumStrip,
  c: SumStrip,
  d: SumStrip,
  e: SumStrip,
  f: SumStrip,
  g: SumStrip,
  h: SumStrip,
}

// What an invocation has read of the next keys or values.
struct Ahead {
  a: vec4<part>,
  b: vec4<part>,
  c: vec4<part>,
  d: vec4<part>,
  e: vec4<part>,
  f: vec4<part>,
  g: vec4<part>,
  h: vec4<part>,
}

// Logits of the keys that an invocation weighs.
struct Share {
  a: vec4<f32>,
  b: vec4<f32>,
  c: vec4<f32>,
  d: vec4<f32>,
}

const ROW_QUADS = STRIP / 4u;

fn putQuad(number: u32, values: vec4<part>) {
  let row = number / (STRIPS * ROW_QUADS);
  let at = row * (STRIPS * STRIP + SKEW) + number % (STRIPS * ROW_QUADS) * 4u;
  if row < KEYS {
    tile[at] = values.x;
    tile[at + 1u] = values.y;
    tile[at + 2u] = values.z;
    tile[at + 3u] = values.w;
  }
}

fn put(ahead: Ahead, i: u32) {
  putQuad(i, ahead.a);
  putQuad(i + INVOCATIONS, ahead.b);
  if KEYS * STRIPS > 64u {
    putQuad(i + 2u * INVOCATIONS, ahead.c);
    putQuad(i + 3u * INVOCATIONS, ahead.d);
  }
  if KEYS * STRIPS > 128u {
    putQuad(i + 4u * INVOCATIONS, ahead.e);
    putQuad(i + 5u * INVOCATIONS, ahead.f);
    putQuad(i + 6u * INVOCATIONS, ahead.g);
    putQuad(i + 7u * INVOCATIONS, ahead.h);
  }
}

fn keyQuad(number: u32, base: u32, firstKey: u32, firstColumn: u32) -> vec4<part> {
  let row = number / (STRIPS * ROW_QUADS);
  let key = firstKey + row;
  let column = firstColumn + number % (STRIPS * ROW_QUADS) * 4u;
  if row < KEYS && key < params.keys && column < params.width {
    return kQuad(base + key * params.kStrides.y, column);
  }
  return vec4<part>();
}

fn readKeys(base: u32, firstKey: u32, firstColumn: u32, i: u32) -> Ahead {
  var ahead: Ahead;
  ahead.a = keyQuad(i, base, firstKey, firstColumn);
  ahead.b = keyQuad(i + INVOCATIONS, base, firstKey, firstColumn);
  if KEYS * STRIPS > 64u {
    ahead.c = keyQuad(i + 2u * INVOCATIONS, base, firstKey, firstColumn);
    ahead.d = keyQuad(i + 3u * INVOCATIONS, base, firstKey, firstColumn);
  }
  if KEYS * STRIPS > 128u {
    ahead.e = keyQuad(i + 4u * INVOCATIONS, base, firstKey, firstColumn);
    ahead.f = keyQuad(i + 5u * INVOCATIONS, base, firstKey, firstColumn);
    ahead.g = keyQuad(i + 6u * INVOCATIONS, base, firstKey, firstColumn);
    ahead.h = keyQuad(i + 7u * INVOCATIONS, base, firstKey, firstColumn);
  }
  return ahead;
}

fn valueQuad(number: u32, base: u32, firstKey: u32, firstColumn: u32) -> vec4<part> {
  let row = number / (STRIPS * ROW_QUADS);
  let key = firstKey + row;
  let column = firstColumn + number % (STRIPS * ROW_QUADS) * 4u;
  if row < KEYS && key < params.keys && column < params.valueWidth {
    return vQuad(base + key * params.vStrides.y, column);
  }
  return vec4<part>();
}

fn readValues(base: u32, firstKey: u32, firstColumn: u32, i: u32) -> Ahead {
  var ahead: Ahead;
  ahead.a = valueQuad(i, base, firstKey, firstColumn);
  ahead.b = valueQuad(i + INVOCATIONS, base, firstKey, firstColumn);
  if KEYS * STRIPS > 64u {
    ahead.c = valueQuad(i + 2u * INVOCATIONS, base, firstKey, firstColumn);
    ahead.d = valueQuad(i + 3u * INVOCATIONS, base, firstKey, firstColumn);
  }
  if KEYS * STRIPS > 128u {
    ahead.e = valueQuad(i + 4u * INVOCATIONS, base, firstKey, firstColumn);
    ahead.f = valueQuad(i + 5u * INVOCATIONS, base, firstKey, firstColumn);
    ahead.g = valueQuad(i + 6u * INVOCATIONS, base, firstKey, firstColumn);
    ahead.h = valueQuad(i + 7u * INVOCATIONS, base, firstKey, firstColumn);
  }
  return ahead;
}

// Stages a chunk of the queries of all subgroups, KEYS rows at a time; each takes its own.
fn takeQueries(queries: ptr<function, Queries>, base: u32, firstQuery: u32, firstColumn: u32, invocation: u32) {
  let own = invocation / LANES * EDGE;
  let at = own % KEYS * (STRIPS * STRIP + SKEW);
  for (var first = 0u; first < QUERIES; first += KEYS) {
    for (var i = invocation; i < KEYS * STRIPS * ROW_QUADS; i += INVOCATIONS) {
      let query = firstQuery + first + i / (STRIPS * ROW_QUADS);
      let column = firstColumn + i % (STRIPS * ROW_QUADS) * 4u;
      var quad = vec4<part>();
      if query < params.queries && column < params.width {
        quad = qQuad(base + query * params.qStrides.y, column);
      }
      putQuad(i, quad);
    }
    workgroupBarrier();
    if first == own / KEYS * KEYS {
      (*queries).a = leftOfTile(at, invocation);
      if STRIPS > 1u {
        (*queries).b = leftOfTile(at + STRIP, invocation);
      }
      if STRIPS > 2u {
        (*queries).c = leftOfTile(at + 2u * STRIP, invocation);
      }
      if STRIPS > 3u {
        (*queries).d = leftOfTile(at + 3u * STRIP, invocation);
      }
      if STRIPS > 4u {
        (*queries).e = leftOfTile(at + 4u * STRIP, invocation);
      }
      if STRIPS > 5u {
        (*queries).f = leftOfTile(at + 5u * STRIP, invocation);
      }
      if STRIPS > 6u {
        (*queries).g = leftOfTile(at + 6u * STRIP, invocation);
      }
      if STRIPS > 7u {
        (*queries).h = leftOfTile(at + 7u * STRIP, invocation);
      }
    }
    workgroupBarrier();
  }
}

// Adds the products of a chunk of the queries with 16 keys, the first of which is a row of the tile.
fn addLogits(before: SumStrip, queries: ptr<function, Queries>, row: u32, lane: u32) -> SumStrip {
  let at = row * (STRIPS * STRIP + SKEW);
  var sums = timesKeys((*queries).a, at, before, lane);
  if STRIPS > 1u {
    sums = timesKeys((*queries).b, at + STRIP, sums, lane);
  }
  if STRIPS > 2u {
    sums = timesKeys((*queries).c, at + 2u * STRIP, sums, lane);
  }
  if STRIPS > 3u {
    sums = timesKeys((*queries).d, at + 3u * STRIP, sums, lane);
  }
  if STRIPS > 4u {
    sums = timesKeys((*queries).e, at + 4u * STRIP, sums, lane);
  }
  if STRIPS > 5u {
    sums = timesKeys((*queries).f, at + 5u * STRIP, sums, lane);
  }
  if STRIPS > 6u {
    sums = timesKeys((*queries).g, at + 6u * STRIP, sums, lane);
  }
  if STRIPS > 7u {
    sums = timesKeys((*queries).h, at + 7u * STRIP, sums, lane);
  }
  return sums;
}

// Adds the products of the weights of 16 keys with their values, the first of which is a row of the tile.
fn addValues(results: ptr<function, Results>, weights: LeftStrip, row: u32, lane: u32) {
  let at = row * (STRIPS * STRIP + SKEW);
  (*results).a = timesValues(weights, at, (*results).a, lane);
  if STRIPS > 1u {
    (*results).b = timesValues(weights, at + STRIP, (*results).b, lane);
  }
  if STRIPS > 2u {
    (*results).c = timesValues(weights, at + 2u * STRIP, (*results).c, lane);
  }
  if STRIPS > 3u {
    (*results).d = timesValues(weights, at + 3u * STRIP, (*results).d, lane);
  }
  if STRIPS > 4u {
    (*results).e = timesValues(weights, at + 4u * STRIP, (*results).e, lane);
  }
  if STRIPS > 5u {
    (*results).f = timesValues(weights, at + 5u * STRIP, (*results).f, lane);
  }
  if STRIPS > 6u {
    (*results).g = timesValues(weights, at + 6u * STRIP, (*results).g, lane);
  }
  if STRIPS > 7u {
    (*results).h = timesValues(weights, at + 7u * STRIP, (*results).h, lane);
  }
}

// The strip with every row multiplied by the factor of the invocations that share it.
fn scaled(sums: SumStrip, factor: f32, invocation: u32) -> SumStrip {
  const OWN = STRIP / SHARERS;
  let lane = invocation % LANES;
  let place = invocation / LANES * EDGE * (KEYS + 4u);
  let first = place + lane / SHARERS * (KEYS + 4u) + lane % SHARERS * OWN;
  stage(place, sums, lane);
  workgroupBarrier();
  for (var i = 0u; i < OWN; i++) {
    logitTile[first + i] *= factor;
  }
  workgroupBarrier();
  let result = staged(place, lane);
  workgroupBarrier();
  return result;
}

fn scaleAll(results: ptr<function, Results>, factor: f32, invocation: u32) {
  (*results).a = scaled((*results).a, factor, invocation);
  if STRIPS > 1u {
    (*results).b = scaled((*results).b, factor, invocation);
  }
  if STRIPS > 2u {
    (*results).c = scaled((*results).c, factor, invocation);
  }
  if STRIPS > 3u {
    (*results).d = scaled((*results).d, factor, invocation);
  }
  if STRIPS > 4u {
    (*results).e = scaled((*results).e, factor, invocation);
  }
  if STRIPS > 5u {
    (*results).f = scaled((*results).f, factor, invocation);
  }
  if STRIPS > 6u {
    (*results).g = scaled((*results).g, factor, invocation);
  }
  if STRIPS > 7u {
    (*results).h = scaled((*results).h, factor, invocation);
  }
}

fn storeStrip(sums: SumStrip, factor: f32, base: u32, query: u32, firstColumn: u32, invocation: u32) {
  const OWN = STRIP / SHARERS;
  let lane = invocation % LANES;
  let place = invocation / LANES * EDGE * (KEYS + 4u);
  let first = place + lane / SHARERS * (KEYS + 4u) + lane % SHARERS * OWN;
  stage(place, sums, lane);
  workgroupBarrier();
  if query < params.queries {
    let column = firstColumn + lane % SHARERS * OWN;
    let at = base + query * params.heads * params.valueWidth + column;
    for (var i = 0u; i < OWN; i++) {
      if column + i < params.valueWidth {
        output[at + i] = scalar(logitTile[first + i] * factor);
      }
    }
  }
  workgroupBarrier();
}

// Scaled and biased logits of four keys; those beyond the last key are the lowest number.
fn finished(at: u32, biasBase: u32, query: u32, firstKey: u32) -> vec4<f32> {
  let keys = vec4<u32>(firstKey) + vec4<u32>(0u, 1u, 2u, 3u);
  var logits = vec4<f32>(logitTile[at], logitTile[at + 1u], logitTile[at + 2u], logitTile[at + 3u]) * params.scale;
  if params.hasBias != 0u && query < params.queries {
    let place = vec4<u32>(biasBase + query * params.biasStrides.z) +
      min(keys, vec4<u32>(params.keys - 1u)) * params.biasStrides.w;
    logits += vec4<f32>(f32(bias[place.x]), f32(bias[place.y]), f32(bias[place.z]), f32(bias[place.w]));
  }
  return select(vec4<f32>(LOWEST), max(logits, vec4<f32>(LOWEST)), keys < vec4<u32>(params.keys));
}

fn highestOf(four: vec4<f32>) -> f32 {
  return max(max(four.x, four.y), max(four.z, four.w));
}

// Stores the weights of four keys relative to a maximum and gives their sum.
fn weigh(logits: vec4<f32>, maximum: f32, at: u32, firstKey: u32) -> f32 {
  let keys = vec4<u32>(firstKey) + vec4<u32>(0u, 1u, 2u, 3u);
  let weights = select(vec4<f32>(), exp(logits - vec4<f32>(maximum)), keys < vec4<u32>(params.keys));
  putWeight(at, weights.x);
  putWeight(at + 1u, weights.y);
  putWeight(at + 2u, weights.z);
  putWeight(at + 3u, weights.w);
  return weights.x + weights.y + weights.z + weights.w;
}

@compute @workgroup_size(INVOCATIONS)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_index) invocation: u32,
) {
  let workgroup = workgroupNumber(id, count);
  if workgroup >= params.workgroups {
    return;
  }
  let firstColumn = workgroup % params.parts * CHUNK;
  let firstQuery = workgroup / params.parts % params.queryTiles * QUERIES;
  let head = workgroup / (params.parts * params.queryTiles) % params.heads;
  let batch = workgroup / (params.parts * params.queryTiles * params.heads);
  let qBase = params.qStrides.w + batch * params.qStrides.x + head * params.qStrides.z;
  let kBase = params.kStrides.w + batch * params.kStrides.x + head * params.kStrides.z;
  let vBase = params.vStrides.w + batch * params.vStrides.x + head * params.vStrides.z;
  let biasBase = params.biasStart + batch * params.biasStrides.x + head * params.biasStrides.y;
  let lane = invocation % LANES;
  let group = invocation / LANES;
  // The row of this invocation, which weighs a range of its keys.
  let row = group * EDGE + lane / SHARERS;
  let share = KEYS / SHARERS;
  let firstOwn = lane % SHARERS * share;
  let logitAt = row * (KEYS + 4u) + firstOwn;
  let weightOwn = row * (KEYS + SKEW) + firstOwn;
  let query = firstQuery + row;
  if invocation == 0u {
    grown = 0u;
  }
  var queries: Queries;
  if CHUNKS == 1u {
    takeQueries(&queries, qBase, firstQuery, 0u, invocation);
  }
  var results: Results;
  var maximum = LOWEST;
  var sum = 0.0;
  var ahead: Ahead;
  if CHUNKS == 1u {
    ahead = readKeys(kBase, 0u, 0u, invocation);
  }
  for (var firstKey = 0u; firstKey < params.keys; firstKey += KEYS) {
    var near = SumStrip();
    var far = SumStrip();
    for (var chunk = 0u; chunk < CHUNKS; chunk++) {
      if CHUNKS > 1u {
        takeQueries(&queries, qBase, firstQuery, chunk * CHUNK, invocation);
        ahead = readKeys(kBase, firstKey, chunk * CHUNK, invocation);
      }
      put(ahead, invocation);
      workgroupBarrier();
      if chunk + 1u == CHUNKS {
        ahead = readValues(vBase, firstKey, firstColumn, invocation);
      }
      near = addLogits(near, &queries, 0u, lane);
      if KEYS > STRIP {
        far = addLogits(far, &queries, STRIP, lane);
      }
      if chunk + 1u < CHUNKS {
        workgroupBarrier();
      }
    }
    stage(group * EDGE * (KEYS + 4u), near, lane);
    if KEYS > STRIP {
      stage(group * EDGE * (KEYS + 4u) + STRIP, far, lane);
    }
    workgroupBarrier();

    put(ahead, invocation);
    let key = firstKey + firstOwn;
    var logits = Share(vec4<f32>(LOWEST), vec4<f32>(LOWEST), vec4<f32>(LOWEST), vec4<f32>(LOWEST));
    logits.a = finished(logitAt, biasBase, query, key);
    if KEYS > SHARERS * 4u {
      logits.b = finished(logitAt + 4u, biasBase, query, key + 4u);
    }
    if KEYS > SHARERS * 8u {
      logits.c = finished(logitAt + 8u, biasBase, query, key + 8u);
      logits.d = finished(logitAt + 12u, biasBase, query, key + 12u);
    }
    let highest = rowMaximum(highestOf(max(max(logits.a, logits.b), max(logits.c, logits.d))), invocation);
    var correction = 1.0;
    if firstKey == 0u {
      maximum = highest;
    } else if highest > maximum + GROWTH {
      correction = exp(maximum - highest);
      maximum = highest;
      grown = firstKey; // whoever writes writes the same
    }
    sum = sum * correction + weigh(logits.a, maximum, weightOwn, key);
    if KEYS > SHARERS * 4u {
      sum += weigh(logits.b, maximum, weightOwn + 4u, key + 4u);
    }
    if KEYS > SHARERS * 8u {
      sum += weigh(logits.c, maximum, weightOwn + 8u, key + 8u);
      sum += weigh(logits.d, maximum, weightOwn + 12u, key + 12u);
    }
    let growing = workgroupUniformLoad(&grown);

    if CHUNKS == 1u {
      ahead = readKeys(kBase, firstKey + KEYS, 0u, invocation);
    }
    let weightRow = group * EDGE * (KEYS + SKEW);
    let nearWeights = leftOfWeights(weightRow, lane);
    var farWeights: LeftStrip;
    if KEYS > STRIP {
      farWeights = leftOfWeights(weightRow + STRIP, lane);
    }
    if growing == firstKey && firstKey > 0u {
      // The weights have been taken, where they are may be their logits' place.
      workgroupBarrier();
      scaleAll(&results, correction, invocation);
    }
    addValues(&results, nearWeights, 0u, lane);
    if KEYS > STRIP {
      addValues(&results, farWeights, STRIP, lane);
    }
    workgroupBarrier();
  }

  let factor = 1.0 / rowSum(sum, invocation);
  let base = (batch * params.queries * params.heads + head) * params.valueWidth;
  storeStrip(results.a, factor, base, query, firstColumn, invocation);
  if STRIPS > 1u {
    storeStrip(results.b, factor, base, query, firstColumn + STRIP, invocation);
  }
  if STRIPS > 2u {
    storeStrip(results.c, factor, base, query, firstColumn + 2u * STRIP, invocation);
  }
  if STRIPS > 3u {
    storeStrip(results.d, factor, base, query, firstColumn + 3u * STRIP, invocation);
  }
  if STRIPS > 4u {
    storeStrip(results.e, factor, base, query, firstColumn + 4u * STRIP, invocation);
  }
  if STRIPS > 5u {
    storeStrip(results.f, factor, base, query, firstColumn + 5u * STRIP, invocation);
  }
  if STRIPS > 6u {
    storeStrip(results.g, factor, base, query, firstColumn + 6u * STRIP, invocation);
  }
  if STRIPS > 7u {
    storeStrip(results.h, factor, base, query, firstColumn + 7u * STRIP, invocation);
  }
}
