// Attention without ever storing the logits (Milakov and Gimelshein 2018; Dao et al. 2022).
//
//   output[b, i, h, :] = sum over j of softmax_j(scale * q[b, i, h, :] . k[b, j, h, :] + bias[b, h, i, j]) v[b, j, h, :]
//
// q [B, queries, heads, width], k [B, keys, heads, width], v [B, keys, heads, valueWidth], each with its own strides of
// batch, token and head and own start; bias with strides of batch, head, query and key (0 where it is broadcast) when
// hasBias; output [B, queries, heads, valueWidth], dense. Any width.
// A workgroup owns 32 queries of one head and a part of 64 (128 when WIDE) of the value width. It walks over the keys,
// 32 at a time: logits, running maximum, weights, products with v. Invocation (x, y) of 16 x 8 owns the logits of
// queries 4y .. 4y + 3 with keys x and x + 16, and of the products four columns (and four more when WIDE).
// Cost: queries * keys * (width + valueWidth) multiply-adds per head; keys and values are read once per 32 queries.
// VEC: widths, strides of q, k and v are multiples of 4, read four at a time.
#variants F16? VEC? WIDE?
#include "include/storage.wgsl"
#include "include/grid.wgsl"
alias part = f32;
#include "include/attention_operands.wgsl"

const QUERIES = 32u;
const KEYS = 32u;
// Elements of the head width that are staged at once, in vec4s.
const CHUNK = 8u;
#if WIDE
const GROUPS = 2u;
#else
const GROUPS = 1u;
#endif
// Vec4s of the value width that a workgroup owns, and keys whose values are staged at once.
const PART = 16u * GROUPS;
const VALUE_KEYS = 16u;
const LOWEST = -3.4028234e38;

// First 32 queries and 32 keys by CHUNK, then VALUE_KEYS values by PART.
var<workgroup> stage: array<vec4<f32>, 512>;
var<workgroup> weights: array<f32, 1024>;
var<workgroup> quarters: array<f32, 128>;
var<workgroup> rowMaximum: array<f32, 32>;
var<workgroup> rowSum: array<f32, 32>;
var<workgroup> rowScale: array<f32, 32>;

// The products of four queries with two keys.
struct Logits {
  near: vec4<f32>,
  far: vec4<f32>,
}

fn logitsOf(qBase: u32, kBase: u32, firstQuery: u32, firstKey: u32, thread: vec2<u32>, invocation: u32) -> Logits {
  var sums: Logits;
  for (var c = 0u; c < params.width; c += CHUNK * 4u) {
    for (var i = invocation; i < (QUERIES + KEYS) * CHUNK; i += 128u) {
      let token = i / CHUNK;
      let at = c + i % CHUNK * 4u;
      var quad = vec4<f32>();
      if at < params.width {
        if token < QUERIES {
          if firstQuery + token < params.queries {
            quad = qQuad(qBase + (firstQuery + token) * params.qStrides.y, at);
          }
        } else if firstKey + token - QUERIES < params.keys {
          quad = kQuad(kBase + (firstKey + token - QUERIES) * params.kStrides.y, at);
        }
      }
      stage[i] = quad;
    }
    workgroupBarrier();
    for (var i = 0u; i < CHUNK; i++) {
      let query = thread.y * 4u * CHUNK + i;
      let q0 = stage[query];
      let q1 = stage[query + CHUNK];
      let q2 = stage[query + 2u * CHUNK];
      let q3 = stage[query + 3u * CHUNK];
      let near = stage[(QUERIES + thread.x) * CHUNK + i];
      let far = stage[(QUERIES + 16u + thread.x) * CHUNK + i];
      sums.near += vec4<f32>(dot(q0, near), dot(q1, near), dot(q2, near), dot(q3, near));
      sums.far += vec4<f32>(dot(q0, far), dot(q1, far), dot(q2, far), dot(q3, far));
    }
    workgroupBarrier();
  }
  return sums;
}

// Scaled and biased logit, or the lowest number beyond the last key so that it weighs nothing.
fn finished(product: f32, biasBase: u32, query: u32, key: u32) -> f32 {
  if key >= params.keys {
    return LOWEST;
  }
  var logit = product * params.scale;
  if params.hasBias != 0u {
    if query < params.queries {
      logit += f32(bias[biasBase + query * params.biasStrides.z + key * params.biasStrides.w]);
    }
  }
  return max(logit, LOWEST);
}

fn storeLogits(logits: Logits, biasBase: u32, firstQuery: u32, firstKey: u32, thread: vec2<u32>) {
  for (var i = 0u; i < 4u; i++) {
    let query = thread.y * 4u + i;
    weights[query * KEYS + thread.x] =
      finished(logits.near[i], biasBase, firstQuery + query, firstKey + thread.x);
    weights[query * KEYS + thread.x + 16u] =
      finished(logits.far[i], biasBase, firstQuery + query, firstKey + thread.x + 16u);
  }
}

// Turns the stored logits into weights relative to the running maximum; four invocations share a query.
fn weigh(invocation: u32, firstKey: u32) {
  let query = invocation / 4u;
  let first = query * KEYS + invocation % 4u * 8u;
  var highest = LOWEST;
  for (var i = 0u; i < 8u; i++) {
    highest = max(highest, weights[first + i]);
  }
  quarters[invocation] = highest;
  workgroupBarrier();
  let before = rowMaximum[query];
  let four = query * 4u;
  let maximum = max(
    max(before, max(quarters[four], quarters[four + 1u])),
    max(quarters[four + 2u], quarters[four + 3u]),
  );
  var sum = 0.0;
  for (var i = 0u; i < 8u; i++) {
    // Where the bias hides every key, so that all logits are the lowest number, keys beyond the last still weigh nothing.
    let isKey = firstKey + invocation % 4u * 8u + i < params.keys;
    let weight = select(0.0, exp(weights[first + i] - maximum), isKey);
    weights[first + i] = weight;
    sum += weight;
  }
  workgroupBarrier();
  quarters[invocation] = sum;
  workgroupBarrier();
  if invocation % 4u == 0u {
    let correction = exp(before - maximum);
    rowMaximum[query] = maximum;
    rowScale[query] = correction;
    rowSum[query] = rowSum[query] * correction + quarters[four] + quarters[four + 1u] + quarters[four + 2u] +
      quarters[four + 3u];
  }
  workgroupBarrier();
}

// The products of four queries with four columns of the values.
struct Products {
  r0: vec4<f32>,
  r1: vec4<f32>,
  r2: vec4<f32>,
  r3: vec4<f32>,
}

fn rescaled(p: Products, query: u32) -> Products {
  return Products(
    p.r0 * rowScale[query],
    p.r1 * rowScale[query + 1u],
    p.r2 * rowScale[query + 2u],
    p.r3 * rowScale[query + 3u],
  );
}

fn addValues(p: Products, query: u32, key: u32, value: vec4<f32>) -> Products {
  let at = query * KEYS + key;
  return Products(
    p.r0 + weights[at] * value,
    p.r1 + weights[at + KEYS] * value,
    p.r2 + weights[at + 2u * KEYS] * value,
    p.r3 + weights[at + 3u * KEYS] * value,
  );
}

fn storeProducts(base: u32, p: Products, firstQuery: u32, column: u32, query: u32) {
  let rows = array<vec4<f32>, 4>(p.r0, p.r1, p.r2, p.r3);
  for (var i = 0u; i < 4u; i++) {
    let token = firstQuery + query + i;
    if token < params.queries {
      let values = rows[i] / rowSum[query + i];
      let at = base + token * params.heads * params.valueWidth + column;
      for (var j = 0u; j < 4u; j++) {
        if column + j < params.valueWidth {
          output[at + j] = scalar(values[j]);
        }
      }
    }
  }
}

@compute @workgroup_size(16, 8)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_id) local: vec3<u32>,
  @builtin(local_invocation_index) invocation: u32,
) {
  let workgroup = workgroupNumber(id, count);
  if workgroup >= params.workgroups {
    return;
  }
  let part = workgroup % params.parts;
  let firstQuery = workgroup / params.parts % params.queryTiles * QUERIES;
  let head = workgroup / (params.parts * params.queryTiles) % params.heads;
  let batch = workgroup / (params.parts * params.queryTiles * params.heads);
  let qBase = params.qStrides.w + batch * params.qStrides.x + head * params.qStrides.z;
  let kBase = params.kStrides.w + batch * params.kStrides.x + head * params.kStrides.z;
  let vBase = params.vStrides.w + batch * params.vStrides.x + head * params.vStrides.z;
  let biasBase = params.biasStart + batch * params.biasStrides.x + head * params.biasStrides.y;
  let firstColumn = part * PART * 4u;
  let query = local.y * 4u;
  if invocation < QUERIES {
    rowMaximum[invocation] = LOWEST;
    rowSum[invocation] = 0.0;
  }
  workgroupBarrier();
  var near: Products;
#if WIDE
  var far: Products;
#endif
  for (var firstKey = 0u; firstKey < params.keys; firstKey += KEYS) {
    let logits = logitsOf(qBase, kBase, firstQuery, firstKey, local.xy, invocation);
    storeLogits(logits, biasBase, firstQuery, firstKey, local.xy);
    workgroupBarrier();
    weigh(invocation, firstKey);
    near = rescaled(near, query);
#if WIDE
    far = rescaled(far, query);
#endif
    for (var half = 0u; half < KEYS; half += VALUE_KEYS) {
      for (var i = invocation; i < VALUE_KEYS * PART; i += 128u) {
        let key = firstKey + half + i / PART;
        let column = firstColumn + i % PART * 4u;
        var quad = vec4<f32>();
        if key < params.keys && column < params.valueWidth {
          quad = vQuad(vBase + key * params.vStrides.y, column);
        }
        stage[i] = quad;
      }
      workgroupBarrier();
      for (var j = 0u; j < VALUE_KEYS; j++) {
        near = addValues(near, query, half + j, stage[j * PART + local.x]);
#if WIDE
        far = addValues(far, query, half + j, stage[j * PART + 16u + local.x]);
#endif
      }
      workgroupBarrier();
    }
  }
  let base = (batch * params.queries * params.heads + head) * params.valueWidth;
  storeProducts(base, near, firstQuery, firstColumn + local.x * 4u, query);
#if WIDE
  storeProducts(base, far, firstQuery, firstColumn + 64u + local.x * 4u, query);
#endif
}
