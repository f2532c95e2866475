/**
 * Binary glTF writing.
 *
 * @module
 */
import { checkGeometry, type SceneGeometry } from "./scene_geometry.ts";

/** Placement of the geometry in the scene. */
interface GlbOptions {
  /** A turn of the whole as a quaternion x, y, z, w, such as half a turn about x for cameras that look along z. */
  readonly rotation?: readonly [number, number, number, number] | undefined;
}

const MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BINARY_CHUNK = 0x004e4942;
const FLOAT = 5126;
const UNSIGNED_SHORT = 5123;
const UNSIGNED_INT = 5125;
const ARRAY_BUFFER = 34962;
const ELEMENT_ARRAY_BUFFER = 34963;
const POINTS = 0;
const TRIANGLES = 4;

/**
 * Writes a glTF 2.0 file with one mesh: points, or a surface with smooth normals. Colours become linear, as glTF
 * demands, in 16 bits; y is up.
 *
 * @throws {RangeError} when the geometry is not valid or empty.
 */
export function encodeGlb(geometry: SceneGeometry, { rotation }: GlbOptions = {}): Uint8Array<ArrayBuffer> {
  checkGeometry("GLB", geometry);
  const { positions, colours, triangles } = geometry;
  if (positions.length === 0) throw new RangeError("Cannot write GLB: there is no point, expected one or more");
  const count = positions.length / 3;
  const views: { data: ArrayBufferView; stride?: number; target: number }[] = [];
  const accessors: Record<string, unknown>[] = [];
  const accessor = (data: ArrayBufferView, target: number, fields: Record<string, unknown>, stride?: number) => {
    views.push({ data, target, ...(stride !== undefined && { stride }) });
    return accessors.push({ bufferView: views.length - 1, ...fields }) - 1;
  };
  const attributes: Record<string, number> = {
    POSITION: accessor(positions, ARRAY_BUFFER, {
      componentType: FLOAT,
      count,
      type: "VEC3",
      ...range(positions),
    }),
  };
  if (triangles) {
    const normals = smoothNormals(positions, triangles);
    attributes.NORMAL = accessor(normals, ARRAY_BUFFER, { componentType: FLOAT, count, type: "VEC3" });
  }
  if (colours) {
    const fields = { componentType: UNSIGNED_SHORT, count, type: "VEC4", normalized: true };
    attributes.COLOR_0 = accessor(linearColours(colours), ARRAY_BUFFER, fields, 8);
  }
  const primitive: Record<string, unknown> = { attributes, mode: triangles ? TRIANGLES : POINTS, material: 0 };
  if (triangles) {
    const fields = { componentType: UNSIGNED_INT, count: triangles.length, type: "SCALAR" };
    primitive.indices = accessor(triangles, ELEMENT_ARRAY_BUFFER, fields);
  }
  let offset = 0;
  const bufferViews = views.map(({ data, stride, target }) => {
    const view = {
      buffer: 0,
      byteOffset: offset,
      byteLength: data.byteLength,
      ...(stride !== undefined && { byteStride: stride }),
      target,
    };
    offset += Math.ceil(data.byteLength / 4) * 4;
    return view;
  });
  const json = {
    asset: { version: "2.0", generator: "svc" },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0, ...(rotation && { rotation }) }],
    meshes: [{ primitives: [primitive] }],
    materials: [{ pbrMetallicRoughness: { metallicFactor: 0, roughnessFactor: 1 } }],
    accessors,
    bufferViews,
    buffers: [{ byteLength: offset }],
  };
  return assemble(json, views.map(({ data }) => data), offset);
}

function assemble(json: unknown, parts: readonly ArrayBufferView[], binaryLength: number): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(JSON.stringify(json));
  const textLength = Math.ceil(text.length / 4) * 4;
  const out = new Uint8Array(12 + 8 + textLength + 8 + binaryLength);
  const view = new DataView(out.buffer);
  [MAGIC, 2, out.length, textLength, JSON_CHUNK].forEach((word, i) => view.setUint32(4 * i, word, true));
  out.set(text, 20);
  out.fill(0x20, 20 + text.length, 20 + textLength);
  view.setUint32(20 + textLength, binaryLength, true);
  view.setUint32(24 + textLength, BINARY_CHUNK, true);
  let at = 28 + textLength;
  for (const part of parts) {
    out.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), at);
    at += Math.ceil(part.byteLength / 4) * 4;
  }
  return out;
}

function range(positions: Float32Array): { min: number[]; max: number[] } {
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  positions.forEach((v, i) => {
    min[i % 3] = Math.min(min[i % 3], v);
    max[i % 3] = Math.max(max[i % 3], v);
  });
  return { min, max };
}

/** Of every corner the sum of its triangles' normals, longer for larger triangles, at unit length. */
function smoothNormals(positions: Float32Array, triangles: Uint32Array): Float32Array {
  const sums = new Float64Array(positions.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const edge = (to: number, axis: number) => positions[to + axis] - positions[a + axis];
    for (let axis = 0; axis < 3; axis++) {
      const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
      const normal = edge(b, u) * edge(c, v) - edge(b, v) * edge(c, u);
      for (const corner of [a, b, c]) sums[corner + axis] += normal;
    }
  }
  const normals = new Float32Array(positions.length);
  for (let i = 0; i < sums.length; i += 3) {
    const length = Math.hypot(sums[i], sums[i + 1], sums[i + 2]);
    // A corner of triangles without area has no normal; any direction is as good.
    if (length > 0) { for (let c = 0; c < 3; c++) normals[i + c] = sums[i + c] / length; }
    else normals[i + 1] = 1;
  }
  return normals;
}

/** sRGB bytes to linear 16-bit numbers with an opaque alpha, [N,4] (IEC 61966-2-1). */
function linearColours(colours: Uint8Array): Uint16Array {
  const table = Uint16Array.from({ length: 256 }, (_, byte) => {
    const v = byte / 255;
    return Math.round(65535 * (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
  });
  const out = new Uint16Array(colours.length / 3 * 4);
  for (let i = 0, o = 0; i < colours.length; i += 3, o += 4) {
    for (let c = 0; c < 3; c++) out[o + c] = table[colours[i + c]];
    out[o + 3] = 65535;
  }
  return out;
}
