/**
 * Depth Anything 3 from its folder: geometry of several views.
 *
 * @module
 */
import type { Device } from "../../compute/tensor/mod.ts";
import { SvcError } from "../../errors/svc_error.ts";
import type { RgbImage } from "../../media/images/rgb_image.ts";
import type { ModelRoot } from "../checkpoint/model_root.ts";
import type { LoadOptions } from "../checkpoint/read_weights.ts";
import type { ImageSize } from "../images/resample.ts";
import { type LoadedNetwork, loadNetwork } from "../vision/load_network.ts";
import type { OperationOptions } from "../vision/operation.ts";
import { alignCentres, cameraCentre, MIN_CAMERAS_FOR_RANSAC } from "./align_cameras.ts";
import { type Camera, checkCameras, decodeCamera } from "./camera.ts";
import { type DepthAnything3Config, depthAnything3Family } from "./config.ts";
import { runDepthAnything3 } from "./depth_anything3.ts";
import type { ReferenceStrategy } from "./reference_view.ts";
import { commonSize, prepareViews, viewSteps } from "./views.ts";

/** Most views of a scene. */
const MAX_VIEWS = 16;

/** Most pixels of all views together once they are resized. */
const MAX_VIEW_PIXELS: number = 8 * 504 * 504;

/** How views are looked at. */
interface MultiViewOptions extends OperationOptions {
  /** Pixels on the longest side. */
  readonly resolution: number;
  readonly reference: ReferenceStrategy;
  /** Cameras of the views in pixels of the given images, where they are known. */
  readonly cameras?: readonly Camera[] | undefined;
}

/** What the depths were brought to the given cameras' scale by. */
type ScaleAlignment = "none" | "umeyama" | "umeyama-ransac";

/** Depth and cameras of all views, one size for all. */
export interface MultiViewScene extends ImageSize {
  /** The views as they were looked at. */
  readonly images: readonly RgbImage[];
  /** [views,H,W], in the units of the cameras. */
  readonly depth: Float32Array;
  /** [views,H,W], 1 or more. */
  readonly confidence: Float32Array;
  /** The given cameras, or predicted ones, in pixels of the views as they were looked at. */
  readonly cameras: readonly Camera[];
  readonly reference: number;
  /** What the network's depth was divided by. */
  readonly depthDivisor: number;
  readonly alignment: ScaleAlignment;
}

/** Finds depth and cameras of views. */
export type RelateViews = (images: readonly RgbImage[], options: MultiViewOptions) => Promise<MultiViewScene>;

/** Loads the model; the device stays the caller's. */
export async function openDepthAnything3(
  root: ModelRoot,
  device: Device,
  options: LoadOptions = {},
): Promise<RelateViews> {
  const network = await loadNetwork(root, depthAnything3Family, options);
  return (images, sceneOptions) => relateViews(network, device, images, sceneOptions);
}

/**
 * The size that all views get.
 *
 * @throws {SvcError} when there are too many views or pixels, or a view is too thin.
 */
export function checkedViewSize(images: readonly ImageSize[], resolution: number, patch: number): ImageSize {
  const refuse = (code: "view_count_invalid" | "view_too_thin" | "views_too_large", what: string) =>
    new SvcError(code, `Cannot relate the views: ${what}`, { param: "image" });
  if (images.length < 1 || images.length > MAX_VIEWS) {
    throw refuse("view_count_invalid", `there are ${images.length}, expected 1 to ${MAX_VIEWS}`);
  }
  const sizes = images.map((image) => viewSteps(image, resolution, patch)[1]);
  const thin = sizes.findIndex(({ width, height }) => width < patch || height < patch);
  if (thin >= 0) {
    const { width, height } = images[thin];
    throw refuse(
      "view_too_thin",
      `view ${thin} of ${width}x${height} is too thin at a resolution of ${resolution}, expected ${patch} pixels or ` +
        `more on its short side; raise process_resolution or crop the view`,
    );
  }
  const size = commonSize(sizes);
  const pixels = images.length * size.width * size.height;
  if (pixels > MAX_VIEW_PIXELS) {
    throw refuse(
      "views_too_large",
      `they have ${pixels} pixels together, expected at most ${MAX_VIEW_PIXELS}; lower process_resolution`,
    );
  }
  return size;
}

async function relateViews(
  { config, weights }: LoadedNetwork<DepthAnything3Config>,
  device: Device,
  images: readonly RgbImage[],
  options: MultiViewOptions,
): Promise<MultiViewScene> {
  const { patch } = config.backbone;
  const { resolution, cameras: given } = options;
  checkedViewSize(images, resolution, patch);
  if (given) checkCameras(given, images.length);
  options.onStage?.("preprocessing");
  const views = prepareViews(images, images.map((_, i) => given?.[i].intrinsics), resolution, patch);
  const known = given?.map(({ extrinsics }, i) => ({ extrinsics, intrinsics: views.intrinsics[i]! }));
  options.onStage?.("inference");
  const scene = await runDepthAnything3(device, config, weights, { ...views, cameras: known }, options);
  options.onStage?.("postprocessing");
  const predicted = scene.poses.map((pose) => decodeCamera(pose, views));
  const { divisor, alignment } = known ? alignScale(known, predicted) : { divisor: 1, alignment: "none" as const };
  return {
    width: views.width,
    height: views.height,
    images: views.images,
    depth: divisor === 1 ? scene.depth : scene.depth.map((v) => v / divisor),
    confidence: scene.confidence,
    cameras: known ?? predicted,
    reference: scene.reference,
    depthDivisor: divisor,
    alignment,
  };
}

/** The scale of the predicted camera centres over that of the given ones; 1 if neither has a distance. */
function alignScale(known: readonly Camera[], predicted: readonly Camera[]) {
  const [from, to] = [known, predicted].map((all) => all.map((c) => cameraCentre(c.extrinsics)));
  const fit = alignCentres(from, to);
  if (!fit || !Number.isFinite(fit.scale)) return { divisor: 1, alignment: "none" as const };
  const alignment: ScaleAlignment = known.length < MIN_CAMERAS_FOR_RANSAC ? "umeyama" : "umeyama-ransac";
  return { divisor: fit.scale, alignment };
}
