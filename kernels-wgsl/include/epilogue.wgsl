// What a product does to its result before storing it.
alias V = vec4<f32>;
#include "include/activation.wgsl"

const RELU = 1u;
const SILU = 2u;
const GELU = 3u;
const GELU_ERF = 4u;

fn activate(activation: u32, x: vec4<f32>) -> vec4<f32> {
  switch activation {
    case RELU: {
      return max(x, vec4<f32>());
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
