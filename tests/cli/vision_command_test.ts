import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { thinPoints } from "../../cli/vision/viewer_page.ts";
import { readVisionCommand, visionHelp } from "../../cli/vision/vision_flags.ts";
import { encodePly } from "../../lib/media/scenes/obj_and_ply.ts";
import { runSvc } from "../support/run_svc.ts";
import { withFolder } from "../support/temporary_folder.ts";
import { installTinyModels } from "../support/tiny_store.ts";
import { clip, cutOut, picture } from "../support/vision_uploads.ts";

test("svc vision writes all files of a result, and a page that shows them", () =>
  withFolder(async (home) => {
    await installTinyModels(home, ["vision-geometry-da3-small", "image-3d-triposr", "vision-depth-vda-small-metric"]);
    const put = async (name: string, file: File) => {
      writeFileSync(join(home, name), new Uint8Array(await file.arrayBuffer()));
      return join(home, name);
    };
    const views = [await put("a.png", await picture(40, 30, 3)), await put("b.png", await picture(40, 30, 5))];
    const run = (word: string, out: string, files: readonly string[], ...args: string[]) =>
      runSvc(home, ["vision", word, ...files, "-o", join(home, out), ...args]);
    const scene = await run("multiview", "scene", views, "--process-resolution", "42", "--confidence-percentile", "0");
    assert.deepEqual([scene.status, scene.stderr], [0, ""]);
    assert.match(scene.stdout, /^Wrote 15 files; open .*scene.index\.html\n$/);
    const { artifacts, cameras } = JSON.parse(readFileSync(join(home, "scene", "result.json"), "utf8"));
    for (const { url } of artifacts) assert.ok(existsSync(join(home, "scene", url)), url);
    assert.equal(cameras.length, 2);
    const page = readFileSync(join(home, "scene", "index.html"), "utf8");
    assert.ok(page.includes(`"kind":"points"`) && page.includes(`"ply":"cGx5`));

    const object = await put("o.png", await cutOut());
    const mesh = await run("image-to-3d", "mesh", [object], "--resolution", "12", "--no-vertex-colors", "--json");
    assert.deepEqual([mesh.status, JSON.parse(mesh.stdout).includes_vertex_colors], [0, false], mesh.stderr);
    assert.ok(readFileSync(join(home, "mesh", "index.html"), "utf8").includes(`"kind":"mesh"`));

    const video = await put("c.mp4", await clip(32, 24, 3));
    const depth = await run("depth-video", "depth", [video], "--metric", "--input-size", "28");
    assert.equal(depth.status, 0, depth.stderr);
    assert.equal(readdirSync(join(home, "depth", "frames")).length, 6);

    const full = await run("depth-video", "depth", [video]);
    assert.deepEqual([full.status, full.stdout], [2, ""]);
    assert.match(full.stderr, /^svc: Cannot write to .*depth: it has files in it/);
    const opaque = await run("image-to-3d", "none", views.slice(0, 1), "--resolution", "8");
    assert.equal(opaque.status, 1);
    assert.match(opaque.stderr, /expected a transparent background/);
    assert.equal(existsSync(join(home, "none")), false);
    const missing = await run("geometry", "none", views.slice(0, 1));
    assert.deepEqual([missing.status, missing.stdout], [1, ""]);
    assert.match(missing.stderr, /svc model pull vision-geometry-moge2-small/);
  }));

test("readVisionCommand() takes the fields of the API as options, and refuses what does not go together", () => {
  const command = readVisionCommand("multiview", ["a", "b", "-o", "x", "--reference-view=first", "--max-points=9"]);
  assert.deepEqual([command?.route, command?.files], ["multiview", ["a", "b"]]);
  assert.deepEqual(command?.texts, new Map([["reference_view", ["first"]], ["max_points", ["9"]]]));
  assert.equal(readVisionCommand("image-to-3d", ["a", "b", "c", "d", "-o", "x"])?.route, "viewsTo3d");
  assert.equal(readVisionCommand("geometry", ["a", "-o", "x", "--adapter", "2"])?.adapter, "2");
  assert.equal(readVisionCommand("geometry", ["--help"]), undefined);
  for (const word of ["geometry", "multiview", "image-to-3d", "depth-video"] as const) {
    assert.ok(visionHelp(word).split("\n").every((line) => line.length <= 120));
  }
  const wrong: [Parameters<typeof readVisionCommand>, RegExp][] = [
    [["geometry", ["a"]], /expected -o DIR/],
    [["geometry", ["-o", "x"]], /no file is named/],
    [["geometry", ["a", "b", "-o", "x"]], /2 files are named/],
    [["geometry", ["a", "-o", "x", "--token-count=0"]], /--token-count/],
    [["image-to-3d", ["a", "b", "-o", "x", "--density-threshold=2"]], /--density-threshold is for one image/],
  ];
  for (const [args, pattern] of wrong) assert.throws(() => readVisionCommand(...args), pattern);
});

test("thinPoints() keeps every n-th point of a large cloud, and leaves meshes whole or out", () => {
  const positions = Float32Array.from({ length: 3000 }, (_, i) => i);
  const ply = encodePly({ positions, colours: new Uint8Array(3000) });
  assert.equal(thinPoints(ply), ply);
  const thin = thinPoints(ply, ply.length / 3)!;
  const text = new TextDecoder("latin1").decode(thin);
  const count = Number(/element vertex (\d+)/.exec(text)![1]);
  const start = text.indexOf("end_header\n") + 11;
  assert.ok(count >= 250 && count <= 334 && thin.length === start + 15 * count);
  assert.equal(new DataView(thin.buffer, start + 15, 4).getFloat32(0, true), 3 * Math.ceil(1000 / count));
  const mesh = encodePly({ positions, triangles: Uint32Array.of(0, 1, 2) });
  assert.equal(thinPoints(mesh, 1000), undefined);
});
