/**
 * Checks of MoGe-2.
 *
 * @module
 */
import { positionTable } from "../../../../lib/models/vision_transformer/patch_tokens.ts";
import type { Moge2Config } from "../../../../lib/models/moge2/config.ts";
import { type Geometry, type Moge2Output, recoverGeometry } from "../../../../lib/models/moge2/geometry.ts";
import {
  MAX_MOGE2_TOKENS,
  type Moge2Resizing,
  normaliseImage,
  ONNX_RESIZING,
  resizeToPatches,
  tokenGrid,
  tokensOfLevel,
  TORCH_RESIZING,
} from "../../../../lib/models/moge2/image_input.ts";
import { encodeImage, moge2Maps, neckOutputs, planeMap } from "../../../../lib/models/moge2/network.ts";
import { recoverFocalShift } from "../../../../lib/models/moge2/recover_focal_shift.ts";
import { type Device, f32, slice } from "../../../../lib/compute/tensor/mod.ts";
import type { Checks } from "../../check.ts";
import { type Comparison, type Golden, largestDifference } from "../../golden.ts";
import { runGraph } from "../../run_graph.ts";
import { dinoV2Config } from "./dinov2_check.ts";
import { compareWithin } from "./relative.ts";

export const mogeChecks: Checks = { moge_net, moge_post, moge_solver };

function mogeConfig(golden: Golden): Moge2Config {
  const c = golden.config;
  return {
    encoder: dinoV2Config(c.vit as Record<string, unknown>),
    take: c.take as number[],
    dims: c.dims as number[],
    neck: { blocks: c.neck_res as number[] },
    heads: { blocks: c.head_res as number[] },
  };
}

async function moge_net(golden: Golden, device: Device): Promise<void> {
  const config = mogeConfig(golden);
  const source = golden.input("image");
  const image = { width: source.shape[2], height: source.shape[1] };
  const grid = tokenGrid(golden.number("tokens"), image);
  golden.compare("grid", [grid.rows, grid.columns], 0);
  const plane = await runGraph(device, { x: f32([1], [0]) }, (_, graph) => ({
    "uv.0": planeMap(graph, { width: grid.columns, height: grid.rows }, image),
    "uv.2": planeMap(graph, { width: grid.columns << 2, height: grid.rows << 2 }, image),
  }));
  for (const [name, t] of Object.entries(plane)) golden.compare(name, t.data, 2e-6);
  for (const [path, resizing] of [["torch", TORCH_RESIZING], ["onnx", ONNX_RESIZING]] as const) {
    await checkPath(golden, device, config, path, resizing);
  }
}

async function checkPath(golden: Golden, device: Device, config: Moge2Config, path: string, resizing: Moge2Resizing) {
  const source = golden.input("image");
  const image = { width: source.shape[2], height: source.shape[1] };
  const grid = tokenGrid(golden.number("tokens"), image);
  const weights = golden.weights();
  const patches = resizeToPatches(source.data, image, grid, config.encoder.patch, resizing);
  golden.compare(`${path}.image_14`, patches.data, 2e-6);
  const normalised = normaliseImage(patches);
  const table = weights.get("encoder.backbone.pos_embed");
  const positions = positionTable(table, grid, resizing.positions);
  const got = await runGraph(device, { images: normalised }, ({ images }) => {
    const encoding = encodeImage(images, config, weights, positions, grid);
    const maps = moge2Maps(encoding, config, weights, image);
    const neck = neckOutputs(encoding.features, config, weights, image);
    const last = neck.length - 1;
    return {
      features: encoding.features,
      class: encoding.classToken,
      points: maps.points,
      normal: maps.normal,
      mask: maps.mask,
      metric_scale: maps.metricScale,
      ...Object.fromEntries(neck.slice(0, last).map((value, i) => [`neck.${i}`, value])),
      "neck.4.slice": slice(neck[last], { axis: 2, end: 8 }, { axis: 3, end: 8 }),
    };
  });
  for (const [name, t] of Object.entries(got)) {
    if (!golden.has(`out.${path}.${name}`)) continue;
    if (name === "points") compareWithin(golden, `${path}.${name}`, t.data, { abs: 5e-4, rel: 1e-3 });
    else {
      const tolerance = name.startsWith("neck") ? 1e-4 : name === "features" || name === "class" ? 5e-5 : 5e-4;
      golden.compare(`${path}.${name}`, t.data, tolerance);
    }
  }
  const output: Moge2Output = {
    ...image,
    points: got.points.data,
    normal: got.normal.data,
    mask: got.mask.data,
    metricScale: got.metric_scale.data[0],
  };
  for (const [name, fovDegrees] of [["infer_free", undefined], ["infer_fov60", 60]] as const) {
    const geometry = recoverGeometry(output, { fovDegrees });
    compareGeometry(golden, `${path}.${name}`, geometry);
  }
}

function compareGeometry(golden: Golden, name: string, geometry: Geometry): void {
  golden.compare(`${name}.mask`, geometry.mask, 0);
  compareWithin(golden, `${name}.intrinsics`, matrixOf(geometry), { rel: 2e-3, abs: 1e-6 });
  compareWithin(golden, `${name}.depth`, geometry.depth, { rel: 2e-3 });
  compareWithin(golden, `${name}.points`, geometry.points, { rel: 2e-3, abs: 2e-3 });
  if (golden.has(`out.${name}.normal`)) golden.compare(`${name}.normal`, geometry.normal, 5e-4);
}

function matrixOf({ intrinsics: { fx, fy, cx, cy } }: Geometry): number[] {
  return [fx, 0, cx, 0, fy, cy, 0, 0, 1];
}

function moge_post(golden: Golden): void {
  const fovs = golden.config.fov as number[];
  for (let k = 0; k < golden.number("n"); k++) {
    const [points, normal, mask] = ["points", "normal", "mask"].map((name) => golden.input(`${k}.${name}`));
    const [height, width] = mask.shape;
    const output = {
      width,
      height,
      points: points.data,
      normal: normal.data,
      mask: mask.data,
      metricScale: golden.input(`${k}.metric_scale`).data[0],
    };
    for (const [name, fovDegrees] of [["free", undefined], ["fov", fovs[k]]] as const) {
      const geometry = recoverGeometry(output, { fovDegrees });
      golden.compare(`${k}.${name}.focal_shift`, [geometry.focal, geometry.shift], 1e-3);
      compareGeometry(golden, `${k}.${name}`, geometry);
      const unmasked = output.points.filter((_, i) => i % 3 === 2)
        .map((z) => (z + geometry.shift) * geometry.metricScale);
      compareWithin(golden, `${k}.${name}.depth_unmasked`, unmasked, { rel: 2e-3, abs: 2e-3 });
    }
  }
}

function moge_solver(golden: Golden): void {
  const fovs = golden.config.fovs as number[];
  for (let k = 0; k < golden.number("n"); k++) {
    const points = golden.input(`${k}.points`);
    const [height, width] = points.shape;
    const mask = golden.has(`in.${k}.mask`) ? golden.input(`${k}.mask`).data : undefined;
    const map = { width, height, points: points.data, mask };
    const free = recoverFocalShift(map);
    golden.compare(`${k}.used`, [free.samples], 0);
    golden.compare(`${k}.free`, [free.focal, free.shift], 1e-3);
    const exact = recoverFocalShift(map, { tolerance: 1e-9 });
    golden.compare(`${k}.exact`, [exact.focal, exact.shift], 1e-5);
    fovs.forEach((fov, i) => {
      const aspect = width / height;
      const known = aspect / Math.hypot(1, aspect) / Math.tan(fov * Math.PI / 360);
      const { focal, shift } = recoverFocalShift(map, { focal: known });
      golden.compare(`${k}.fov${i}`, [focal, shift], 1e-3);
    });
  }
}

interface TokenRows {
  readonly sizes: readonly {
    readonly width: number;
    readonly height: number;
    readonly rows: readonly (readonly [string, number, number, number, number, number])[];
  }[];
}

/** Tokens, grid and whether the contract allows it, for many sizes. */
export function checkMogeTokens(json: unknown): Comparison[] {
  return (json as TokenRows).sizes.map(({ width, height, rows }) => {
    const wrong = rows.map(([kind, value, ...expected]) => {
      const tokens = kind === "level" ? tokensOfLevel(value) : value;
      const grid = tokenGrid(tokens, { width, height });
      const patches = grid.rows * grid.columns;
      const allowed = patches > 0 && patches <= MAX_MOGE2_TOKENS ? 1 : 0;
      return largestDifference([tokens, grid.rows, grid.columns, allowed], expected);
    });
    return { name: `${width}x${height}`, maxAbs: Math.max(...wrong), tolerance: 0 };
  });
}
