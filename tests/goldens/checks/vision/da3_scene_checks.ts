/**
 * Checks of Depth Anything 3 on whole scenes, and of the algorithms around its network.
 *
 * @module
 */
import {
  alignCentres,
  applySimilarity,
  cameraCentre,
  fitSimilarity,
  type Similarity,
} from "../../../../lib/models/depth_anything3/align_cameras.ts";
import { composeRigid, decodeCamera, invertRigid } from "../../../../lib/models/depth_anything3/camera.ts";
import {
  type NetworkScene,
  type NetworkViews,
  runDepthAnything3,
} from "../../../../lib/models/depth_anything3/depth_anything3.ts";
import {
  encodeViews,
  placeCameraTokens,
  relateViews,
  viewFeatures,
} from "../../../../lib/models/depth_anything3/network.ts";
import { commonSize, prepareViews, resizeView, viewSteps } from "../../../../lib/models/depth_anything3/views.ts";
import {
  type ReferenceStrategy,
  referenceView,
  scoreViews,
  viewOrder,
} from "../../../../lib/models/depth_anything3/reference_view.ts";
import { selectPoints } from "../../../../lib/models/depth_anything3/select_points.ts";
import { IMAGENET_STD } from "../../../../lib/models/images/planes.ts";
import { type Device, gather, i32, reshape, type Value } from "../../../../lib/compute/tensor/mod.ts";
import { positionTable } from "../../../../lib/models/vision_transformer/patch_tokens.ts";
import type { Checks } from "../../check.ts";
import { runGraph } from "../../run_graph.ts";
import { type Comparison, type Golden, largestDifference, part } from "../../golden.ts";
import { da3Config, givenCameras, intrinsicsRows, poseOf, rowsOf } from "./da3_checks.ts";
import { compareWithin } from "./relative.ts";
import { DA3_BACKBONE } from "../../../../lib/models/depth_anything3/config.ts";

export const da3SceneChecks: Checks = { da3_e2e, da3_reference, da3_umeyama, da3_points, da3_preprocess };

const strategies: Readonly<Record<string, ReferenceStrategy>> = {
  first: "first",
  middle: "middle",
  saddle_balanced: "saddle-balanced",
  saddle_sim_range: "saddle-similarity-range",
};

async function da3_e2e(golden: Golden, device: Device): Promise<void> {
  const config = da3Config(golden.config);
  const weights = golden.weights();
  const images = golden.input("images");
  const [, , height, width] = images.shape;
  const cameras = givenCameras(golden);
  const run = (views: readonly number[], reference: ReferenceStrategy | number, known?: NetworkViews["cameras"]) => {
    const planes = views.map((view) => part(images, view).data);
    return runDepthAnything3(device, config, weights, { width, height, planes, cameras: known }, { reference });
  };
  for (const [count, views] of golden.config.runs as [number, number[]][]) {
    const name = `v${count}`;
    const scene = await run(views, "saddle-balanced");
    checkReference(golden, name, scene.reference);
    compareScene(golden, name, await run(views, golden.expected(`${name}.reference`).data[0]), { width, height });
    if (count !== golden.config.all_strategies) continue;
    for (const [key, strategy] of Object.entries(strategies)) {
      if (!golden.has(`out.${name}.${key}.reference`)) continue;
      checkReference(golden, `${name}.${key}`, (await run(views, strategy)).reference);
      const forced = await run(views, golden.expected(`${name}.${key}.reference`).data[0]);
      compareScene(golden, `${name}.${key}`, forced, { width, height });
    }
  }
  for (const count of golden.config.known as number[]) {
    const name = `known.v${count}`;
    const known = cameras.slice(0, count);
    const scene = await run(Array.from({ length: count }, (_, i) => i), "first", known);
    compareWithin(golden, `${name}.depth_raw`, scene.depth, { rel: 3e-4 });
    const predicted = scene.poses.map((pose) => decodeCamera(pose, { width, height }));
    golden.compare(`${name}.predicted_extrinsics`, predicted.flatMap((c) => rowsOf(c.extrinsics)), 2e-4);
    const centres = [known, predicted].map((all) => all.map((c) => cameraCentre(c.extrinsics)));
    const { scale } = alignCentres(centres[0], centres[1])!;
    compareWithin(golden, `${name}.scale`, [scale], { rel: 1e-3 });
    compareWithin(golden, `${name}.depth`, scene.depth.map((d) => d / scale), { rel: 1e-3 });
  }
  for (const name of golden.outputs(/^v\d+\.class_for_choice$/)) {
    await checkOnTheWay(golden, device, name.split(".")[0]);
  }
}

/** What the network sees between its parts, all of them in one graph; the views in the order that was chosen. */
async function checkOnTheWay(golden: Golden, device: Device, name: string): Promise<void> {
  const config = da3Config(golden.config);
  const weights = golden.weights();
  const images = golden.input("images");
  const [, , height, width] = images.shape;
  const { patch, dim } = config.backbone;
  const grid = { rows: height / patch, columns: width / patch };
  const positions = positionTable(weights.get(`${DA3_BACKBONE}.pos_embed`), grid, "offset");
  const views = (golden.config.runs as [number, number[]][]).find(([count]) => `v${count}` === name)![1];
  const order = viewOrder(views.length, golden.expected(`${name}.reference`).data[0]);
  const layers = config.outLayers.filter((layer) => golden.has(`out.${name}.feature.${layer}`));
  const got = await runGraph(device, { images }, ({ images }, graph) => {
    const pick = (index: readonly number[]) => graph.constant(i32([index.length], index));
    const { tokens, classTokens } = encodeViews(gather(images, pick(views)), config, weights, positions);
    const learned = reshape(weights.in(graph, `${DA3_BACKBONE}.camera_token`), [2, dim]);
    const cameras = gather(learned, pick(order.map((_, i) => Math.min(i, 1))));
    const x = placeCameraTokens(gather(tokens, pick(order)), cameras);
    let stream = { x, local: x };
    let start = config.altStart;
    const outputs: Record<string, Value> = { class_for_choice: classTokens };
    for (const layer of layers) {
      stream = relateViews(stream, start, layer + 1, grid, config, weights);
      start = layer + 1;
      outputs[`feature.${layer}`] = gather(viewFeatures(stream, weights), pick(views.map((_, i) => order.indexOf(i))));
    }
    return outputs;
  });
  for (const [part, t] of Object.entries(got)) golden.compare(`${name}.${part}`, t.data, 1e-4);
}

function checkReference(golden: Golden, name: string, reference: number): void {
  if (!golden.has(`out.${name}.acceptable`)) return golden.compare(`${name}.reference`, [reference], 0);
  golden.judge(`${name}.reference`, golden.given(`${name}.acceptable`).data[reference] ? 0 : 1, 0);
}

function compareScene(golden: Golden, name: string, scene: NetworkScene, image: { width: number; height: number }) {
  const cameras = scene.poses.map((pose) => decodeCamera(pose, image));
  compareWithin(golden, `${name}.depth`, scene.depth, { rel: 3e-4 });
  golden.compare(`${name}.extrinsics`, cameras.flatMap((c) => rowsOf(c.extrinsics)), 2e-4);
  compareWithin(golden, `${name}.intrinsics`, cameras.flatMap(intrinsicsRows), { rel: 1e-3, abs: 1e-4 });
  if (!golden.has(`out.${name}.pose`)) return;
  compareWithin(golden, `${name}.depth_conf`, scene.confidence, { rel: 3e-4 });
  golden.compare(`${name}.pose`, scene.poses.flatMap((pose) => [...pose]), 2e-4);
  golden.compare(`${name}.camera_feature`, scene.cameraFeatures, 1e-4);
}

function da3_reference(golden: Golden): void {
  for (const count of golden.config.views as number[]) {
    const stored = golden.input(`${count}.class`);
    const tokens = Array.from({ length: count }, (_, i) => part(stored, i).data);
    for (const [key, strategy] of Object.entries(strategies)) {
      const index = golden.expected(`${count}.${key}.index`).data[0];
      const acceptable = golden.given(`${count}.${key}.acceptable`).data;
      golden.judge(`${count}.${key}.index`, acceptable[referenceView(tokens, strategy)] ? 0 : 1, 0);
      golden.compare(`${count}.${key}.order`, viewOrder(count, index), 0);
    }
    if (count < 2) continue;
    const scores = scoreViews(tokens);
    golden.compare(`${count}.similarity_mean`, scores.similarityMean, 1e-6);
    golden.compare(`${count}.similarity_range`, scores.similarityRange, 1e-6);
    golden.compare(`${count}.variance`, scores.variance, 1e-6);
    compareWithin(golden, `${count}.norm`, scores.norm, { rel: 1e-6 });
  }
}

function da3_umeyama(golden: Golden): void {
  for (let k = 0; k < golden.number("n"); k++) {
    const [given, predicted] = ["given", "predicted"].map((name) => golden.input(`${k}.${name}`));
    const count = given.shape[0];
    const poses = [given, predicted].map((t) => Array.from({ length: count }, (_, i) => poseOf(part(t, i))));
    const centres = poses.map((all) => all.map(cameraCentre));
    let subsets: number[][] | undefined;
    if (golden.has(`out.${k}.samples`)) {
      const samples = golden.given(`${k}.samples`);
      subsets = Array.from({ length: samples.shape[0] }, (_, i) => [...part(samples, i).data]);
      compareWithin(golden, `${k}.plain_scale`, [fitSimilarity(centres[0], centres[1])!.scale], { rel: 1e-4 });
    }
    const fit: Similarity = alignCentres(centres[0], centres[1], subsets)!;
    golden.compare(`${k}.rotation`, fit.rotation, 1e-4);
    compareWithin(golden, `${k}.scale`, [fit.scale], { rel: 1e-4 });
    compareWithin(golden, `${k}.translation`, fit.translation, { rel: 1e-4, abs: 1e-4 });
    const aligned = poses[0].map((pose) => {
      const world = invertRigid(pose);
      const turned = composeRigid({ rotation: fit.rotation, translation: [0, 0, 0] }, world);
      return invertRigid({ rotation: turned.rotation, translation: applySimilarity(fit, world.translation) });
    });
    compareWithin(golden, `${k}.aligned`, aligned.flatMap((pose) => rowsOf(pose, 4)), { rel: 1e-4, abs: 1e-4 });
  }
}

function da3_points(golden: Golden): void {
  const [depth, confidence] = [golden.input("depth"), golden.input("confidence")];
  const [, height, width] = depth.shape;
  const maps = {
    width,
    height,
    depth: depth.data,
    confidence: confidence.data,
    colours: golden.stored("images").data as Uint8Array,
    cameras: givenCameras(golden),
  };
  const highest = selectPoints(maps, { confidencePercentile: 90, maxPoints: 1 }).threshold;
  (golden.config.cases as [number, number][]).forEach(([confidencePercentile, maxPoints], k) => {
    const points = selectPoints(maps, { confidencePercentile, maxPoints });
    golden.compare(`${k}.threshold`, [points.threshold], 1e-6);
    golden.compare(`${k}.index`, points.index, 0);
    golden.compare(`${k}.stride_valid`, [points.stride, points.valid], 0);
    golden.compare(`${k}.per_view`, points.perView, 0);
    golden.compare(`${k}.colours`, points.colours, 0);
    golden.compare(`${k}.points`, points.positions, 1e-5);
    // The original exporter bounds the same percentile, by 1.05 from below and by another percentile from above.
    const bounded = Math.min(Math.max(1.05, points.threshold), highest);
    golden.compare(`${k}.upstream_threshold`, [bounded], 1e-6);
  });
}

function da3_preprocess(golden: Golden): void {
  const resolutions = golden.config.res as number[];
  (golden.config.groups as string[][]).forEach((names, g) => {
    const images = names.map((name) => {
      const stored = golden.stored(name);
      const [height, width] = stored.shape;
      return { width, height, data: stored.data as Uint8Array };
    });
    const intrinsics = names.map((name) => {
      const [fx, , cx, , fy, cy] = golden.input(`${name}.K`).data;
      return { fx, fy, cx, cy };
    });
    names.forEach((name, i) => {
      if (!golden.has(`out.g${g}.${name}.image`)) return;
      golden.compare(`g${g}.${name}.image`, resizeView(images[i], resolutions[g], 14).data, 1);
    });
    const views = prepareViews(images, intrinsics, resolutions[g], 14);
    const planes = views.planes.flatMap((view) => [...view]);
    golden.compare(`g${g}.normalised`, planes, 1.01 / 255 / Math.min(...IMAGENET_STD));
    const rows = views.intrinsics.flatMap((k) => intrinsicsRows({ intrinsics: k!, extrinsics: poseOf(IDENTITY) }));
    golden.compare(`g${g}.K`, rows, 1e-4);
  });
}

const IDENTITY = { dtype: "f32", shape: [3, 4], data: Float32Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0) } as const;

type SizeRow = readonly [number, number, number, number, number, string, number, number, string];

interface Da3Sizes {
  readonly rows: readonly SizeRow[];
  readonly groups: readonly { readonly views: [number, number][]; readonly rows: [number, number, number][] }[];
}

/** Both resize steps of many sizes, and the size that groups of views are cropped to. */
export function checkDa3Sizes(json: unknown): Comparison[] {
  const { rows, groups } = json as Da3Sizes;
  const comparisons = rows.map(([width, height, resolution, w1, h1, kernel1, w2, h2, kernel2]) => {
    const [first, second] = viewSteps({ width, height }, resolution, 14);
    const kernels = first.kernel === kernel1 && second.kernel === kernel2 ? 0 : Infinity;
    const sizes = largestDifference([first.width, first.height, second.width, second.height], [w1, h1, w2, h2]);
    return { name: `${width}x${height} to ${resolution}`, maxAbs: Math.max(sizes, kernels), tolerance: 0 };
  });
  for (const { views, rows } of groups) {
    for (const [resolution, width, height] of rows) {
      const size = commonSize(views.map(([w, h]) => viewSteps({ width: w, height: h }, resolution, 14)[1]));
      const maxAbs = largestDifference([size.width, size.height], [width, height]);
      comparisons.push({ name: `${views.join(" ")} to ${resolution}`, maxAbs, tolerance: 0 });
    }
  }
  return comparisons;
}
