import { test } from "node:test";
import assert from "node:assert/strict";
import { NodeIO } from "@gltf-transform/core";
import validator from "gltf-validator";
import { encodeGlb } from "../../../lib/media/scenes/glb.ts";
import { encodeObj, encodePly } from "../../../lib/media/scenes/obj_and_ply.ts";
import type { SceneGeometry } from "../../../lib/media/scenes/scene_geometry.ts";

type ValidationOptions = Parameters<typeof validator.validateBytes>[1];

const tetrahedron: SceneGeometry = {
  positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
  triangles: Uint32Array.of(0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3),
  colours: Uint8Array.of(0, 0, 0, 255, 255, 255, 188, 0, 0, 0, 10, 128),
};
const points: SceneGeometry = {
  positions: Float32Array.of(1, 2, 3, -4, 5, 6, 7, -8, 9),
  colours: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9),
};

for (const [name, geometry] of Object.entries({ tetrahedron, points, bare: { positions: points.positions } })) {
  test(`encodeGlb() writes ${name} that the Khronos validator finds nothing wrong with`, async () => {
    const { issues } = await validator.validateBytes(
      encodeGlb(geometry, { rotation: [1, 0, 0, 0] }),
      {} as ValidationOptions,
    );
    assert.deepEqual(issues.messages, []);
  });

  test(`encodeGlb() writes ${name} that a glTF library reads back`, async () => {
    const document = await new NodeIO().readBinary(encodeGlb(geometry));
    const [primitive] = document.getRoot().listMeshes()[0].listPrimitives();
    assert.deepEqual([...primitive.getAttribute("POSITION")!.getArray()!], [...geometry.positions]);
    const triangles = "triangles" in geometry ? geometry.triangles : undefined;
    assert.deepEqual(primitive.getIndices()?.getArray(), triangles);
    assert.equal(primitive.getMode(), triangles ? 4 : 0);
  });
}

test("encodeGlb() makes colours linear and normals outward", async () => {
  const document = await new NodeIO().readBinary(encodeGlb(tetrahedron));
  const [primitive] = document.getRoot().listMeshes()[0].listPrimitives();
  const colour = primitive.getAttribute("COLOR_0")!.getElement(2, []);
  assert.ok(Math.abs(colour[0] - 0.5028864580325687) < 1e-5, `${colour}`);
  assert.deepEqual(colour.slice(1), [0, 0, 1]);
  const normal = primitive.getAttribute("NORMAL")!.getElement(0, []);
  normal.forEach((v) => assert.ok(Math.abs(v + Math.sqrt(1 / 3)) < 1e-6, `${normal}`));
});

test("encodePly() writes positions, colours and triangles where its header says", () => {
  const bytes = encodePly(tetrahedron);
  const text = new TextDecoder("latin1").decode(bytes);
  const head = text.slice(0, text.indexOf("end_header\n") + 11);
  assert.match(head, /^ply\nformat binary_little_endian 1\.0\nelement vertex 4\n/);
  assert.match(head, /element face 4\nproperty list uchar uint vertex_indices\nend_header\n$/);
  const view = new DataView(bytes.buffer, head.length);
  assert.equal(bytes.length, head.length + 4 * 15 + 4 * 13);
  assert.equal(view.getFloat32(15, true), 1);
  assert.equal(view.getUint8(2 * 15 + 12), 188);
  assert.equal(view.getUint8(60), 3);
  assert.deepEqual([1, 5, 9].map((at) => view.getUint32(60 + at, true)), [0, 2, 1]);
});

test("encodeObj() counts from one and keeps sRGB", () => {
  const lines = new TextDecoder().decode(encodeObj(tetrahedron)).split("\n");
  assert.equal(lines[2], "v 0 1 0 0.7373 0 0");
  assert.equal(lines[4], "f 1 3 2");
  assert.equal(new TextDecoder().decode(encodeObj({ positions: Float32Array.of(0.1, 1e-9, -2) })), "v 0.1 1e-9 -2\n");
});

test("the writers refuse what they cannot write", () => {
  const write = (geometry: SceneGeometry) =>
    [encodeGlb, encodeObj, encodePly].forEach((encode) => {
      assert.throws(() => encode(geometry), RangeError);
    });
  write({ positions: new Float32Array(4) });
  write({ positions: Float32Array.of(0, NaN, 0) });
  write({ positions: new Float32Array(3), colours: new Uint8Array(2) });
  write({ positions: new Float32Array(3), triangles: Uint32Array.of(0, 0, 1) });
  write({ positions: new Float32Array(3), triangles: Uint32Array.of(0, 0) });
  assert.throws(() => encodeGlb({ positions: new Float32Array() }), /no point/);
});
