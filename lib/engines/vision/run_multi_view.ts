/**
 * Geometry of several views, from the files to the files.
 *
 * @module
 */
import type { MultiViewScene, RelateViews } from "../../models/depth_anything3/open_depth_anything3.ts";
import { type ScenePoints, selectPoints } from "../../models/depth_anything3/select_points.ts";
import { manifestArtifact, sortEntries } from "../../models/vision/artifacts/artifact.ts";
import { normalisedCamera } from "../../models/vision/artifacts/camera_files.ts";
import { sceneArtifacts, viewArtifacts } from "../../models/vision/artifacts/scene_artifacts.ts";
import type { OperationCall } from "../contract/operation.ts";
import { ArtifactFolder, type LoadTime, readRgbImage, StageTimes } from "./operation_run.ts";
import type { MultiViewOrder, VisionOutcome } from "./vision_operations.ts";

const TIMES = [
  ...["checkpoint_verification", "decoding", "preprocessing", "model_load", "inference", "postprocessing", "export"],
  "total",
];

/** Relates views and writes what the contract lists. */
export async function runMultiView(
  relate: RelateViews,
  load: LoadTime,
  order: MultiViewOrder,
  call: OperationCall<never>,
): Promise<VisionOutcome> {
  const times = new StageTimes();
  times.add("model_load", load.take());
  times.enter("decoding");
  const images = [];
  for (const [i, path] of order.images.entries()) {
    call.progress(0.05 * i / order.images.length, `decoding view ${i + 1} of ${order.images.length}`);
    images.push(await readRgbImage(path));
    call.signal.throwIfAborted();
  }
  const { resolution, reference, cameras } = order;
  const scene = await relate(images, {
    ...{ resolution, reference, cameras, signal: call.signal },
    onProgress: (fraction) => call.progress(0.05 + 0.8 * fraction, `relating ${images.length} views`),
    onStage: (stage) => times.enter(stage),
  });
  call.signal.throwIfAborted();
  const points = selectPoints({ ...scene, colours: coloursOf(scene) }, order);
  times.enter("export");
  const files = await ArtifactFolder.open(call.folder);
  for (let view = 0; view < images.length; view++) {
    call.progress(0.85 + 0.15 * view / images.length, `writing view ${view + 1} of ${images.length}`);
    for (const artifact of await viewArtifacts(scene, view)) await files.write(artifact);
    call.signal.throwIfAborted();
  }
  for (const artifact of sceneArtifacts(scene, points)) await files.write(artifact);
  const facts = sceneFacts(scene, points, order);
  const written = [...files.entries];
  const manifest = await files.write(
    manifestArtifact("manifest", "scene-manifest.json", 2, { object: "vision.geometry.multiview", ...facts }, written),
  );
  return { facts, artifacts: sortEntries([...written, manifest]), manifest, timing: times.report(TIMES) };
}

/** [views,H,W,3] */
function coloursOf({ images, width, height }: MultiViewScene): Uint8Array {
  const colours = new Uint8Array(images.length * 3 * width * height);
  images.forEach(({ data }, i) => colours.set(data, i * 3 * width * height));
  return colours;
}

function sceneFacts(scene: MultiViewScene, points: ScenePoints, order: MultiViewOrder): Record<string, unknown> {
  const { cameras, alignment } = scene;
  const known = order.cameras !== undefined;
  return {
    model: order.model,
    checkpoint: order.checkpoint,
    units: "relative",
    coordinate_system: "world-from-cameras-x-right-y-down-z-forward",
    pose_conditioned: known,
    camera_semantics: known ? "supplied-scale-aligned-relative" : "predicted-relative",
    camera_scale_alignment: alignment,
    reference_view_strategy: order.reference,
    depth_scale_divisor: scene.depthDivisor,
    process_resolution: order.resolution,
    confidence_percentile: order.confidencePercentile,
    confidence_threshold: points.threshold,
    view_count: cameras.length,
    camera_count: cameras.length,
    point_count: points.index.length,
    point_cloud_representation: "colored-points-not-mesh",
    contains_mesh: false,
    contains_gaussian_parameters: false,
    three_d_gaussian_handoff: {
      kind: "nerfstudio-transforms-and-points",
      transformsPath: "transforms.json",
      pointCloudPath: "scene.ply",
      containsGaussianParameters: false,
      note: "Cameras and points from which a training of 3D Gaussians can start; no Gaussians are in these files.",
    },
    cameras: cameras.map((camera, view) => ({
      view_index: view,
      width: scene.width,
      height: scene.height,
      intrinsics: normalisedCamera(camera, scene),
      extrinsics: {
        rotation: Array.from(camera.extrinsics.rotation),
        translation: Array.from(camera.extrinsics.translation),
      },
      selected_point_count: points.perView[view],
    })),
  };
}
