import { after, test } from "node:test";
import assert from "node:assert/strict";
import { openOnnxDevice } from "../../../lib/compute/onnx/onnx_device.ts";
import type { SvcError } from "../../../lib/errors/svc_error.ts";
import type { Camera } from "../../../lib/models/depth_anything3/camera.ts";
import { openDepthAnything3 } from "../../../lib/models/depth_anything3/open_depth_anything3.ts";
import { openInstantMesh } from "../../../lib/models/instantmesh/open_instantmesh.ts";
import { openMoge2 } from "../../../lib/models/moge2/open_moge2.ts";
import { openTripoSr } from "../../../lib/models/triposr/open_triposr.ts";
import { openVideoDepth } from "../../../lib/models/video_depth_anything/open_video_depth.ts";
import { visionModel, type VisionModelId } from "../../fixtures/tiny_models/vision_models.ts";
import { meshFacts } from "../../support/mesh_facts.ts";
import { seededRandom } from "../../support/random.ts";
import { memoryRoot } from "../../support/tiny_arworld.ts";

const device = await openOnnxDevice({ threads: 2 });
after(() => device.dispose());

const root = (id: VisionModelId, files = visionModel(id)) => memoryRoot(id, new Map(Object.entries(files)));

function picture(width: number, height: number, channels = 3, seed = 7) {
  const random = seededRandom(seed);
  return { width, height, data: Uint8Array.from({ length: channels * width * height }, () => 256 * random()) };
}

const message = (pattern: RegExp, code?: string) => (error: SvcError) =>
  error.type === "invalid_request_error" && (code ?? error.code) === error.code && pattern.test(error.message);

test("openMoge2() finds geometry of images of any shape", async () => {
  const find = await openMoge2(root("vision-geometry-moge2-small"), device);
  for (const [width, height, tokens] of [[61, 43, 12], [1, 1, 4], [300, 9, 40], [7, 130, 30]]) {
    const fractions: number[] = [];
    const geometry = await find(picture(width, height), { tokens, onProgress: (f) => fractions.push(f) });
    assert.equal(geometry.depth.length, width * height);
    geometry.mask.forEach((m, i) => assert.equal(Number.isFinite(geometry.depth[i]), m === 1));
    assert.deepEqual(fractions, [1]);
  }
  await assert.rejects(find(picture(2000, 2), { tokens: 1 }), message(/0x\d+, expected 1 to 3600/, "image_too_thin"));
  await assert.rejects(find(picture(2000, 1080), { tokens: 3600 }), message(/44x82/, "too_many_tokens"));
});

test("openMoge2() stops when it is cancelled", async () => {
  const find = await openMoge2(root("vision-geometry-moge2-small"), device);
  const before = device.memory().allocated;
  await assert.rejects(find(picture(20, 20), { tokens: 4, signal: AbortSignal.abort() }), { name: "AbortError" });
  assert.equal(device.memory().allocated, before);
});

const turned = (angle: number, x: number): Camera => ({
  intrinsics: { fx: 50, fy: 52, cx: 30, cy: 22 },
  extrinsics: {
    rotation: [Math.cos(angle), 0, Math.sin(angle), 0, 1, 0, -Math.sin(angle), 0, Math.cos(angle)],
    translation: [x, 0.1 * x, 0.2],
  },
});

test("openDepthAnything3() relates one view and many, with and without cameras", async () => {
  const relate = await openDepthAnything3(root("vision-geometry-da3-small"), device);
  const options = { resolution: 42, reference: "saddle-balanced" } as const;
  for (const count of [1, 2, 3, 11]) {
    const images = Array.from({ length: count }, (_, i) => picture(60 + i, 44, 3, i + 1));
    const before = device.memory().allocated;
    const fractions: number[] = [];
    const scene = await relate(images, { ...options, onProgress: (f) => fractions.push(f) });
    assert.equal(scene.depth.length, count * scene.width * scene.height);
    assert.ok(scene.depth.every((v) => v > 0) && scene.confidence.every((v) => v >= 1));
    assert.ok(fractions.length === 2 * count + 4 && Math.abs(fractions.at(-1)! - 1) < 1e-9, `${fractions}`);
    const known = images.map((_, i) => turned(0.1 * i, i));
    const posed = await relate(images, { ...options, cameras: known });
    assert.deepEqual(posed.cameras.map((c) => c.extrinsics), known.map((c) => c.extrinsics));
    assert.equal(posed.alignment, count === 1 ? "none" : count < 10 ? "umeyama" : "umeyama-ransac");
    assert.ok(posed.depthDivisor > 0);
    assert.equal(device.memory().allocated, before);
  }
});

test("openDepthAnything3() takes cameras that are all at one place", async () => {
  const relate = await openDepthAnything3(root("vision-geometry-da3-small"), device);
  const cameras = [0, 1, 2].map((i) => turned(0.2 * i, 0));
  const images = cameras.map((_, i) => picture(44, 30, 3, i + 1));
  const centred = cameras.map((c) => ({ ...c, extrinsics: { ...c.extrinsics, translation: [0, 0, 0] } }));
  const scene = await relate(images, { resolution: 42, reference: "first", cameras: centred });
  assert.deepEqual([scene.alignment, scene.depthDivisor], ["none", 1]);
});

test("openDepthAnything3() refuses views and cameras that it cannot use", async () => {
  const relate = await openDepthAnything3(root("vision-geometry-da3-small"), device);
  const options = { resolution: 42, reference: "first" } as const;
  const view = picture(60, 44);
  await assert.rejects(relate([], options), message(/there are 0, expected 1 to 16/, "view_count_invalid"));
  await assert.rejects(relate(new Array(17).fill(view), options), message(/there are 17/, "view_count_invalid"));
  await assert.rejects(relate([picture(1000, 37)], options), message(/too thin/, "view_too_thin"));
  await assert.rejects(
    relate(new Array(16).fill(view), { ...options, resolution: 504 }),
    message(/pixels together/, "views_too_large"),
  );
  const bad = (change: (camera: Camera) => Camera, pattern: RegExp) =>
    assert.rejects(relate([view], { ...options, cameras: [change(turned(0, 0))] }), message(pattern));
  const posed = (rotation: number[]) => (c: Camera) => ({ ...c, extrinsics: { ...c.extrinsics, rotation } });
  await bad((c) => ({ ...c, intrinsics: { ...c.intrinsics, fx: NaN } }), /not finite/);
  await bad((c) => ({ ...c, intrinsics: { ...c.intrinsics, fy: 0 } }), /focal lengths/);
  await bad(posed([0, 0, 0, 0, 0, 0, 0, 0, 0]), /orthonormal/);
  await bad(posed([1, 0, 0, 0, 1, 0, 0, 0, -1]), /right-handed/);
  await bad(posed([1, 0, 0]), /numbers of pose/);
  await assert.rejects(
    relate([view], { ...options, cameras: [] }),
    message(/there are 0 for 1 views/, "invalid_cameras"),
  );
});

test("openVideoDepth() gives every frame once, in order, and frees what it held", async () => {
  for (const [id, metric] of [["vision-depth-vda-small", false], ["vision-depth-vda-small-metric", true]] as const) {
    const find = await openVideoDepth(root(id), device);
    const before = device.memory().allocated;
    for (const [frames, width, height] of [[1, 31, 45], [23, 40, 17], [47, 15, 15]]) {
      const asked: number[] = [];
      const read = (index: number) => {
        asked.push(index);
        return Promise.resolve(picture(width, height, 3, index + 1));
      };
      const fractions: number[] = [];
      let count = 0;
      const options = { inputSize: 14, metric, onProgress: (f: number) => fractions.push(f) };
      for await (const depth of find({ width, height, frames, read }, options)) {
        assert.equal(depth.length, width * height);
        assert.ok(depth.every((v) => v >= 0));
        count++;
      }
      assert.equal(count, frames);
      assert.deepEqual(asked, Array.from({ length: frames }, (_, i) => i));
      assert.ok(Math.abs(fractions.at(-1)! - 1) < 1e-9 && fractions.every((f, i) => i === 0 || f > fractions[i - 1]));
    }
    assert.equal(device.memory().allocated, before);
  }
});

test("openVideoDepth() stops between frames and refuses clips beyond its bounds", async () => {
  const find = await openVideoDepth(root("vision-depth-vda-small"), device);
  const before = device.memory().allocated;
  const control = new AbortController();
  const read = (index: number) => {
    if (index === 5) control.abort();
    return Promise.resolve(picture(20, 20));
  };
  const clip = { width: 20, height: 20, frames: 40, read };
  await assert.rejects(find(clip, { inputSize: 14, metric: false, signal: control.signal }).next(), {
    name: "AbortError",
  });
  assert.equal(device.memory().allocated, before);
  const refused = (change: Partial<typeof clip>, pattern: RegExp) =>
    assert.throws(() => find({ ...clip, ...change }, { inputSize: 14, metric: false }), message(pattern));
  refused({ frames: 0 }, /0 frames/);
  refused({ frames: NaN }, /NaN frames/);
  refused({ width: 9000 }, /9000x20/);
  refused({ width: 4096, height: 4000, frames: 40 }, /lower max_frames/);
  refused({ width: 1000, height: 3 }, /input of/);
});

function cutOut(width: number, height: number) {
  const image = picture(width, height, 4);
  for (let i = 0; i < width * height; i++) {
    const [x, y] = [i % width / width - 0.5, Math.floor(i / width) / height - 0.5];
    image.data[4 * i + 3] = x * x + y * y < 0.16 ? 255 : 0;
  }
  return image;
}

test("openTripoSr() makes a closed mesh with colours, the same on every run", async () => {
  const make = await openTripoSr(root("image-3d-triposr"), device);
  const options = { resolution: 24, densityThreshold: 25, vertexColours: true, foregroundRatio: 0.85 };
  const fractions: number[] = [];
  const mesh = await make(cutOut(70, 51), { ...options, onProgress: (f) => fractions.push(f) });
  const facts = meshFacts(mesh);
  assert.ok(facts.watertight && facts.consistent_orientation && facts.volume > 0, JSON.stringify(facts));
  assert.equal(mesh.colours!.length, mesh.positions.length);
  assert.ok(fractions.every((f, i) => f <= 1 && (i === 0 || f >= fractions[i - 1])), `${fractions}`);
  assert.deepEqual(await make(cutOut(70, 51), options), mesh);
  assert.equal((await make(cutOut(70, 51), { ...options, vertexColours: false })).colours, undefined);
  assert.ok((await make(cutOut(20, 33), { ...options, resolution: 2 })).triangles.length > 0);
});

test("openTripoSr() refuses images without an object and thresholds without a surface", async () => {
  const make = await openTripoSr(root("image-3d-triposr"), device);
  const options = { resolution: 8, densityThreshold: 25, vertexColours: true, foregroundRatio: 0.85 };
  const filled = (alpha: number) => ({ width: 9, height: 5, data: new Uint8Array(180).fill(alpha) });
  await assert.rejects(make(filled(255), options), message(/opaque/, "object_not_separable"));
  await assert.rejects(make(filled(0), options), message(/fully transparent/, "object_not_separable"));
  const dot = filled(0);
  dot.data.fill(255, 44, 48);
  await assert.rejects(make(dot, options), message(/1x1 pixels/, "object_too_small"));
  await assert.rejects(
    make(cutOut(20, 20), { ...options, densityThreshold: 1e30 }),
    message(/does not cross/, "surface_empty"),
  );
  assert.ok((await make(filled(255), { ...options, foregroundRatio: undefined })).triangles.length > 0);
});

test("openInstantMesh() makes a closed mesh of four and six views", async () => {
  const make = await openInstantMesh(root("image-3d-instantmesh-base"), device);
  for (const count of [4, 6]) {
    const views = Array.from({ length: count }, (_, i) => picture(40 + i, 40 + i, 3, i + 1));
    const mesh = await make(views, { resolution: 12, vertexColours: true });
    const facts = meshFacts(mesh);
    assert.ok(facts.watertight && facts.consistent_orientation && facts.volume > 0, JSON.stringify(facts));
    assert.equal(mesh.colours!.length, mesh.positions.length);
  }
});

test("openInstantMesh() refuses views and cameras that it cannot use", async () => {
  const make = await openInstantMesh(root("image-3d-instantmesh-base"), device);
  const options = { resolution: 4, vertexColours: false };
  const views = Array.from({ length: 4 }, () => picture(16, 16));
  await assert.rejects(make(views.slice(1), options), message(/there are 3 views/, "view_count_invalid"));
  await assert.rejects(
    make([...views.slice(1), picture(16, 17)], options),
    message(/view 3 is 16x17/, "view_not_square"),
  );
  const cameras = views.map(() => new Array<number>(16).fill(0.5));
  await assert.rejects(
    make(views, { ...options, cameras: cameras.slice(1) }),
    message(/there are 3 cameras/, "invalid_cameras"),
  );
  await assert.rejects(
    make(views, { ...options, cameras: cameras.with(2, [NaN]) }),
    message(/camera 2 is not valid/, "invalid_cameras"),
  );
});

test("models say everything that is wrong with their files", async () => {
  const files = visionModel("image-3d-triposr");
  const config = (text: string) => ({ ...files, "config.json": new TextEncoder().encode(text) });
  const open = (broken: typeof files) => openTripoSr(root("image-3d-triposr", broken), device);
  await assert.rejects(open({}), /model\.safetensors is missing/);
  await assert.rejects(open(config("{")), /is not JSON/);
  await assert.rejects(open(config('{"heads": 5}')), /heads is 5, expected a divisor of the 48 channels/);
  await assert.rejects(open(config('{"heads": 3, "transformer_heads": 4, "image_size": 65}')), /image_size is 65/);
  await assert.rejects(openMoge2(root("vision-geometry-moge2-small", files), device), /lacks tensor/);
});
