/**
 * Checks of InstantMesh's reconstruction.
 *
 * @module
 */
import { blockModulation, dinoBlock, dinoNorm, dinoTokens } from "../../../../lib/models/vision_transformer/dino.ts";
import { positionTable } from "../../../../lib/models/vision_transformer/patch_tokens.ts";
import { normaliseColours, unitPlanes } from "../../../../lib/models/images/planes.ts";
import { cameraRig, FOUR_VIEWS, orbitPose, RIG_ANGLES } from "../../../../lib/models/instantmesh/open_instantmesh.ts";
import { INSTANTMESH_PLANES, type InstantMeshConfig } from "../../../../lib/models/instantmesh/config.ts";
import { encodeViews, repairField, stagesOf } from "../../../../lib/models/instantmesh/instantmesh.ts";
import {
  embedCameras,
  gridDeformation,
  reconstructionBlock,
  reconstructionNorm,
  signedDistance,
  surfaceColour,
} from "../../../../lib/models/instantmesh/network.ts";
import { nodePositions } from "../../../../lib/models/isosurface/grid_field.ts";
import { tokensToPlanes, Triplane } from "../../../../lib/models/triplane/triplane.ts";
import { OperationSteps } from "../../../../lib/models/vision/operation.ts";
import {
  concat,
  type Device,
  f32,
  gather,
  i32,
  reshape,
  slice,
  type Value,
} from "../../../../lib/compute/tensor/mod.ts";
import type { Checks } from "../../check.ts";
import type { Golden } from "../../golden.ts";
import { runGraph } from "../../run_graph.ts";
import { instantMeshConfig } from "./object_configs.ts";
import { evaluate } from "./triposr_checks.ts";

export const instantMeshChecks: Checks = {
  instantmesh_cameras,
  instantmesh_net,
  instantmesh_field,
  instantmesh_repair,
};

function instantmesh_cameras(golden: Golden): void {
  golden.compare("six", cameraRig(6), 1e-6);
  golden.compare("four", cameraRig(4), 1e-6);
  (golden.config.other as [number, number][]).forEach(([radius, fovDegrees], i) => {
    golden.compare(`radius_fov.${i}`, cameraRig(6, { radius, fovDegrees }), 1e-6);
  });
  const poses = RIG_ANGLES.flatMap(([azimuth, elevation]) => [...orbitPose(azimuth, elevation, 4)]);
  golden.compare("camera_to_world", poses, 1e-6);
}

async function instantmesh_net(golden: Golden, device: Device): Promise<void> {
  const stored = golden.stored("views");
  const [count, height, width] = stored.shape;
  const config = instantMeshConfig(golden, height);
  const weights = golden.weights();
  const model = weights.at("encoder.model");
  const transformer = weights.at("transformer");
  const size = 3 * width * height;
  const images = Array.from({ length: count }, (_, i) => ({
    width,
    height,
    data: (stored.data as Uint8Array).subarray(i * size, (i + 1) * size),
  }));
  const planes = images.map((image) => normaliseColours(unitPlanes(image)));
  const views = f32([count, 3, height, width], Float32Array.from(planes.flatMap((plane) => [...plane])));
  const side = height / config.encoder.patch;
  const table = positionTable(model.get("embeddings.position_embeddings"), { rows: side, columns: side }, "offset");
  const cameras = f32([count, 16], cameraRig(6));
  const got = await runGraph(device, { views, cameras }, ({ views, cameras }, graph) => {
    const outputs: Record<string, Value> = {};
    const condition = embedCameras(cameras, weights.at("encoder.camera_embedder"));
    const firstView = (x: Value) => slice(x, { axis: 0, end: 1 });
    let x = dinoTokens(views, model, table);
    outputs["encoder.camera_embedding"] = condition;
    outputs["encoder.tokens"] = firstView(x);
    for (let i = 0; i < config.encoder.depth; i++) {
      const layer = model.at(`encoder.layer.${i}`);
      const parts = dinoBlock(x, config.encoder, layer, condition);
      if (i === 0) {
        outputs["encoder.layer0.attn_input"] = firstView(parts.normalised);
        outputs["encoder.layer0.attn"] = firstView(parts.attended);
        outputs["encoder.modulation0"] = concat(blockModulation(condition, layer), 1);
      }
      x = parts.output;
      outputs[`encoder.layer.${i}`] = i === 0 ? x : firstView(x);
    }
    const features = dinoNorm(x, model);
    outputs["six.features"] = features;
    const four = gather(features, graph.constant(i32([4], [...FOUR_VIEWS])));
    outputs["four.features"] = slice(four, { axis: 0, start: 3 });
    for (const [name, some] of [["six", features], ["four", four]] as const) {
      const context = reshape(some, [-1, config.encoder.dim]);
      let y = transformer.in(graph, "pos_embed", [3 * config.planeTokens ** 2, config.width]);
      for (let i = 0; i < config.depth; i++) {
        const parts = reconstructionBlock(y, context, transformer.at(`layers.${i}`), config.heads);
        if (i === 0 && name === "six") {
          outputs["block0.cross"] = parts.cross;
          outputs["block0.self"] = parts.self;
          outputs.block0 = parts.output;
        }
        y = parts.output;
      }
      outputs[`${name}.planes`] = tokensToPlanes(reconstructionNorm(y, transformer), transformer.at("deconv"));
    }
    return outputs;
  });
  for (const [name, t] of Object.entries(got)) {
    golden.compare(name, t.data, name.startsWith("encoder") || name.endsWith("features") ? 5e-5 : 2e-4);
  }
  await checkGrids(golden, device, config, images);
}

/** The same through the parts in which the model runs. */
async function checkGrids(
  golden: Golden,
  device: Device,
  config: InstantMeshConfig,
  images: readonly { width: number; height: number; data: Uint8Array }[],
): Promise<void> {
  const cells = golden.number("grid_res");
  const nodes = cells + 1;
  const positions = nodePositions(Int32Array.from({ length: nodes ** 3 }, (_, i) => i), nodes, config.gridScale / 2);
  for (const [name, count] of [["six", 6], ["four", 4]] as const) {
    const chosen = count === 6 ? images : FOUR_VIEWS.map((i) => images[i]);
    const stages = stagesOf(config, golden.weights(), count, cells);
    const views = { images: chosen, cameras: cameraRig(count) };
    const planes = await encodeViews(device, config, stages, views, new OperationSteps(1, {}));
    const values = await evaluate(device, planes, stages.node, positions);
    golden.compare(`${name}.grid.sdf`, values.filter((_, i) => i % 4 === 0), 5e-4);
    if (count === 4) continue;
    const [first] = golden.outputs(/^six\.grid\.deformation\.first\d+$/);
    const deformation = values.filter((_, i) => i % 4 !== 0).subarray(0, 3 * golden.shapeOf(first)[0]);
    golden.compare(first, deformation, 5e-4);
  }
}

async function instantmesh_field(golden: Golden, device: Device): Promise<void> {
  const decoder = golden.weights("synthesizer.decoder.");
  const cells = golden.number("grid_res");
  const planes = new Triplane(golden.input("planes"), INSTANTMESH_PLANES, 1);
  const points = golden.input("points").data;
  const features = new Float32Array(points.length / 3 * planes.width);
  planes.sample(points, features);
  golden.compare("features", features, 1e-6);
  const nodes = Int32Array.from({ length: (cells + 1) ** 3 }, (_, i) => i);
  const grid = nodePositions(nodes, cells + 1, 1.05);
  golden.compare("grid.points", grid, 1.1e-5);
  for (const [prefix, places] of [["", points], ["grid.", grid]] as const) {
    const run = (network: (x: Value) => Value) => evaluate(device, planes, network, places);
    golden.compare(`${prefix}sdf`, await run((x) => signedDistance(x, decoder)), 2e-5);
    golden.compare(`${prefix}rgb`, await run((x) => surfaceColour(x, decoder)), 2e-5);
    golden.compare(`${prefix}deformation`, await run((x) => gridDeformation(x, cells, decoder)), 1e-6);
  }
}

function instantmesh_repair(golden: Golden): void {
  for (let k = 0; k < golden.number("n"); k++) {
    const stored = golden.input(`${k}.sdf`);
    const field = stored.data.slice();
    golden.compare(`${k}.repaired`, [repairField(field, stored.shape[0]) ? 1 : 0], 0);
    golden.compare(`${k}.sdf`, field, 1e-6);
  }
}
