// The builtins of attention_strips.wgsl as loops.
const HELD = EDGE / 2u;
// The place of a strip in workgroup memory.
alias LeftStrip = u32;
alias SumStrip = array<f32, HELD>;

// What stands for the registers of left operands: QUERIES rows of STRIPS strips.
override QUERY_TILE: u32 = 1024u;
var<workgroup> queryTile: array<part, QUERY_TILE>;

var<workgroup> exchanged: array<f32, 128>;

fn rowMaximum(value: f32, invocation: u32) -> f32 {
  exchanged[invocation] = value;
  workgroupBarrier();
  var highest = value;
  for (var i = 0u; i < SHARERS; i++) {
    highest = max(highest, exchanged[invocation / SHARERS * SHARERS + i]);
  }
  workgroupBarrier();
  return highest;
}

fn rowSum(value: f32, invocation: u32) -> f32 {
  exchanged[invocation] = value;
  workgroupBarrier();
  var sum = 0.0;
  for (var i = 0u; i < SHARERS; i++) {
    sum += exchanged[invocation / SHARERS * SHARERS + i];
  }
  workgroupBarrier();
  return sum;
}

fn leftOfTile(at: u32, invocation: u32) -> LeftStrip {
  let lane = invocation % LANES;
  let place = invocation / LANES * EDGE * STRIPS * STRIP + at % (STRIPS * STRIP + SKEW);
  for (var i = 0u; i < HELD; i++) {
    let row = 2u * i + lane / STRIP;
    queryTile[place + row * STRIPS * STRIP + lane % STRIP] = tile[at + row * (STRIPS * STRIP + SKEW) + lane % STRIP];
  }
  return place;
}

fn leftOfWeights(at: u32, lane: u32) -> LeftStrip {
  return at;
}

fn timesKeys(left: LeftStrip, at: u32, before: SumStrip, lane: u32) -> SumStrip {
  var sums = before;
  for (var c = 0u; c < STRIP; c++) {
    let key = f32(tile[at + lane % STRIP * (STRIPS * STRIP + SKEW) + c]);
    for (var i = 0u; i < HELD; i++) {
      sums[i] += f32(queryTile[left + (2u * i + lane / STRIP) * STRIPS * STRIP + c]) * key;
    }
  }
  return sums;
}

fn timesValues(left: LeftStrip, at: u32, before: SumStrip, lane: u32) -> SumStrip {
  var sums = before;
  for (var c = 0u; c < STRIP; c++) {
    let value = f32(tile[at + c * (STRIPS * STRIP + SKEW) + lane % STRIP]);
    for (var i = 0u; i < HELD; i++) {
      sums[i] += f32(weightTile[left + (2u * i + lane / STRIP) * (KEYS + SKEW) + c]) * value;
    }
  }
  return sums;
}

fn stage(at: u32, sums: SumStrip, lane: u32) {
  var own = sums;
  for (var i = 0u; i < HELD; i++) {
    logitTile[at + (2u * i + lane / STRIP) * (KEYS + 4u) + lane % STRIP] = own[i];
  }
}

fn staged(at: u32, lane: u32) -> SumStrip {
  var sums: SumStrip;
  for (var i = 0u; i < HELD; i++) {
    sums[i] = logitTile[at + (2u * i + lane / STRIP) * (KEYS + 4u) + lane % STRIP];
  }
  return sums;
}
