import { test } from "node:test";
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import parseExr from "parse-exr";
import { decodeImage, openMedia } from "../../../lib/media/mod.ts";
import type { MultiViewScene } from "../../../lib/models/depth_anything3/open_depth_anything3.ts";
import { selectPoints } from "../../../lib/models/depth_anything3/select_points.ts";
import {
  type Artifact,
  describeArtifact,
  manifestArtifact,
  sortEntries,
} from "../../../lib/models/vision/artifacts/artifact.ts";
import {
  depthFrameExr,
  depthFramePreview,
  reviewVideo,
} from "../../../lib/models/vision/artifacts/depth_frame_artifacts.ts";
import { geometryArtifacts } from "../../../lib/models/vision/artifacts/geometry_artifacts.ts";
import { meshArtifacts, sceneArtifacts, viewArtifacts } from "../../../lib/models/vision/artifacts/scene_artifacts.ts";
import { recoverGeometry } from "../../../lib/models/moge2/geometry.ts";

const kinds = (artifacts: readonly Artifact[]) => artifacts.map(({ kind }) => kind);
const json = ({ bytes }: Artifact) => JSON.parse(new TextDecoder().decode(bytes));

function flatScene(width: number, height: number) {
  const size = width * height;
  const points = new Float32Array(3 * size);
  for (let i = 0; i < size; i++) {
    points.set([(i % width + 0.5) / width - 0.5, (Math.floor(i / width) + 0.5) / height - 0.5, 1], 3 * i);
  }
  const normal = Float32Array.from({ length: 3 * size }, (_, i) => (i % 3 === 2 ? -1 : 0));
  const mask = new Float32Array(size).fill(1);
  mask[0] = 0;
  return recoverGeometry({ width, height, points, normal, mask, metricScale: 2 });
}

test("geometryArtifacts() writes every file of the contract", async () => {
  const geometry = flatScene(9, 7);
  const image = { width: 9, height: 7, data: new Uint8Array(189).map((_, i) => i) };
  const artifacts = await geometryArtifacts("room", geometry, image, 10);
  assert.deepEqual(artifacts.map(({ kind, path }) => `${kind} ${path}`), [
    "depth-exr room-depth.exr",
    "depth-preview room-depth.png",
    "normal-exr room-normal.exr",
    "normal-preview room-normal.png",
    "validity-mask room-validity.png",
    "point-cloud room-points.ply",
    "camera room-camera.json",
  ]);
  // The library reads luminance but no depth: the channel's name is one letter in the header.
  const exr = artifacts[0].bytes.slice();
  const text = new TextDecoder("latin1").decode(exr);
  exr[text.indexOf("Z\0\u0002")] = "Y".charCodeAt(0);
  const read = parseExr(exr.buffer, 1015);
  assert.deepEqual([read.width, read.height], [9, 7]);
  assert.equal(read.data[6 * 9 * (read.data.length / 63)], Infinity);
  assert.match(new TextDecoder().decode(artifacts[5].bytes.subarray(0, 80)), /element vertex 9\n/);
  const { intrinsics, horizontalFieldOfViewDegrees: fov } = json(artifacts[6]);
  assert.equal(intrinsics.imageWidth, 9);
  assert.ok(Math.abs(fov - 2 * Math.atan(0.5 / intrinsics.normalizedFX) * 180 / Math.PI) < 1e-9);
  const mask = await decodeImage(artifacts[4].bytes);
  assert.deepEqual([mask.data[0], mask.data[3]], [0, 255]);
});

const camera = {
  intrinsics: { fx: 4, fy: 5, cx: 2, cy: 1 },
  extrinsics: { rotation: [0, 0, 1, 0, 1, 0, -1, 0, 0], translation: [1, 2, 3] },
};
const scene: MultiViewScene = {
  width: 4,
  height: 2,
  images: [0, 1].map((v) => ({ width: 4, height: 2, data: new Uint8Array(24).fill(100 * v) })),
  depth: Float32Array.from({ length: 16 }, (_, i) => 1 + i),
  confidence: Float32Array.from({ length: 16 }, (_, i) => 1 + i % 4),
  cameras: [camera, camera],
  reference: 0,
  depthDivisor: 1,
  alignment: "none",
};

test("viewArtifacts() and sceneArtifacts() write every file of the contract", async () => {
  const view = await viewArtifacts(scene, 1);
  assert.deepEqual(kinds(view), ["depth-exr", "confidence-exr", "depth-preview", "processed-image"]);
  assert.ok(view.every(({ path, viewIndex }) => path.startsWith("views/000001-") && viewIndex === 1));
  const colours = Uint8Array.from(scene.images.flatMap(({ data }) => [...data]));
  const points = selectPoints({ ...scene, colours }, { confidencePercentile: 50, maxPoints: 5 });
  const whole = sceneArtifacts(scene, points);
  assert.deepEqual(kinds(whole), ["point-cloud-ply", "cameras-json", "3dgs-transforms-json", "point-cloud-glb"]);
  const { cameras } = json(whole[1]);
  assert.deepEqual(cameras[0].extrinsics, camera.extrinsics);
  assert.equal(cameras[1].intrinsics.normalizedFY, 2.5);
  const [{ transform_matrix: m, file_path: file }] = json(whole[2]).frames;
  // Camera to world: the transposed rotation with its second and third column turned, then the centre.
  assert.deepEqual(
    m,
    [[0, -0, 1, 3], [0, -1, -0, -2], [1, -0, -0, -1], [0, 0, 0, 1]].map((row) => row.map((v) => v + 0)),
  );
  assert.equal(file, "views/000000-rgb.png");
  assert.equal(kinds(sceneArtifacts(scene, { ...points, index: new Int32Array() })).length, 3);
});

test("manifests list every file with its hash, in order", async () => {
  const mesh = { positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), triangles: Uint32Array.of(0, 1, 2) };
  const artifacts = meshArtifacts("asset", mesh);
  const entries = sortEntries(await Promise.all(artifacts.map(describeArtifact)));
  assert.deepEqual(entries.map(({ kind }) => kind), ["glb", "obj", "ply"]);
  const manifest = json(manifestArtifact("mesh-manifest", "asset-manifest.json", 1, { vertexCount: 3 }, entries));
  assert.deepEqual([manifest.schemaVersion, manifest.vertexCount], [1, 3]);
  const obj = artifacts[0].bytes;
  const hash = createHash("sha256").update(obj).digest("hex");
  const expected = { kind: "obj", path: "asset.obj", mediaType: "model/obj", byteCount: obj.length, sha256: hash };
  assert.deepEqual(manifest.artifacts[1], expected);
});

test("a clip's depth becomes files and a review video", async () => {
  const depth = Float32Array.from({ length: 33 * 17 }, (_, i) => i);
  const size = { width: 33, height: 17 };
  const exr = await depthFrameExr(12, depth, size);
  assert.deepEqual([exr.path, exr.frameIndex], ["frames/000012-depth.exr", 12]);
  const png = await depthFramePreview(12, depth, size, { near: 0, far: 560 });
  assert.equal(png.path, "frames/000012-depth.png");
  const preview = await decodeImage(png.bytes);
  const media = openMedia();
  try {
    const frames = async function* () {
      for (let i = 0; i < 25; i++) yield await Promise.resolve(preview);
    };
    const video = await reviewVideo(media, frames(), 10);
    assert.equal(video.path, "depth-review.mp4");
    assert.equal(new TextDecoder().decode(video.bytes.subarray(4, 8)), "ftyp");
  } finally {
    await media.close();
  }
});
