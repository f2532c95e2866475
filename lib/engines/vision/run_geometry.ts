/**
 * Geometry of one image, from the file to the files.
 *
 * @module
 */
import type { Geometry } from "../../models/moge2/geometry.ts";
import type { FindGeometry } from "../../models/moge2/open_moge2.ts";
import { manifestArtifact, sortEntries } from "../../models/vision/artifacts/artifact.ts";
import { geometryArtifacts, geometryCamera } from "../../models/vision/artifacts/geometry_artifacts.ts";
import type { OperationCall } from "../contract/operation.ts";
import { ArtifactFolder, type LoadTime, readRgbImage, StageTimes } from "./operation_run.ts";
import type { GeometryOrder, VisionOutcome } from "./vision_operations.ts";

const STEM = "geometry";
const TIMES = ["model_load", "inference", "postprocess"];

/** Finds the geometry of an image and writes what the contract lists. */
export async function runGeometry(
  find: FindGeometry,
  load: LoadTime,
  order: GeometryOrder,
  call: OperationCall<never>,
): Promise<VisionOutcome> {
  const times = new StageTimes();
  times.add("model_load", load.take());
  call.progress(0, "decoding the image");
  const image = await readRgbImage(order.image);
  call.signal.throwIfAborted();
  call.progress(0.05, "finding the geometry");
  const geometry = await find(image, {
    tokens: order.tokens,
    signal: call.signal,
    onProgress: (fraction) => call.progress(0.05 + 0.8 * fraction, "finding the geometry"),
    onStage: (stage) => times.enter(stage === "postprocessing" ? "postprocess" : stage),
  });
  call.signal.throwIfAborted();
  call.progress(0.85, "writing files");
  const files = await ArtifactFolder.open(call.folder);
  for (const artifact of await geometryArtifacts(STEM, geometry, image, order.maxPoints)) {
    await files.write(artifact);
    call.signal.throwIfAborted();
  }
  const facts = geometryFacts(geometry, order);
  const manifest = manifestArtifact("manifest", `${STEM}-manifest.json`, 2, {
    ...{ object: "vision.geometry", ...facts, checkpoint: order.checkpoint },
  }, files.entries);
  const written = [...files.entries];
  const manifestEntry = await files.write(manifest);
  return {
    facts,
    artifacts: sortEntries([...written, manifestEntry]),
    manifest: manifestEntry,
    timing: times.report(TIMES),
  };
}

function geometryFacts(geometry: Geometry, { model, tokens }: GeometryOrder): Record<string, unknown> {
  const { width, height, focal, shift, metricScale } = geometry;
  return {
    ...{ model, width, height, units: "meters", coordinate_system: "camera-x-right-y-down-z-forward" },
    camera: geometryCamera(geometry),
    depth_statistics: depthStatistics(geometry.depth),
    ...{ focal, shift, metric_scale: metricScale, token_count: tokens },
  };
}

/** Of the pixels that have a depth; without any there is neither minimum nor maximum nor mean. */
function depthStatistics(depth: Float32Array): Record<string, number> {
  let [count, minimum, maximum, sum] = [0, Infinity, -Infinity, 0];
  for (const value of depth) {
    if (!Number.isFinite(value)) continue;
    count++;
    sum += value;
    minimum = Math.min(minimum, value);
    maximum = Math.max(maximum, value);
  }
  return {
    ...{ validPixelCount: count, invalidPixelCount: depth.length - count },
    ...(count > 0 && { minimum, maximum, mean: sum / count }),
  };
}
