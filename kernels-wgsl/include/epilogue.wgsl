// What a kernel does to its result before storing it; the including kernel declares V as f32 or vec4<f32>.
#include "include/activation.wgsl"

const RELU = 1u;
const SILU = 2u;
const GELU = 3u;
const GELU_ERF = 4u;

fn activate(activation: u32, x: V) -> V {
  switch activation {
    case RELU: {
      return max(x, V(0.0));
    }
    case SILU: {
      return siluOf(x);
    }
    case GELU: {
      return geluOf(x);
    }
    case GELU_ERF: {
      return geluErfOf(x);
    }
    default: {
      return x;
    }
  }
}
