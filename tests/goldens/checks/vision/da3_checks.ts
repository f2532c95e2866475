/**
 * Checks of Depth Anything 3's network.
 *
 * @module
 */
import {
  placesAcrossViews,
  placesInView,
  placeTokens,
  rotaryTables,
  viewBlock,
} from "../../../../lib/models/depth_anything3/view_block.ts";
import {
  type Camera,
  decodeCamera,
  encodeCamera,
  invertRigid,
  matrixToQuaternion,
  normalisePoses,
  quaternionToMatrix,
  type RigidTransform,
} from "../../../../lib/models/depth_anything3/camera.ts";
import {
  addPlanePosition,
  cameraHead,
  depthHead,
  encodeCameras,
} from "../../../../lib/models/depth_anything3/heads.ts";
import { DA3_BACKBONE, DA3_EPS, type DepthAnything3Config } from "../../../../lib/models/depth_anything3/config.ts";
import { DINOV2_EPS } from "../../../../lib/models/vision_transformer/dinov2_config.ts";
import { projectTokens } from "../../../../lib/models/vision_transformer/dpt.ts";
import { dense, weightedNorm } from "../../../../lib/models/layers/dense.ts";
import { type Device, f32, reshape, slice, split, type Tensor } from "../../../../lib/compute/tensor/mod.ts";
import type { Checks } from "../../check.ts";
import { asNumber, type Golden, part } from "../../golden.ts";
import { runGraph } from "../../run_graph.ts";
import { dinoV2Config } from "./dinov2_check.ts";
import { compareWithin } from "./relative.ts";

export const da3Checks: Checks = { da3_block, da3_head, da3_cameras };

export function da3Config(c: Record<string, unknown>): DepthAnything3Config {
  const backbone = dinoV2Config(c);
  return {
    backbone,
    altStart: asNumber("alt_start", c.alt_start),
    outLayers: c.out_layers as number[],
    head: {
      input: 2 * backbone.dim,
      channels: c.out_channels as [number, number, number, number],
      features: asNumber("features", c.features),
    },
    cameraEncoder: { heads: asNumber("cam_heads", c.cam_heads), depth: asNumber("cam_depth", c.cam_depth) },
  };
}

/** The pose in the first three rows of a 3x4 or 4x4 matrix. */
export function poseOf(matrix: Tensor<"f32">): RigidTransform {
  const rows = [0, 1, 2].map((row) => [...matrix.data.subarray(4 * row, 4 * row + 4)]);
  return { rotation: rows.flatMap((row) => row.slice(0, 3)), translation: rows.map((row) => row[3]) };
}

/** A pose as the rows of a 3x4 matrix, or of a 4x4 one. */
export function rowsOf({ rotation, translation }: RigidTransform, rows: 3 | 4 = 3): number[] {
  const upper = [0, 1, 2].flatMap((i) => [...Array.from(rotation).slice(3 * i, 3 * i + 3), translation[i]]);
  return rows === 3 ? upper : [...upper, 0, 0, 0, 1];
}

export function intrinsicsRows({ intrinsics: { fx, fy, cx, cy } }: Camera): number[] {
  return [fx, 0, cx, 0, fy, cy, 0, 0, 1];
}

async function da3_block(golden: Golden, device: Device): Promise<void> {
  const config = da3Config(golden.config);
  const [rows, columns] = golden.config.grid as number[];
  const grid = { rows, columns };
  const { heads, dim } = config.backbone;
  const x = golden.input("x");
  const views = x.shape[0];
  golden.compare("pos", Array.from({ length: views }, () => placesInView(grid)).flat(2), 0);
  const tables = rotaryTables(placesInView(grid), views, dim / heads);
  const across = rotaryTables(placesAcrossViews(grid), views, dim / heads);
  const weights = golden.weights();
  const block = (i: number) => weights.at(`${DA3_BACKBONE}.blocks.${i}`);
  const first = config.altStart;
  const got = await runGraph(device, { x }, ({ x }) => {
    const local = viewBlock(x, block(first), { heads, across: false, tables });
    const [q] = split(
      dense(weightedNorm(x, block(first).at("norm1"), DINOV2_EPS), block(first).at("attn.qkv")),
      [dim, dim, dim],
      2,
    );
    const queries = reshape(q, [views, x.shape[1], heads, dim / heads]);
    return {
      local,
      global: viewBlock(local, block(first + 1), { heads, across: true, tables: across }),
      "local.q_norm": weightedNorm(queries, block(first).at("attn.q_norm"), DA3_EPS),
      "local.q_rope": placeTokens(queries, block(first).at("attn.q_norm"), tables),
    };
  });
  for (const [name, t] of Object.entries(got)) golden.compare(name, t.data, 2e-5);
}

async function da3_head(golden: Golden, device: Device): Promise<void> {
  const config = da3Config(golden.config);
  const [height, width] = golden.config.size as number[];
  const image = { width, height };
  const grid = { rows: height / config.backbone.patch, columns: width / config.backbone.patch };
  const weights = golden.weights("model.head.");
  const inputs = Object.fromEntries([0, 1, 2, 3].map((i) => [`f${i}`, golden.input(`feature.${i}`)]));
  const zeros = f32(
    [1, config.head.features / 2, height, width],
    new Float32Array(config.head.features / 2 * height * width),
  );
  const got = await runGraph(device, { ...inputs, zeros }, ({ zeros, ...features }) => {
    const maps = depthHead(Object.values(features), grid, image, weights);
    const projected = projectTokens(weightedNorm(features.f0, weights.at("norm"), DA3_EPS), 0, grid, weights);
    return {
      depth: maps.depth,
      depth_conf: maps.confidence,
      fused: maps.fused,
      "stage.0.with_position": addPlanePosition(projected, image),
      "position.final.corner": slice(addPlanePosition(zeros, image), { axis: 2, end: 7 }, { axis: 3, end: 7 }),
      ...Object.fromEntries(maps.stages.map((stage, i) => [`stage.${i}`, stage])),
    };
  });
  for (const [name, t] of Object.entries(got)) {
    if (name.startsWith("depth")) compareWithin(golden, name, t.data, { rel: 2e-4 });
    else golden.compare(name, t.data, name === "fused" ? 1e-4 : 3e-5);
  }
}

async function da3_cameras(golden: Golden, device: Device): Promise<void> {
  const config = da3Config(golden.config);
  const [height, width] = golden.config.size as number[];
  const image = { width, height };
  const weights = golden.weights("model.");
  const { pose } = await runGraph(device, { feature: golden.input("feature") }, ({ feature }) => ({
    pose: cameraHead(feature, weights.at("cam_dec")),
  }));
  golden.compare("pose", pose.data, 2e-5);
  for (const [name, poses] of [["head", golden.expected("pose")], ["given", golden.input("pose")]] as const) {
    const cameras = Array.from({ length: poses.shape[0] }, (_, i) => decodeCamera(part(poses, i).data, image));
    golden.compare(`${name}.extrinsics`, cameras.flatMap((c) => rowsOf(c.extrinsics)), 2e-5);
    golden.compare(`${name}.camera_to_world`, cameras.flatMap((c) => rowsOf(invertRigid(c.extrinsics))), 2e-5);
    compareWithin(golden, `${name}.intrinsics`, cameras.flatMap(intrinsicsRows), { abs: 2e-5, rel: 1e-4 });
  }
  const rotations = golden.input("R");
  const quaternions = Array.from({ length: rotations.shape[0] }, (_, i) => matrixToQuaternion(part(rotations, i).data));
  golden.compare("quaternion", quaternions.flatMap((q) => [...q]), 2e-5);
  golden.compare("matrix", quaternions.flatMap((q) => [...quaternionToMatrix(q)]), 2e-5);

  const poses = normalisePoses(givenCameras(golden).map((c) => c.extrinsics));
  golden.compare("normalised_E", poses.flatMap((pose) => rowsOf(pose, 4)), 2e-5);
  const rows = givenCameras(golden).flatMap(({ intrinsics }, i) => [
    ...encodeCamera({ intrinsics, extrinsics: poses[i] }, image),
  ]);
  golden.compare("encoding", rows, 2e-5);
  const encoding = f32(golden.shapeOf("encoding"), rows);
  const got = await runGraph(device, { encoding }, ({ encoding }) => {
    const { branch, tokens } = encodeCameras(encoding, config, weights.at("cam_enc"));
    return { branch, tokens };
  });
  for (const [name, t] of Object.entries(got)) golden.compare(name, t.data, 2e-5);
}

/** The cameras of the inputs E and K. */
export function givenCameras(golden: Golden): Camera[] {
  const [e, k] = [golden.input("E"), golden.input("K")];
  return Array.from({ length: e.shape[0] }, (_, i) => {
    const [fx, , cx, , fy, cy] = part(k, i).data;
    return { intrinsics: { fx, fy, cx, cy }, extrinsics: poseOf(part(e, i)) };
  });
}
