// Weights of attention_strips.wgsl in the place of their logits, where both have 32 bits.
fn putWeight(at: u32, weight: f32) {
  logitTile[at] = weight;
}
