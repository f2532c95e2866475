/**
 * Points and surfaces as Wavefront OBJ and Stanford PLY files.
 *
 * @module
 */
import { joinBytes } from "../images/bytes.ts";
import { checkGeometry, type SceneGeometry } from "./scene_geometry.ts";

/**
 * Writes a binary little-endian PLY 1.0: positions as floats, colours as sRGB bytes, triangles as lists (Turk 1994).
 *
 * @throws {RangeError} when the geometry is not valid.
 */
export function encodePly(geometry: SceneGeometry): Uint8Array<ArrayBuffer> {
  checkGeometry("PLY", geometry);
  const { positions, colours, triangles } = geometry;
  const count = positions.length / 3;
  const faces = triangles ? triangles.length / 3 : 0;
  const head = new TextEncoder().encode([
    "ply",
    "format binary_little_endian 1.0",
    `element vertex ${count}`,
    ...["x", "y", "z"].map((name) => `property float ${name}`),
    ...(colours ? ["red", "green", "blue"].map((name) => `property uchar ${name}`) : []),
    ...(triangles ? [`element face ${faces}`, "property list uchar uint vertex_indices"] : []),
    "end_header\n",
  ].join("\n"));
  const stride = 12 + (colours ? 3 : 0);
  const out = new Uint8Array(head.length + count * stride + faces * 13);
  const view = new DataView(out.buffer);
  out.set(head);
  let at = head.length;
  for (let i = 0; i < count; i++, at += stride) {
    for (let c = 0; c < 3; c++) {
      view.setFloat32(at + 4 * c, positions[3 * i + c], true);
      if (colours) out[at + 12 + c] = colours[3 * i + c];
    }
  }
  for (let t = 0; t < faces; t++, at += 13) {
    out[at] = 3;
    for (let c = 0; c < 3; c++) view.setUint32(at + 1 + 4 * c, triangles![3 * t + c], true);
  }
  return out;
}

/** Lines that are joined before they are turned into bytes. */
const LINES = 4096;

/**
 * Writes a Wavefront OBJ: vertices, followed by sRGB colours in 0..1, as many programs read them, and triangles.
 *
 * @throws {RangeError} when the geometry is not valid.
 */
export function encodeObj(geometry: SceneGeometry): Uint8Array<ArrayBuffer> {
  checkGeometry("OBJ", geometry);
  const { positions, colours, triangles = new Uint32Array() } = geometry;
  const parts: Uint8Array[] = [];
  let lines: string[] = [];
  const add = (line: string) => {
    if (lines.push(line) === LINES) flush();
  };
  const flush = () => {
    if (lines.length > 0) parts.push(new TextEncoder().encode(`${lines.join("\n")}\n`));
    lines = [];
  };
  const number = (v: number, digits: number) => String(Number(v.toPrecision(digits)));
  for (let i = 0; i < positions.length; i += 3) {
    const place = [0, 1, 2].map((c) => number(positions[i + c], 7));
    const colour = colours ? [0, 1, 2].map((c) => number(colours[i + c] / 255, 4)) : [];
    add(`v ${[...place, ...colour].join(" ")}`);
  }
  for (let i = 0; i < triangles.length; i += 3) {
    add(`f ${triangles[i] + 1} ${triangles[i + 1] + 1} ${triangles[i + 2] + 1}`);
  }
  flush();
  return joinBytes(parts);
}
