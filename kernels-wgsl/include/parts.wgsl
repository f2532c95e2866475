// SPLIT: the inner axis of a product is divided among `parts` workgroups, as too few tiles would keep a GPU busy. Each
// writes its sums in f32, the parts one after the other, and sum_parts.wgsl adds them up, always in the same order. Bias
// and residual belong to the first part; the activation comes after the sum.
// A slab is an entry of the batch, and the slabs of the second part follow those of the first.
#if SPLIT
fn partOf(slab: u32) -> u32 {
  return slab / params.entries;
}

fn entryOf(slab: u32) -> u32 {
  return slab % params.entries;
}

fn slicesOf(slab: u32, slices: u32) -> vec2<u32> {
  let first = partOf(slab) * params.partSlices;
  return vec2<u32>(first, min(first + params.partSlices, slices));
}
#else
fn partOf(slab: u32) -> u32 {
  return 0u;
}

fn entryOf(slab: u32) -> u32 {
  return slab;
}

fn slicesOf(slab: u32, slices: u32) -> vec2<u32> {
  return vec2<u32>(0u, slices);
}
#endif
