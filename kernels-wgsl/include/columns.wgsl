// Reductions along the middle axis of [outer, length, inner]: COLUMNS neighbouring columns share a workgroup, LANES
// invocations (a power of two) share a column, or each column has one of its own. Neighbouring invocations read neighbouring memory either way: many
// lanes when inner is 1, many columns when it is large.
override COLUMNS: u32 = 1u;
override LANES: u32 = 64u;

var<workgroup> partial: array<f32, COLUMNS * LANES>;

const ADD = 0u;
const MAXIMUM = 1u;
const MINIMUM = 2u;

fn combine(how: u32, a: f32, b: f32) -> f32 {
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

// The values of all lanes of a column combined; every invocation of the workgroup must call it.
fn overLanes(how: u32, value: f32, invocation: u32) -> f32 {
  if LANES == 1u {
    return value;
  }
  partial[invocation] = value;
  workgroupBarrier();
  for (var lanes = LANES / 2u; lanes > 0u; lanes /= 2u) {
    if invocation < lanes * COLUMNS {
      partial[invocation] = combine(how, partial[invocation], partial[invocation + lanes * COLUMNS]);
    }
    workgroupBarrier();
  }
  let total = partial[invocation % COLUMNS];
  workgroupBarrier();
  return total;
}
