/**
 * Forms and answers of the vision routes.
 *
 * @module
 */
import { REFERENCE_STRATEGIES } from "../../lib/models/depth_anything3/reference_view.ts";
import type { JsonObject } from "./both_spellings.ts";
import { described, flag, integer, list, number, record, ref, request, text, words } from "./json_schema.ts";

const MAX_INT = 2 ** 31 - 1;
const file: JsonObject = { type: "string", contentMediaType: "application/octet-stream" };
const files = (most: number) =>
  described({ anyOf: [file, list(file, { maxItems: most })] }, "In the order of the body");
const count: JsonObject = { type: "integer", minimum: 0 };
const finite: JsonObject = { type: "number" };
const sha256: JsonObject = { type: "string", pattern: "^[0-9a-f]{64}$" };
const numbers = (length: number) => list(finite, { minItems: length, maxItems: length });
const artifacts = described(list(ref("VisionArtifact")), "By view or frame, kind and URL");
const model = described(text, "The managed id of the route, when given");
const cameras = described(text, "JSON with schemaVersion 1 and one camera a view");

const timing = (...names: readonly string[]) =>
  record(Object.fromEntries(names.map((name) => [`${name}_seconds`, { type: "number", minimum: 0 }])));

const intrinsics = record({
  imageWidth: count,
  imageHeight: count,
  normalizedFX: finite,
  normalizedFY: finite,
  normalizedCX: finite,
  normalizedCY: finite,
});

const checkpoint = {
  repository: text,
  revision: text,
  source_repository: text,
  source_revision: text,
  license: text,
  format: words("safetensors", "onnx"),
  weights_byte_count: count,
  weights_sha256: sha256,
  "configuration_byte_count?": count,
  "configuration_sha256?": sha256,
};

const head = (object: string) => ({
  object: { const: object },
  created: described(count, "Unix time in seconds"),
  status: { const: "completed" },
  model: text,
});

const mesh = {
  prepared_width: count,
  prepared_height: count,
  extraction_resolution: count,
  includes_vertex_colors: flag,
  mesh_extraction_algorithm: { const: "native-marching-tetrahedra" },
  coordinate_system: { const: "model-x-right-y-up-z-forward" },
  units: { const: "normalized-object-space" },
  inferred_unseen_geometry: flag,
  vertex_count: count,
  triangle_count: count,
  bounds: record({ minimum: numbers(3), maximum: numbers(3) }),
  manifest: ref("VisionArtifact"),
  mesh_manifest: ref("VisionArtifact"),
  artifacts,
  timing: timing(
    ...["checkpoint_verification", "decoding", "preprocessing", "model_load", "scene_encoding", "mesh_extraction"],
    ...["export", "total"],
  ),
};

/** All of them. */
export const visionSchemas: Record<string, JsonObject> = {
  GeometryForm: request({
    image: file,
    "model?": model,
    "resolution_level?": integer(0, 9, "9 when omitted"),
    "token_count?": integer(1, 3600, "In place of the level"),
    "max_points?": integer(1, MAX_INT, "All when omitted"),
  }),
  MultiViewForm: request({
    "image?": files(16),
    "image[]?": files(16),
    "model?": model,
    "process_resolution?": integer(14, 1008, "Pixels on the longest side; 504 when omitted"),
    "reference_view?": described(words(...REFERENCE_STRATEGIES), "saddle-balanced when omitted"),
    "confidence_percentile?": number(0, 100, "40 when omitted"),
    "max_points?": integer(1, MAX_INT, "1000000 when omitted"),
    "cameras?": cameras,
  }),
  ImageTo3dForm: request({
    image: file,
    "model?": model,
    "resolution?": integer(2, 512, "256 when omitted"),
    "density_threshold?": described(finite, "25 when omitted"),
    "foreground_ratio?": { type: "number", exclusiveMinimum: 0, maximum: 1, description: "0.85 when omitted" },
    "already_framed?": described(flag, "false when omitted"),
    "vertex_colors?": described(flag, "true when omitted"),
  }),
  ViewsTo3dForm: request({
    "image?": files(6),
    "image[]?": files(6),
    "model?": model,
    "resolution?": integer(2, 256, "128 when omitted"),
    "vertex_colors?": described(flag, "true when omitted"),
    "cameras?": cameras,
  }),
  DepthVideoForm: request({
    video: file,
    "model?": described(text, "vision-depth-vda-small, or vision-depth-vda-small-metric"),
    "input_size?": integer(14, 1008, "518 when omitted"),
    "max_frames?": integer(1, 2400, "240 when omitted"),
  }),
  VisionArtifact: record({
    kind: text,
    "view_index?": count,
    "frame_index?": count,
    url: { type: "string", pattern: "^file://" },
    media_type: text,
    byte_count: count,
    sha256,
  }),
  Geometry: record({
    ...head("vision.geometry"),
    width: count,
    height: count,
    units: { const: "meters" },
    coordinate_system: { const: "camera-x-right-y-down-z-forward" },
    camera: record({
      intrinsics,
      normalizedMatrixRowMajor: numbers(9),
      pixelMatrixRowMajor: numbers(9),
      horizontalFieldOfViewDegrees: finite,
      verticalFieldOfViewDegrees: finite,
    }),
    depth_statistics: record({
      validPixelCount: count,
      invalidPixelCount: count,
      "minimum?": finite,
      "maximum?": finite,
      "mean?": finite,
    }),
    focal: finite,
    shift: finite,
    metric_scale: finite,
    token_count: count,
    manifest_url: { type: "string", pattern: "^file://" },
    artifacts,
    timing: timing("model_load", "inference", "postprocess"),
  }),
  MultiViewGeometry: record({
    ...head("vision.geometry.multiview"),
    checkpoint: record(checkpoint),
    units: { const: "relative" },
    coordinate_system: { const: "world-from-cameras-x-right-y-down-z-forward" },
    pose_conditioned: flag,
    camera_semantics: words("predicted-relative", "supplied-scale-aligned-relative"),
    camera_scale_alignment: words("none", "umeyama", "umeyama-ransac"),
    reference_view_strategy: words(...REFERENCE_STRATEGIES),
    depth_scale_divisor: finite,
    process_resolution: count,
    confidence_percentile: number(0, 100),
    confidence_threshold: finite,
    view_count: count,
    camera_count: count,
    point_count: count,
    point_cloud_representation: { const: "colored-points-not-mesh" },
    contains_mesh: { const: false },
    contains_gaussian_parameters: { const: false },
    three_d_gaussian_handoff: record({
      kind: text,
      transformsPath: text,
      pointCloudPath: text,
      containsGaussianParameters: { const: false },
      note: text,
    }),
    cameras: list(record({
      view_index: count,
      width: count,
      height: count,
      intrinsics,
      extrinsics: record({ rotation: numbers(9), translation: numbers(3) }),
      selected_point_count: count,
    })),
    manifest: ref("VisionArtifact"),
    artifacts,
    timing: timing(
      ...["checkpoint_verification", "decoding", "preprocessing", "model_load", "inference", "postprocessing"],
      ...["export", "total"],
    ),
  }),
  ImageTo3d: record({
    ...head("vision.image-to-3d"),
    checkpoint: record({ ...checkpoint, source_sha256: sha256 }),
    source_width: count,
    source_height: count,
    foreground_policy: words("automatic-transparent-alpha", "already-framed"),
    "foreground_ratio?": finite,
    cropped_transparent_foreground: flag,
    density_threshold: finite,
    ...mesh,
  }),
  ViewsTo3d: record({
    ...head("vision.image-to-3d-multiview"),
    checkpoint: record({
      ...checkpoint,
      source_sha256: sha256,
      source_manifest_sha256: sha256,
      view_generation_included: { const: false },
    }),
    source_dimensions: list(record({ width: count, height: count })),
    view_count: count,
    user_supplied_views: { const: true },
    view_generation_included: { const: false },
    used_official_camera_rig: flag,
    zero123_plus_plus_included: { const: false },
    runtime_python: { const: false },
    proprietary_flexicubes_included: { const: false },
    upstream_empty_field_repair_applied: flag,
    topology_matches_upstream_flexicubes: { const: false },
    ...mesh,
  }),
  DepthVideo: record({
    ...head("vision.depth-video"),
    semantics: words("affine-relative", "metric-meters"),
    checkpoint_format: words("pinned-pytorch-state-dict", "verified-converted-safetensors"),
    checkpoint_sha256: sha256,
    width: count,
    height: count,
    fps: finite,
    frame_count: count,
    window_count: count,
    temporal_window_length: { const: 32 },
    temporal_overlap: { const: 10 },
    has_confidence: { const: false },
    has_camera_intrinsics: { const: false },
    has_camera_extrinsics: { const: false },
    has_point_cloud: { const: false },
    manifest: ref("VisionArtifact"),
    review: ref("VisionArtifact"),
    artifacts,
    timing: timing("checkpoint_verification", "frame_extraction", "model_load", "inference", "export", "total"),
  }),
};
