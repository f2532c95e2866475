/**
 * Point clouds that are small enough for a page.
 *
 * @module
 */

/** Bytes of a cloud or a mesh in a page, at most. */
export const MAX_PAGE_BYTES: number = 24 * 2 ** 20;

/**
 * A binary PLY of points, as `encodePly` writes it, thinned out evenly to at most `maxBytes`; a mesh of more is undefined.
 */
export function thinPoints(ply: Uint8Array, maxBytes: number = MAX_PAGE_BYTES): Uint8Array | undefined {
  if (ply.length <= maxBytes) return ply;
  const end = "end_header\n";
  const text = new TextDecoder("latin1").decode(ply.subarray(0, 1024));
  const start = text.indexOf(end) + end.length;
  const [, number] = /element vertex (\d+)/.exec(text) ?? [];
  if (start < end.length || number === undefined || text.includes("element face")) return undefined;
  const count = Number(number);
  const stride = (ply.length - start) / count;
  const step = Math.ceil(ply.length / maxBytes);
  const kept = Math.ceil(count / step);
  const head = new TextEncoder().encode(text.slice(0, start).replace(/element vertex \d+/, `element vertex ${kept}`));
  const out = new Uint8Array(head.length + kept * stride);
  out.set(head);
  for (let i = 0; i < kept; i++) {
    const from = start + i * step * stride;
    out.set(ply.subarray(from, from + stride), head.length + i * stride);
  }
  return out;
}
