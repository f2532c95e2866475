import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { addModel } from "../../lib/store/add_model.ts";
import { openModelStore } from "../../lib/store/model_store.ts";
import { wallModel } from "../fixtures/tiny_models/wall_model.ts";
import { VISION_MODEL_IDS } from "../fixtures/tiny_models/vision_models.ts";
import { modelApi } from "../support/api_harness.ts";
import { startApiProcess } from "../support/api_process.ts";
import { end, type Running } from "../support/server_process.ts";
import { installTinyModels } from "../support/tiny_store.ts";
import { clip, cutOut, form, picture } from "../support/vision_uploads.ts";

// deno-lint-ignore no-explicit-any -- the shapes of answers are checked against the description
type Answer = any;

const home = realpathSync(mkdtempSync(join(tmpdir(), "svc-test-")));
const temporary = join(home, "tmp");
let server: Running;
let url: string;

async function start(): Promise<void> {
  server = startApiProcess(home, ["--device=cpu"], { TMPDIR: temporary });
  url = JSON.parse(await server.line).url;
}

before(async () => {
  mkdirSync(temporary);
  await installTinyModels(home, VISION_MODEL_IDS);
  await start();
});

after(async () => {
  end(server, "SIGKILL");
  await server.exit;
  rmSync(home, { recursive: true, force: true });
});

async function post(path: string, body: FormData, signal?: AbortSignal): Promise<Response> {
  const response = await fetch(url + path, { method: "POST", body, ...(signal && { signal }) });
  await modelApi.assertDescribed("POST", path, response);
  return response;
}

async function answer(path: string, body: FormData): Promise<Answer> {
  const response = await post(path, body);
  assert.equal(response.status, 200, await response.clone().text());
  const found = await response.json();
  await checkFiles(found, response.headers.get("x-svc-artifacts") ?? "");
  return found;
}

/** Every file is where its URL says, is what its hash says, and can be fetched. */
async function checkFiles(found: Answer, path: string): Promise<void> {
  for (const { url: place, sha256, byte_count: bytes, media_type: type } of found.artifacts) {
    const content = readFileSync(fileURLToPath(place));
    assert.deepEqual([content.length, createHash("sha256").update(content).digest("hex")], [bytes, sha256], place);
    const name = place.slice(place.indexOf(path.split("/").at(-1)!) + 37);
    const response = await fetch(`${url}${path}/${name}`);
    assert.deepEqual([response.status, response.headers.get("content-type")], [200, type]);
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), content);
  }
}

const kinds = (found: Answer) => found.artifacts.map(({ kind }: Answer) => kind);

// @row model-api > Endpoints > POST `/v1/vision/geometry`
// @row model-api > Endpoints > GET `/v1/vision/artifacts/{result}/{name}`
test("POST /v1/vision/geometry answers with depth, normals, points and a camera", async () => {
  const body = form(["image", await picture(61, 43)], ["token_count", "12"], ["max_points", "100"]);
  const found = await answer("/v1/vision/geometry", body);
  assert.deepEqual([found.width, found.height, found.token_count], [61, 43, 12]);
  assert.deepEqual(kinds(found), [
    ...["camera", "depth-exr", "depth-preview", "manifest", "normal-exr", "normal-preview", "point-cloud"],
    "validity-mask",
  ]);
  const { validPixelCount, invalidPixelCount } = found.depth_statistics;
  assert.equal(validPixelCount + invalidPixelCount, 61 * 43);
  const manifest = JSON.parse(readFileSync(fileURLToPath(found.manifest_url), "utf8"));
  assert.deepEqual([manifest.schemaVersion, manifest.artifacts.length], [2, 7]);
  const id = found.manifest_url.split("/").at(-2);
  const part = await fetch(`${url}/v1/vision/artifacts/${id}/geometry-depth.exr`, { headers: { range: "bytes=0-3" } });
  assert.deepEqual([part.status, [...new Uint8Array(await part.arrayBuffer())]], [206, [0x76, 0x2f, 0x31, 0x01]]);
  for (const name of ["none.exr", "%2e%2e/x", "..%2f..%2fetc%2fpasswd", "geometry-depth.exr/x"]) {
    const response = await fetch(`${url}/v1/vision/artifacts/${id}/${name}`);
    assert.equal(response.status, 404, name);
    await response.body?.cancel();
  }
});

// @row model-api > Endpoints > POST `/v1/vision/geometry/multiview`
test("POST /v1/vision/geometry/multiview relates views in the order of the body, and takes its own cameras", async () => {
  const views: [string, File][] = [["image[]", await picture(60, 44, 3)], ["image", await picture(60, 44, 5)]];
  const path = "/v1/vision/geometry/multiview";
  const found = await answer(path, form(...views, ["process_resolution", "42"], ["confidence_percentile", "0"]));
  assert.deepEqual([found.view_count, found.pose_conditioned, found.camera_scale_alignment], [2, false, "none"]);
  const { width, height } = found.cameras[0];
  assert.equal(found.point_count, 2 * width * height);
  const indices = found.artifacts.map(({ view_index: view }: Answer) => view);
  assert.deepEqual(indices, [0, 0, 0, 0, 1, 1, 1, 1, ...Array(5).fill(undefined)]);
  const text = cameras((camera) => camera.extrinsics.translation[0] = 2, 2);
  for (const given of [new File([text], "cameras.json", { type: "application/json" }), text]) {
    const posed = await answer(path, form(...views, ["process_resolution", "42"], ["cameras", given]));
    assert.deepEqual([posed.pose_conditioned, posed.camera_semantics], [true, "supplied-scale-aligned-relative"]);
    assert.deepEqual(posed.cameras[1].extrinsics, JSON.parse(text).cameras[1].extrinsics);
  }
});

// @row model-api > Endpoints > POST `/v1/vision/image-to-3d`
// @row model-api > Endpoints > POST `/v1/vision/image-to-3d-multiview`
test("the routes of objects answer with a mesh in three formats", async () => {
  const one = await answer("/v1/vision/image-to-3d", form(["image", await cutOut()], ["resolution", "20"]));
  assert.deepEqual(kinds(one), ["glb", "mesh-manifest", "obj", "ply"]);
  // These weights were never converted: they are their own source.
  assert.equal(one.checkpoint.source_sha256, one.checkpoint.weights_sha256);
  assert.ok(one.triangle_count > 0 && one.foreground_ratio === 0.85 && one.includes_vertex_colors);
  const framed = await answer(
    "/v1/vision/image-to-3d",
    form(["image", await picture(30, 20)], ["resolution", "12"], ["already_framed", "1"], ["vertex_colors", "false"]),
  );
  assert.deepEqual([framed.foreground_policy, framed.includes_vertex_colors], ["already-framed", false]);
  const views = await Promise.all([1, 2, 3, 4].map((seed) => picture(32, 32, seed)));
  const images = views.map((view) => ["image", view] as const);
  const many = await answer("/v1/vision/image-to-3d-multiview", form(...images, ["resolution", "16"]));
  assert.deepEqual([many.view_count, many.used_official_camera_rig], [4, true]);
  assert.match(many.checkpoint.source_manifest_sha256, /^[0-9a-f]{64}$/);
  assert.deepEqual(kinds(many), ["glb", "mesh-manifest", "obj", "ply"]);
  const cameras = JSON.stringify({ schemaVersion: 1, cameras: Array(4).fill(Array(16).fill(0.5)) });
  const posed = await answer(
    "/v1/vision/image-to-3d-multiview",
    form(...images, ["resolution", "16"], ["cameras", cameras]),
  );
  assert.equal(posed.used_official_camera_rig, false);
});

// @row model-api > Endpoints > POST `/v1/vision/depth-video`
test("POST /v1/vision/depth-video answers with the depth of every frame, and a review", async () => {
  for (const model of ["vision-depth-vda-small", "Vision-Depth-VDA-small-metric"]) {
    const body = form(["video", await clip(32, 24, 5)], ["input_size", "28"], ["max_frames", "3"], ["model", model]);
    const found = await answer("/v1/vision/depth-video", body);
    assert.deepEqual([found.width, found.height, found.fps, found.frame_count, found.window_count], [32, 24, 24, 3, 1]);
    assert.equal(found.semantics, /metric/.test(model) ? "metric-meters" : "affine-relative");
    assert.deepEqual(found.artifacts.map(({ frame_index: frame }: Answer) => frame), [0, 0, 1, 1, 2, 2]);
    assert.equal(readFileSync(fileURLToPath(found.review.url)).subarray(4, 8).toString(), "ftyp");
  }
});

const cameras = (change: (camera: Answer) => unknown, count = 1) => {
  const camera = {
    intrinsics: {
      imageWidth: 8,
      imageHeight: 8,
      normalizedFX: 1,
      normalizedFY: 1,
      normalizedCX: 0.5,
      normalizedCY: 0.5,
    },
    extrinsics: { rotation: [1, 0, 0, 0, 1, 0, 0, 0, 1], translation: [0, 0, 0] },
  };
  change(camera);
  return JSON.stringify({ schemaVersion: 1, cameras: Array(count).fill(camera) });
};

// @row model-api > Limits > vision fields, images, videos and cameras
// @row model-api > Limits > nothing is left of a vision request that fails
test("vision routes refuse what they cannot use before anything is loaded, and leave nothing behind", async () => {
  const image = await picture(16, 16);
  const video = await clip(16, 16, 1);
  const noise = new File([new Uint8Array(500).fill(7)], "noise.png", { type: "image/png" });
  const cut = new File([new Uint8Array(await image.arrayBuffer()).slice(0, 60)], "cut.png", { type: "image/png" });
  const geometry = "/v1/vision/geometry";
  const views = "/v1/vision/geometry/multiview";
  const object = "/v1/vision/image-to-3d";
  const objects = "/v1/vision/image-to-3d-multiview";
  const depth = "/v1/vision/depth-video";
  const six = (n: number): [string, File][] => Array.from({ length: n }, () => ["image", image]);
  const cases: [string, [string, string | File][], string][] = [
    [geometry, [], "missing_field"],
    [geometry, [["image", image], ["image", image]], "duplicate_field"],
    [geometry, [["image", image], ["levels", "9"]], "unknown_field"],
    [geometry, [["image", "/etc/passwd"]], "invalid_image"],
    [geometry, [["image", image], ["resolution_level", "10"]], "invalid_resolution_level"],
    [geometry, [["image", image], ["resolution_level", "1.5"]], "invalid_resolution_level"],
    [geometry, [["image", image], ["resolution_level", "high"]], "wrong_type"],
    [geometry, [["image", image], ["token_count", "0"]], "invalid_token_count"],
    [geometry, [["image", image], ["token_count", "3601"]], "invalid_token_count"],
    [geometry, [["image", image], ["max_points", "0"]], "invalid_max_points"],
    [geometry, [["image", image], ["model", "VISION-geometry-moge2-small"]], "invalid_model"],
    [geometry, [["image", image], ["model", "tiny-chat"]], "invalid_model"],
    [geometry, [["image", noise]], "image_unsupported"],
    [geometry, [["image", cut]], "image_damaged"],
    [geometry, [["image", await picture(2000, 2)], ["token_count", "1"]], "image_too_thin"],
    [geometry, [["image", await picture(2000, 1080)], ["token_count", "3600"]], "too_many_tokens"],
    [views, [["process_resolution", "504"]], "missing_field"],
    [views, six(17), "duplicate_field"],
    [views, [...six(9), ...six(8).map(([, file]): [string, File] => ["image[]", file])], "view_count_invalid"],
    [views, [...six(1), ["process_resolution", "13"]], "invalid_process_resolution"],
    [views, [...six(1), ["reference_view", "last"]], "wrong_type"],
    [views, [...six(1), ["confidence_percentile", "100.5"]], "invalid_confidence_percentile"],
    [views, [...six(1), ["confidence_percentile", "NaN"]], "wrong_type"],
    [views, [["image", await picture(1000, 20)], ["process_resolution", "14"]], "view_too_thin"],
    [views, [...six(16), ["process_resolution", "1008"]], "views_too_large"],
    [views, [...six(1), ["cameras", "{"]], "invalid_cameras"],
    [views, [...six(1), ["cameras", "[".repeat(100_000)]], "invalid_cameras"],
    [views, [...six(1), ["cameras", `{"schemaVersion":2,"cameras":[]}`]], "invalid_cameras"],
    [views, [...six(1), ["cameras", cameras(() => {}, 2)]], "invalid_cameras"],
    [views, [...six(1), ["cameras", cameras((c) => c.extrinsics.rotation.fill(0))]], "invalid_cameras"],
    [views, [...six(1), ["cameras", cameras((c) => c.extrinsics.rotation[0] = -1)]], "invalid_cameras"],
    [views, [...six(1), ["cameras", cameras((c) => c.intrinsics.normalizedFX = 0)]], "invalid_cameras"],
    [
      views,
      [...six(1), ["cameras", cameras(() => {}).replace(`"normalizedFY":1`, `"normalizedFY":1e999`)]],
      "invalid_cameras",
    ],
    [views, [...six(1), ["cameras", cameras(() => {})], ["cameras", new File(["{}"], "c.json")]], "duplicate_field"],
    [object, [["image", image], ["resolution", "1"]], "invalid_resolution"],
    [object, [["image", image], ["resolution", "513"]], "invalid_resolution"],
    [object, [["image", image], ["density_threshold", "Infinity"]], "wrong_type"],
    [object, [["image", image], ["foreground_ratio", "0"]], "invalid_foreground_ratio"],
    [object, [["image", image], ["already_framed", "yes"]], "wrong_type"],
    [object, [["image", image], ["resolution", "8"]], "object_not_separable"],
    [object, [["image", await cutOut(16, 1)], ["resolution", "8"]], "object_too_small"],
    [object, [["image", await cutOut()], ["resolution", "8"], ["density_threshold", "1e15"]], "surface_empty"],
    [objects, six(5), "view_count_invalid"],
    [objects, [...six(3), ["image", await picture(16, 17)]], "view_not_square"],
    [objects, [...six(4), ["cameras", `{"schemaVersion":1,"cameras":[[1]]}`]], "invalid_cameras"],
    [objects, [...six(4), ["cameras", new File(["{}"], "c.json", { type: "application/json" })]], "invalid_cameras"],
    [depth, [["video", image]], "invalid_video"],
    [depth, [["video", noise.slice()] as unknown as [string, File]], "video_unsupported"],
    [depth, [["video", new File([(await video.arrayBuffer()).slice(0, -100)], "v.mp4")]], "video_damaged"],
    [depth, [["video", video], ["input_size", "13"]], "invalid_input_size"],
    [depth, [["video", video], ["max_frames", "2401"]], "invalid_max_frames"],
    [depth, [["video", video], ["model", "image-3d-triposr"]], "invalid_model"],
  ];
  const wrong: string[] = [];
  for (const [path, parts, code] of cases) {
    const response = await post(path, form(...parts));
    const { error } = await response.json();
    if (response.status !== 400 || error.code !== code || error.param === undefined) {
      wrong.push(
        `${path} ${
          JSON.stringify(parts).slice(0, 120)
        }: ${response.status} ${error.code} (${error.message}) in ${error.param}, not ${code}`,
      );
    }
    assert.doesNotMatch(error.message, /\/tmp|svc-|upload-\d/);
  }
  assert.deepEqual(wrong, []);
  await nothingLeft();
  const fine = await post(geometry, form(["image", image], ["token_count", "4"]));
  assert.equal(fine.status, 200);
});

/** No upload and no unfinished result is on the disk. */
async function nothingLeft(): Promise<void> {
  for (;;) {
    const left = readdirSync(temporary).filter((name) => /^svc-\w{6}$/.test(name));
    const work = readdirSync(temporary).find((name) => name.startsWith("svc-work-"));
    if (work !== undefined) left.push(...readdirSync(join(temporary, work)));
    if (left.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

test("a client that disconnects ends its request, and the next one works", async () => {
  const gone = new AbortController();
  const body = form(["video", await clip(64, 48, 24)], ["input_size", "112"]);
  const left = post("/v1/vision/depth-video", body, gone.signal);
  for (;;) {
    const { admission } = await (await fetch(`${url}/runtime/status`)).json();
    const [detail] = admission.activeRequestDetails ?? [];
    if (detail?.progress?.fraction > 0) break;
  }
  gone.abort();
  await assert.rejects(left);
  for (;;) {
    const { admission } = await (await fetch(`${url}/runtime/status`)).json();
    if (admission.activeRequests === 0) break;
  }
  await nothingLeft();
  const next = form(["video", await clip(32, 24, 2)], ["input_size", "28"]);
  assert.equal((await answer("/v1/vision/depth-video", next)).frame_count, 2);
});

// @row model-api > Limits > vision uploads: 100 MiB and 512 MiB
test("vision uploads have limits, which are known before they are read", async () => {
  for (const [path, most] of [["geometry", 100], ["image-to-3d", 100], ["depth-video", 512]] as const) {
    const headers = { "content-type": "multipart/form-data; boundary=x", "content-length": `${most * 2 ** 20 + 1}` };
    const { status, body } = await rawPost(`/v1/vision/${path}`, headers);
    assert.deepEqual([status, JSON.parse(body).error.code], [413, "body_too_large"]);
  }
});

/** Sends the head of a request alone. */
async function rawPost(path: string, headers: Record<string, string>): Promise<{ status: number; body: string }> {
  const { request } = await import("node:http");
  return await new Promise((resolve, reject) => {
    const sent = request(url + path, { method: "POST", headers }, (response) => {
      let body = "";
      response.on("data", (part) => body += part);
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
    });
    sent.on("error", reject);
    sent.flushHeaders();
  });
}

test("the results of a killed server are gone when the next one has started", async () => {
  const found = await answer("/v1/vision/geometry", form(["image", await picture(16, 16)], ["token_count", "4"]));
  const file = fileURLToPath(found.manifest_url);
  end(server, "SIGKILL");
  await server.exit;
  assert.ok(existsSync(file));
  await installWall();
  await start();
  assert.equal(existsSync(file), false);
});

/** Puts an ONNX export of MoGe-2 in the place of the tensors. */
async function installWall(): Promise<void> {
  const id = "vision-geometry-moge2-small";
  rmSync(join(home, "models", id), { recursive: true });
  const folder = join(home, "sources", "wall");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "model.onnx"), wallModel());
  await addModel(openModelStore(join(home, "models")), { path: folder, id }, () => {}, new AbortController().signal);
}

test("the published ONNX export of MoGe-2 serves the same route", async () => {
  for (const [width, height] of [[61, 43], [1, 1]]) {
    const found = await answer(
      "/v1/vision/geometry",
      form(["image", await picture(width, height)], ["token_count", "12"]),
    );
    assert.deepEqual([found.width, found.height, found.metric_scale], [width, height, 12]);
    const { validPixelCount, minimum, maximum } = found.depth_statistics;
    if (validPixelCount > 0) assert.ok(minimum > 0 && maximum < Infinity, JSON.stringify(found.depth_statistics));
  }
  const { error } = await (await post(
    "/v1/vision/geometry",
    form(["image", await picture(61, 1)], ["token_count", "12"]),
  )).json();
  assert.deepEqual([error.code, error.param], ["image_too_thin", "image"]);
});
