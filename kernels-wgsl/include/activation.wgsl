// Functions of one argument on V, which the including kernel declares as f32 or vec4<f32>.
// The built-in tanh overflows on some drivers and sin and cos are good to only 2^-11, so all three are computed here.

fn sigmoidOf(x: V) -> V {
  // e^80 is far below the largest f32, and 1 / (1 + e^80) below the smallest f32 that a sum can notice.
  return 1.0 / (1.0 + exp(min(-x, V(80.0))));
}

fn tanhOf(x: V) -> V {
  let e = exp(-2.0 * abs(x));
  let large = sign(x) * (1.0 - e) / (1.0 + e);
  // Near zero 1 - e cancels; the Taylor series is exact to f32 below 0.2.
  let s = x * x;
  let small = x * (1.0 + s * (-0.33333333 + s * (0.13333333 + s * -0.05396825)));
  return select(large, small, abs(x) < V(0.2));
}

// Abramowitz and Stegun 1964, formula 7.1.26, |error| <= 1.5e-7.
fn erfOf(x: V) -> V {
  let a = abs(x);
  let t = 1.0 / (1.0 + 0.3275911 * a);
  let p = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return sign(x) * (1.0 - p * exp(-a * a));
}

fn siluOf(x: V) -> V {
  return x * sigmoidOf(x);
}

// 0.5 x (1 + tanh u) = x sigmoid(2 u) with u = sqrt(2 / pi) (x + 0.044715 x^3).
fn geluOf(x: V) -> V {
  return x * sigmoidOf(1.5957691216 * (x + 0.044715 * x * x * x));
}

fn geluErfOf(x: V) -> V {
  return 0.5 * x * (1.0 + erfOf(x * 0.70710678));
}

// Radians beyond a whole number of quarter turns; pi / 2 in three parts whose first two multiply exactly
// (Cody and Waite 1980). Good to f32 for |x| below about 8000.
fn beyondQuarterTurns(x: V, turns: V) -> V {
  return ((x - turns * 1.5703125) - turns * 4.837512969970703125e-4) - turns * 7.54978995489188216e-8;
}

// Minimax polynomials of sine and cosine on [-pi/4, pi/4].
fn sinOfQuarter(r: V) -> V {
  let s = r * r;
  return r + r * s * (-0.16666654611 + s * (8.3321608736e-3 + s * -1.9515295891e-4));
}

fn cosOfQuarter(r: V) -> V {
  let s = r * r;
  return 1.0 - 0.5 * s + s * s * (4.166664568e-2 + s * (-1.388731625e-3 + s * 2.443315712e-5));
}

fn turnedSin(x: V, quarters: V) -> V {
  let turns = round(x * 0.6366197723675814);
  let r = beyondQuarterTurns(x, turns);
  let phase = turns + quarters;
  let quadrant = phase - 4.0 * floor(phase * 0.25);
  let odd = (quadrant == V(1.0)) | (quadrant == V(3.0));
  let value = select(sinOfQuarter(r), cosOfQuarter(r), odd);
  return select(value, -value, quadrant >= V(2.0));
}

fn sinOf(x: V) -> V {
  return turnedSin(x, V(0.0));
}

fn cosOf(x: V) -> V {
  return turnedSin(x, V(1.0));
}
