/**
 * Objects of one image or of several views, from the files to the files.
 *
 * @module
 */
import type { ReconstructObject } from "../../models/instantmesh/open_instantmesh.ts";
import { boundsOf, type ColouredMesh } from "../../models/isosurface/surface_mesh.ts";
import type { MakeObject } from "../../models/triposr/open_triposr.ts";
import { manifestArtifact, sortEntries } from "../../models/vision/artifacts/artifact.ts";
import { meshArtifacts } from "../../models/vision/artifacts/scene_artifacts.ts";
import type { OperationCall } from "../contract/operation.ts";
import { ArtifactFolder, type LoadTime, readRgbaImage, readRgbImage, StageTimes } from "./operation_run.ts";
import type { ObjectOrder, ObjectViewsOrder, VisionOutcome } from "./vision_operations.ts";

const TIMES = [
  ...["checkpoint_verification", "decoding", "preprocessing", "model_load", "scene_encoding", "mesh_extraction"],
  ...["export", "total"],
];

/** Pixels on the side of the square that TripoSR looks at, and of a view of InstantMesh. */
interface PreparedSize {
  readonly side: number;
}

/** Makes a mesh of the object in an image and writes what the contract lists. */
export async function runObject(
  make: MakeObject,
  { side }: PreparedSize,
  load: LoadTime,
  order: ObjectOrder,
  call: OperationCall<never>,
): Promise<VisionOutcome> {
  const times = new StageTimes();
  times.add("model_load", load.take());
  times.enter("decoding");
  call.progress(0, "decoding the image");
  const image = await readRgbaImage(order.image);
  call.signal.throwIfAborted();
  const { resolution, densityThreshold, foregroundRatio, vertexColours } = order;
  const mesh = await make(image, {
    ...{ resolution, densityThreshold, foregroundRatio, vertexColours, signal: call.signal },
    onProgress: (fraction) => call.progress(0.05 + 0.9 * fraction, "making the object"),
    onStage: (stage) => times.enter(stage),
  });
  const facts = {
    model: order.model,
    checkpoint: order.checkpoint,
    ...{ source_width: image.width, source_height: image.height, prepared_width: side, prepared_height: side },
    foreground_policy: foregroundRatio === undefined ? "already-framed" : "automatic-transparent-alpha",
    ...(foregroundRatio !== undefined && { foreground_ratio: foregroundRatio }),
    cropped_transparent_foreground: foregroundRatio !== undefined,
    extraction_resolution: resolution,
    density_threshold: densityThreshold,
    ...meshFacts(mesh, vertexColours),
  };
  return await writeMesh("triposr-asset", "vision.image-to-3d", mesh, facts, times, call);
}

/** Makes a mesh of the object that views show and writes what the contract lists. */
export async function runObjectViews(
  reconstruct: ReconstructObject,
  { side }: PreparedSize,
  load: LoadTime,
  order: ObjectViewsOrder,
  call: OperationCall<never>,
): Promise<VisionOutcome> {
  const times = new StageTimes();
  times.add("model_load", load.take());
  times.enter("decoding");
  const images = [];
  for (const [i, path] of order.images.entries()) {
    call.progress(0, `decoding view ${i + 1} of ${order.images.length}`);
    images.push(await readRgbImage(path));
    call.signal.throwIfAborted();
  }
  const { resolution, vertexColours, cameras } = order;
  const mesh = await reconstruct(images, {
    ...{ resolution, vertexColours, cameras, signal: call.signal },
    onProgress: (fraction) => call.progress(0.05 + 0.9 * fraction, "making the object"),
    onStage: (stage) => times.enter(stage),
  });
  const facts = {
    model: order.model,
    checkpoint: { ...order.checkpoint, view_generation_included: false },
    source_dimensions: images.map(({ width, height }) => ({ width, height })),
    ...{ prepared_width: side, prepared_height: side },
    view_count: images.length,
    user_supplied_views: true,
    view_generation_included: false,
    used_official_camera_rig: cameras === undefined,
    zero123_plus_plus_included: false,
    runtime_python: false,
    proprietary_flexicubes_included: false,
    upstream_empty_field_repair_applied: mesh.repaired,
    topology_matches_upstream_flexicubes: false,
    extraction_resolution: resolution,
    ...meshFacts(mesh, vertexColours),
  };
  return await writeMesh("instantmesh-asset", "vision.image-to-3d-multiview", mesh, facts, times, call);
}

function meshFacts(mesh: ColouredMesh, vertexColours: boolean): Record<string, unknown> {
  return {
    includes_vertex_colors: vertexColours,
    mesh_extraction_algorithm: "native-marching-tetrahedra",
    coordinate_system: "model-x-right-y-up-z-forward",
    units: "normalized-object-space",
    inferred_unseen_geometry: true,
    vertex_count: mesh.positions.length / 3,
    triangle_count: mesh.triangles.length / 3,
    bounds: boundsOf(mesh.positions),
  };
}

async function writeMesh(
  stem: string,
  object: string,
  mesh: ColouredMesh,
  facts: Record<string, unknown>,
  times: StageTimes,
  call: OperationCall<never>,
): Promise<VisionOutcome> {
  call.signal.throwIfAborted();
  times.enter("export");
  call.progress(0.95, "writing files");
  const files = await ArtifactFolder.open(call.folder);
  for (const artifact of meshArtifacts(stem, mesh)) await files.write(artifact);
  const geometry = {
    stem,
    vertexCount: facts.vertex_count,
    triangleCount: facts.triangle_count,
    bounds: facts.bounds,
    coordinateSystem: facts.coordinate_system,
    units: facts.units,
  };
  const meshManifest = await files.write(
    manifestArtifact("mesh-manifest", `${stem}-manifest.json`, 1, geometry, [...files.entries]),
  );
  const written = [...files.entries];
  const manifest = await files.write(
    manifestArtifact("manifest", `${stem}-run-manifest.json`, 1, { object, ...facts }, written),
  );
  return { facts, artifacts: sortEntries(written), manifest, companion: meshManifest, timing: times.report(TIMES) };
}
