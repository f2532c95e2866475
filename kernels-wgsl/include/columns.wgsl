// Reductions along the middle axis of [outer, length, inner]: COLUMNS neighbouring columns share a workgroup, LANES
// invocations (a power of two) share a column, or each column has one of its own. Neighbouring invocations read
// neighbouring memory either way: many lanes when inner is 1, many columns when it is large.
// ALONG, ACROSS: buffers are read four elements at a time. ALONG: four of a column (inner is 1, the length a multiple of
// 4). ACROSS: those of four columns (inner is a multiple of 4), which count as one here. SINGLE: one element.
override COLUMNS: u32 = 1u;
override LANES: u32 = 64u;

#if SINGLE
alias element = scalar;
alias V = f32;
alias total = f32;
const EACH = 1u;
#endif
#if ALONG
alias element = vec4<scalar>;
alias V = vec4<f32>;
alias total = f32;
const EACH = 4u;
#endif
#if ACROSS
alias element = vec4<scalar>;
alias V = vec4<f32>;
alias total = vec4<f32>;
const EACH = 1u;
#endif

var<workgroup> partial: array<total, COLUMNS * LANES>;

const ADD = 0u;
const MAXIMUM = 1u;
const MINIMUM = 2u;

fn combine(how: u32, a: V, b: V) -> V {
  switch how {
    case MAXIMUM: {
      return max(a, b);
    }
    case MINIMUM: {
      return min(a, b);
    }
    default: {
      return a + b;
    }
  }
}

#if ALONG
fn combineTotals(how: u32, a: f32, b: f32) -> f32 {
  switch how {
    case MAXIMUM: {
      return max(a, b);
    }
    case MINIMUM: {
      return min(a, b);
    }
    default: {
      return a + b;
    }
  }
}

fn totalOf(how: u32, four: V) -> total {
  return combineTotals(how, combineTotals(how, four.x, four.y), combineTotals(how, four.z, four.w));
}
#else
fn combineTotals(how: u32, a: total, b: total) -> total {
  return combine(how, a, b);
}

fn totalOf(how: u32, value: V) -> total {
  return value;
}
#endif

// The values of all lanes of a column combined; every invocation of the workgroup must call it.
fn overLanes(how: u32, value: V, invocation: u32) -> total {
  let own = totalOf(how, value);
  if LANES == 1u {
    return own;
  }
  partial[invocation] = own;
  workgroupBarrier();
  for (var lanes = LANES / 2u; lanes > 0u; lanes /= 2u) {
    if invocation < lanes * COLUMNS {
      partial[invocation] = combineTotals(how, partial[invocation], partial[invocation + lanes * COLUMNS]);
    }
    workgroupBarrier();
  }
  let result = partial[invocation % COLUMNS];
  workgroupBarrier();
  return result;
}
