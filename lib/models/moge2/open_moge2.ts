/**
 * MoGe-2 from its folder: geometry of one image.
 *
 * @module
 */
import { type Device, f32 } from "../../compute/tensor/mod.ts";
import { SvcError } from "../../errors/svc_error.ts";
import type { RgbImage } from "../../media/images/rgb_image.ts";
import type { ModelRoot } from "../checkpoint/model_root.ts";
import type { LoadOptions } from "../checkpoint/read_weights.ts";
import { unitPlanes } from "../images/planes.ts";
import type { ImageSize } from "../images/resample.ts";
import { type LoadedNetwork, loadNetwork } from "../vision/load_network.ts";
import { type OperationOptions, OperationSteps } from "../vision/operation.ts";
import { type Stage, TensorScope, withStage } from "../vision/run_stages.ts";
import type { PatchGrid } from "../vision_transformer/dinov2_config.ts";
import { positionTable } from "../vision_transformer/patch_tokens.ts";
import { type Moge2Config, moge2Family } from "./config.ts";
import { type Geometry, type GeometryOptions, type Moge2Output, recoverGeometry } from "./geometry.ts";
import { MAX_MOGE2_TOKENS, normaliseImage, resizeToPatches, tokenGrid, TORCH_RESIZING } from "./image_input.ts";
import { encodeImage, moge2Maps } from "./network.ts";

/** How finely an image is looked at. */
interface Moge2Options extends OperationOptions, GeometryOptions {
  /** Patches that are asked for. */
  readonly tokens: number;
}

/** Finds the geometry of an image. */
export type FindGeometry = (image: RgbImage, options: Moge2Options) => Promise<Geometry>;

/** Loads the model from its tensors; the device stays the caller's. */
export async function openMoge2(root: ModelRoot, device: Device, options: LoadOptions = {}): Promise<FindGeometry> {
  const network = await loadNetwork(root, moge2Family, options);
  return (image, geometryOptions) => findGeometry(network, device, image, geometryOptions);
}

/**
 * Rows and columns of patches for an image.
 *
 * @throws {SvcError} when the image is too thin for so few patches, or the patches are too many.
 */
export function checkedGrid(tokens: number, image: ImageSize): PatchGrid {
  const grid = tokenGrid(tokens, image);
  const patches = grid.rows * grid.columns;
  if (patches > 0 && patches <= MAX_MOGE2_TOKENS) return grid;
  throw new SvcError(
    patches > 0 ? "too_many_tokens" : "image_too_thin",
    `Cannot cut the image of ${image.width}x${image.height} into patches: ${tokens} tokens make ` +
      `${grid.rows}x${grid.columns}, expected 1 to ${MAX_MOGE2_TOKENS}; ask for another number of tokens`,
    { param: patches > 0 ? "token_count" : "image" },
  );
}

/** The network as a stage: `image` [1,3,14*rows,14*columns] -> `points`, `normal`, `mask`, `scale`. */
function moge2Stage({ config, weights }: LoadedNetwork<Moge2Config>, grid: PatchGrid, image: ImageSize): Stage {
  const { patch } = config.encoder;
  const positions = positionTable(weights.get("encoder.backbone.pos_embed"), grid, TORCH_RESIZING.positions);
  return (graph) => {
    const input = graph.input("image", [1, 3, grid.rows * patch, grid.columns * patch]);
    const maps = moge2Maps(encodeImage(input, config, weights, positions, grid), config, weights, image);
    return { points: maps.points, normal: maps.normal, mask: maps.mask, scale: maps.metricScale };
  };
}

async function findGeometry(
  network: LoadedNetwork<Moge2Config>,
  device: Device,
  image: RgbImage,
  options: Moge2Options,
): Promise<Geometry> {
  const grid = checkedGrid(options.tokens, image);
  const steps = new OperationSteps(1, options);
  const { patch } = network.config.encoder;
  const scope = new TensorScope();
  options.onStage?.("inference");
  try {
    const input = normaliseImage(resizeToPatches(unitPlanes(image), image, grid, patch, TORCH_RESIZING));
    const output = await steps.step(
      1,
      () =>
        withStage(device, moge2Stage(network, grid, image), async (program): Promise<Moge2Output> => {
          const maps = scope.keep(await program.run({ image: f32(input.shape, input.data) }));
          return {
            width: image.width,
            height: image.height,
            points: (await scope.take(maps.points)).data,
            normal: (await scope.take(maps.normal)).data,
            mask: (await scope.take(maps.mask)).data,
            metricScale: (await scope.take(maps.scale)).data[0],
          };
        }),
    );
    options.onStage?.("postprocessing");
    return recoverGeometry(output, options);
  } finally {
    scope.releaseAll();
  }
}
