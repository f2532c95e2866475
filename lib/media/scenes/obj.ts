/**
 * OBJ writing.
 *
 * @module
 */
import { checkGeometry, type SceneGeometry } from "./scene_geometry.ts";

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
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
