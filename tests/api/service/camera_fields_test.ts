import assert from "node:assert/strict";
import { test } from "node:test";
import { readKnownCameras, readPoses } from "../../../lib/api/service/vision/camera_fields.ts";
import type { SvcError } from "../../../lib/errors/svc_error.ts";

const intrinsics = {
  ...{ imageWidth: 4, imageHeight: 2, normalizedFX: 1, normalizedFY: 1 },
  ...{ normalizedCX: 0.5, normalizedCY: 0.5 },
};
const extrinsics = { rotation: [1, 0, 0, 0, 1, 0, 0, 0, 1], translation: [0, 0, 0] };
const noFiles = { readText: () => Promise.resolve(undefined) };
const form = (value: unknown) => ({ texts: new Map([["cameras", [JSON.stringify(value)]]]), files: [] });
const known = (camera: Record<string, unknown>, more: Record<string, unknown> = {}) =>
  readKnownCameras(
    "relate the views",
    form({ schemaVersion: 1, cameras: [{ intrinsics, extrinsics, ...camera }], ...more }),
    [{ width: 4, height: 2 }],
    noFiles,
  );

test("readKnownCameras() names members of cameras that have no effect by their path", async () => {
  const read = await known({ name: "left", intrinsics: { ...intrinsics, focal: 3 } }, { made_by: "me" });
  assert.deepEqual(read?.cameras.length, 1);
  assert.deepEqual(read?.warnings, [
    'Ignored the unknown field "cameras.cameras[0].intrinsics.focal"',
    'Ignored the unknown field "cameras.cameras[0].name"',
    'Ignored the unknown field "cameras.made_by"',
  ]);
  // As this server writes them, and lenses that do not bend.
  const coordinateSystem = "world-from-cameras-x-right-y-down-z-forward";
  assert.deepEqual((await known({ intrinsics: { ...intrinsics, k1: 0 } }, { coordinateSystem }))?.warnings, []);
});

test("readKnownCameras() and readPoses() refuse what would change the result", async () => {
  const refused = (param: string) => (error: SvcError) => {
    assert.deepEqual([error.code, error.param], ["unsupported_parameter", param]);
    return true;
  };
  const bent = { ...intrinsics, k1: 0.1 };
  await assert.rejects(known({ intrinsics: bent }), refused("cameras.cameras[0].intrinsics.k1"));
  await assert.rejects(known({ pose: [1] }), refused("cameras.cameras[0].pose"));
  await assert.rejects(known({}, { convention: "opengl" }), refused("cameras.convention"));
  const poses = form({ schemaVersion: 1, cameras: [Array(16).fill(0)], scale: 2 });
  await assert.rejects(readPoses("make it", poses, 1, noFiles), refused("cameras.scale"));
});
