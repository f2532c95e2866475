/**
 * TripoSR on a device.
 *
 * @module
 */
import { type Device, type DeviceTensor, f32 } from "../../compute/tensor/mod.ts";
import type { RgbImage } from "../../media/images/rgb_image.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { normaliseColours, unitPlanes } from "../images/planes.ts";
import { antialiasedTaps, linearKernel, resamplePlanes } from "../images/resample.ts";
import { extractSurface } from "../isosurface/extract_surface.ts";
import { type GridField, nodePositions } from "../isosurface/grid_field.ts";
import type { ColouredMesh } from "../isosurface/surface_mesh.ts";
import { PointProgram } from "../triplane/point_program.ts";
import { Triplane } from "../triplane/triplane.ts";
import { type OperationOptions, OperationSteps } from "../vision/operation.ts";
import { TensorScope, withStage } from "../vision/run_stages.ts";
import { positionTable } from "../vision_transformer/patch_tokens.ts";
import { DENSITY_BIAS, TRIPOSR_PLANES, type TripoSrConfig } from "./config.ts";
import { type TripoSrStages, tripoSrStages } from "./network.ts";

/** How the surface is looked for. */
export interface TripoSrOptions extends OperationOptions {
  /** Nodes on the side of the grid, 2 or more. */
  readonly resolution: number;
  /** Density on the surface. */
  readonly densityThreshold: number;
  /** Whether vertices have colours. */
  readonly vertexColours: boolean;
}

/** Shares of the work, measured with the published widths on a CPU. */
const ENCODER_SHARE = 0.1;
const TRANSFORMER_SHARE = 0.7;
const SURFACE_SHARE = 0.2;

/** A square image on grey as the network reads it: [3,size,size] in 0..1. */
export function tripoSrInput(image: RgbImage, size: number): Float32Array {
  const to = { width: size, height: size };
  return resamplePlanes(unitPlanes(image), image, to, (n, target) => antialiasedTaps(n, target, linearKernel));
}

/** The parts of the network for a model. */
export function stagesOf(config: TripoSrConfig, weights: Weights): TripoSrStages {
  const { encoder, imageSize } = config;
  const side = imageSize / encoder.patch;
  const table = weights.get("image_tokenizer.model.embeddings.position_embeddings");
  return tripoSrStages(config, weights, positionTable(table, { rows: side, columns: side }, "offset"));
}

/** The object of a prepared square image as a mesh. */
export async function runTripoSr(
  device: Device,
  config: TripoSrConfig,
  weights: Weights,
  image: RgbImage,
  options: TripoSrOptions,
): Promise<ColouredMesh> {
  const steps = new OperationSteps(1, options);
  const stages = stagesOf(config, weights);
  options.onStage?.("scene_encoding");
  const planes = await encodeObject(device, config, stages, tripoSrInput(image, config.imageSize), steps);
  options.onStage?.("mesh_extraction");
  const density = await PointProgram.compile(device, planes, stages.density);
  const colour = await PointProgram.compile(device, planes, stages.colour);
  try {
    return await extractSurface({
      field: densityField(density, config, options),
      extent: config.radius,
      levelName: `the density ${options.densityThreshold}`,
      outside: -Infinity,
      colours: options.vertexColours ? (points) => colour.evaluate(points) : undefined,
    }, steps.part(SURFACE_SHARE, 1));
  } finally {
    density.dispose();
    colour.dispose();
  }
}

/** Planes of the object that an image [3,S,S] in 0..1 shows. */
export async function encodeObject(
  device: Device,
  config: TripoSrConfig,
  stages: TripoSrStages,
  input: Float32Array,
  steps: OperationSteps,
): Promise<Triplane> {
  const { imageSize, radius } = config;
  const scope = new TensorScope();
  try {
    const image = f32([1, 3, imageSize, imageSize], normaliseColours(input));
    const { context } = await steps.step(
      ENCODER_SHARE,
      () => withStage(device, stages.encode, async (program) => scope.keep(await program.run({ image }))),
    );
    let feeds: Record<string, DeviceTensor> = { context };
    for (const stage of stages.transform) {
      const outputs = await steps.step(
        TRANSFORMER_SHARE / stages.transform.length,
        () => withStage(device, stage, async (program) => scope.keep(await program.run(feeds))),
      );
      if (feeds.x) scope.release(feeds.x);
      feeds = { context, ...outputs };
    }
    return new Triplane(await scope.take(feeds.planes), TRIPOSR_PLANES, radius);
  } finally {
    scope.releaseAll();
  }
}

/** The density on a grid over the cube of the model; kept as its logarithm, interpolated as it is. */
function densityField(
  program: PointProgram,
  { radius }: TripoSrConfig,
  { resolution, densityThreshold }: Pick<TripoSrOptions, "resolution" | "densityThreshold">,
): GridField {
  return {
    nodes: resolution,
    channels: 1,
    level: densityThreshold > 0 ? Math.log(densityThreshold) - DENSITY_BIAS : -Infinity,
    shape: (raw) => Math.exp(raw + DENSITY_BIAS),
    evaluate: (nodes) => program.evaluate(nodePositions(nodes, resolution, radius)),
  };
}
