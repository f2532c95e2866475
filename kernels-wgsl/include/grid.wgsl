// A dispatch is a list of workgroups; lists longer than the device allows on one axis are folded over two.
fn workgroupNumber(id: vec3<u32>, count: vec3<u32>) -> u32 {
  return id.x + id.y * count.x;
}
