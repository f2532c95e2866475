/**
 * InstantMesh's reconstruction on a device.
 *
 * @module
 */
import { type Device, type DeviceTensor, f32 } from "../../compute/tensor/mod.ts";
import type { RgbImage } from "../../media/images/rgb_image.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { normaliseColours, unitPlanes } from "../images/planes.ts";
import { antialiasedTaps, cubicKernel, resamplePlanes } from "../images/resample.ts";
import { extractSurface } from "../isosurface/extract_surface.ts";
import { type GridField, nodePlace, nodePositions } from "../isosurface/grid_field.ts";
import { EVALUATION_BATCH } from "../isosurface/sparse_grid.ts";
import type { ColouredMesh } from "../isosurface/surface_mesh.ts";
import { PointProgram } from "../triplane/point_program.ts";
import { Triplane } from "../triplane/triplane.ts";
import { type OperationOptions, OperationSteps } from "../vision/operation.ts";
import { TensorScope, withStage } from "../vision/run_stages.ts";
import { positionTable } from "../vision_transformer/patch_tokens.ts";
import { CAMERA_NUMBERS, INSTANTMESH_PLANES, type InstantMeshConfig } from "./config.ts";
import { type InstantMeshStages, instantMeshStages } from "./network.ts";

/** Four or six views of one object. */
interface ObjectViews {
  /** Square images. */
  readonly images: readonly RgbImage[];
  /** [views,16], see `cameraRig()` in `open_instantmesh.ts`. */
  readonly cameras: Float32Array;
}

/** How the surface is looked for. */
export interface InstantMeshOptions extends OperationOptions {
  /** Cells on the side of the grid, 2 or more. */
  readonly resolution: number;
  /** Whether vertices have colours. */
  readonly vertexColours: boolean;
}

/** The mesh and whether the field had to be given a surface. */
export interface ReconstructedMesh extends ColouredMesh {
  readonly repaired: boolean;
}

/** Shares of the work, measured with the published widths on a CPU. */
const ENCODER_SHARE = 0.15;
const TRANSFORMER_SHARE = 0.65;
const SURFACE_SHARE = 0.2;

/** Signed distance beyond the border of the grid. */
const OUTSIDE = -1;

const cubic = cubicKernel(-0.5);

/** A view as the network reads it: [3,size,size], colours normalised. */
function viewInput(image: RgbImage, size: number): Float32Array {
  const planes = unitPlanes(image);
  const to = { width: size, height: size };
  const resized = resamplePlanes(planes, image, to, (n, target) => antialiasedTaps(n, target, cubic));
  return normaliseColours(resized.map((v) => Math.min(Math.max(v, 0), 1)));
}

/** The parts of the network for a model whose weights have no prefix. */
export function stagesOf(
  config: InstantMeshConfig,
  weights: Weights,
  views: number,
  cells: number,
): InstantMeshStages {
  const side = config.imageSize / config.encoder.patch;
  const table = weights.get("encoder.model.embeddings.position_embeddings");
  const positions = positionTable(table, { rows: side, columns: side }, "offset");
  return instantMeshStages(config, weights, positions, views, cells);
}

/** The object that views show as a mesh. */
export async function runInstantMesh(
  device: Device,
  config: InstantMeshConfig,
  weights: Weights,
  views: ObjectViews,
  options: InstantMeshOptions,
): Promise<ReconstructedMesh> {
  const steps = new OperationSteps(1, options);
  const cells = options.resolution;
  const stages = stagesOf(config, weights, views.images.length, cells);
  options.onStage?.("scene_encoding");
  const planes = await encodeViews(device, config, stages, views, steps);
  options.onStage?.("mesh_extraction");
  const node = await PointProgram.compile(device, planes, stages.node);
  const distance = await PointProgram.compile(device, planes, stages.distance);
  const colour = await PointProgram.compile(device, planes, stages.colour);
  try {
    const surface = steps.part(SURFACE_SHARE, 1);
    const whole = await repairedField(distance, config, cells, surface.part(0.4, (cells + 1) ** 3));
    const mesh = await extractSurface({
      field: deformedField(node, config, cells, whole),
      extent: config.gridScale / 2,
      levelName: "the signed distance 0",
      outside: OUTSIDE,
      colours: options.vertexColours ? (points) => colour.evaluate(points) : undefined,
    }, surface.part(0.6, 1));
    return { ...mesh, repaired: whole !== undefined };
  } finally {
    for (const program of [node, distance, colour]) program.dispose();
  }
}

/** Planes of the object that the views show. */
export async function encodeViews(
  device: Device,
  config: InstantMeshConfig,
  stages: InstantMeshStages,
  { images, cameras }: ObjectViews,
  steps: OperationSteps,
): Promise<Triplane> {
  const { imageSize } = config;
  const scope = new TensorScope();
  try {
    const features: Record<string, DeviceTensor> = {};
    await withStage(device, stages.encode, async (program) => {
      for (const [i, image] of images.entries()) {
        const view = f32([1, 3, imageSize, imageSize], viewInput(image, imageSize));
        const camera = f32([1, CAMERA_NUMBERS], cameras.slice(CAMERA_NUMBERS * i, CAMERA_NUMBERS * (i + 1)));
        const outputs = await steps.step(
          ENCODER_SHARE / images.length,
          async () => scope.keep(await program.run({ view, camera })),
        );
        features[`features.${i}`] = outputs.features;
      }
    });
    let last: Record<string, DeviceTensor> = {};
    for (const stage of stages.transform) {
      const outputs = await steps.step(
        TRANSFORMER_SHARE / stages.transform.length,
        () => withStage(device, stage, async (program) => scope.keep(await program.run({ ...features, ...last }))),
      );
      scope.release(...Object.values(last));
      last = outputs;
    }
    return new Triplane(await scope.take(last.planes), INSTANTMESH_PLANES, 1);
  } finally {
    scope.releaseAll();
  }
}

/** The whole field, repaired, when it has no surface inside its border; nothing as soon as one is found. */
async function repairedField(
  program: PointProgram,
  config: InstantMeshConfig,
  cells: number,
  steps: OperationSteps,
): Promise<Float32Array | undefined> {
  const nodes = cells + 1;
  const field = new Float32Array(nodes ** 3);
  let [inside, outside] = [false, false];
  for (let start = 0; start < field.length; start += EVALUATION_BATCH) {
    const count = Math.min(EVALUATION_BATCH, field.length - start);
    const batch = Int32Array.from({ length: count }, (_, i) => start + i);
    const values = await steps.step(
      count,
      () => program.evaluate(nodePositions(batch, nodes, config.gridScale / 2)),
    );
    field.set(values, start);
    values.forEach((value, i) => {
      if (nodePlace(start + i, nodes).some((v) => v === 0 || v === nodes - 1)) return;
      inside ||= value > 0;
      outside ||= value < 0;
    });
    if (inside && outside) return undefined;
  }
  repairField(field, nodes);
  return field;
}

/** Signed distance and deformation on the grid; the distances of `whole` where the field was repaired. */
function deformedField(
  program: PointProgram,
  config: InstantMeshConfig,
  cells: number,
  whole: Float32Array | undefined,
): GridField {
  const nodes = cells + 1;
  return {
    nodes,
    channels: 4,
    level: 0,
    async evaluate(wanted) {
      const values = await program.evaluate(nodePositions(wanted, nodes, config.gridScale / 2));
      if (whole) wanted.forEach((node, i) => values[4 * i] = whole[node]);
      return values;
    },
  };
}

/**
 * Gives a field without a surface one. Where no node inside the border, or every one of them, lies within the object, the
 * middle node is set to 1 less the smallest value and all nodes of the border to -1 less the largest.
 *
 * @param field [nodes,nodes,nodes], above 0 inside; changed in place.
 * @returns whether there was something to repair.
 */
export function repairField(field: Float32Array, nodes: number): boolean {
  let [positive, negative] = [false, false];
  forEachNode(nodes, (at, border) => {
    if (border) return;
    positive ||= field[at] > 0;
    negative ||= field[at] < 0;
  });
  if (positive && negative) return false;
  let [low, high] = [Infinity, -Infinity];
  for (const value of field) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const middle = nodes >> 1;
  field[(middle * nodes + middle) * nodes + middle] = 1 - low;
  forEachNode(nodes, (at, border) => {
    if (border) field[at] = -1 - high;
  });
  return true;
}

function forEachNode(nodes: number, visit: (at: number, border: boolean) => void): void {
  const edge = (i: number) => i === 0 || i === nodes - 1;
  for (let x = 0, at = 0; x < nodes; x++) {
    for (let y = 0; y < nodes; y++) {
      for (let z = 0; z < nodes; z++, at++) visit(at, edge(x) || edge(y) || edge(z));
    }
  }
}
