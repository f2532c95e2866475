// Weights of attention_strips.wgsl apart from their logits.
// Elements, QUERIES * (KEYS + SKEW).
override WEIGHTS: u32 = 1280u;
var<workgroup> weightTile: array<part, WEIGHTS>;

fn putWeight(at: u32, weight: f32) {
  weightTile[at] = part(weight);
}
