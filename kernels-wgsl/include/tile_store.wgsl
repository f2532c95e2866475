// Hands an invocation's sums to storeQuad(row, column, values) of the including kernel, four columns at a time.
fn storeSums(s: Sums, tileRow: u32, tileColumn: u32, thread: vec2<u32>) {
#if WIDE
  var quads = array<vec4<f32>, 16>(
    s.b00.r0, s.b00.r1, s.b00.r2, s.b00.r3,
    s.b01.r0, s.b01.r1, s.b01.r2, s.b01.r3,
    s.b10.r0, s.b10.r1, s.b10.r2, s.b10.r3,
    s.b11.r0, s.b11.r1, s.b11.r2, s.b11.r3,
  );
#else
  var quads = array<vec4<f32>, 4>(s.b00.r0, s.b00.r1, s.b00.r2, s.b00.r3);
#endif
  let row = tileRow * THREAD_ROWS * GROUPS * 4u + thread.y * 4u;
  let column = tileColumn * THREAD_COLUMNS * GROUPS * 4u + thread.x * 4u;
  for (var i = 0u; i < 4u * GROUPS * GROUPS; i++) {
    let down = i / 8u * THREAD_ROWS * 4u + i % 4u;
    let right = i / 4u % 2u * THREAD_COLUMNS * 4u;
    storeQuad(row + down, column + right, quads[i]);
  }
}
