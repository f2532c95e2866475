/**
 * The files of a scene of several views, and those of an object.
 *
 * @module
 */
import { depthPreview, DepthRangeSampler } from "../../../media/images/depth_preview.ts";
import { encodeExr } from "../../../media/images/exr.ts";
import { encodePng } from "../../../media/images/png.ts";
import { encodeGlb } from "../../../media/scenes/glb.ts";
import { encodeObj, encodePly } from "../../../media/scenes/obj_and_ply.ts";
import type { MultiViewScene } from "../../depth_anything3/open_depth_anything3.ts";
import type { ScenePoints } from "../../depth_anything3/select_points.ts";
import type { ColouredMesh } from "../../isosurface/surface_mesh.ts";
import { type Artifact, EXR_TYPE, jsonArtifact, sixDigits } from "./artifact.ts";
import { camerasJson, nerfstudioTransforms } from "./camera_files.ts";

/** Half a turn about x: from y down and z forward to y up and z backward. */
const UPRIGHT: readonly [number, number, number, number] = [1, 0, 0, 0];

/** The files of one view. */
export async function viewArtifacts(scene: MultiViewScene, view: number): Promise<Artifact[]> {
  const { width, height } = scene;
  const size = width * height;
  const part = (maps: Float32Array) => maps.subarray(view * size, (view + 1) * size);
  const range = new DepthRangeSampler(size);
  const depth = part(scene.depth);
  range.add(depth);
  const file = (kind: string, name: string, mediaType: string, bytes: Uint8Array<ArrayBuffer>): Artifact => ({
    kind,
    path: `views/${sixDigits(view)}-${name}`,
    mediaType,
    bytes,
    viewIndex: view,
  });
  const exr = (name: string, data: Float32Array) => encodeExr({ width, height, channels: [{ name, data }] });
  const preview = depthPreview(depth, width, height, range.range());
  return [
    file("depth-exr", "depth.exr", EXR_TYPE, await exr("Z", depth)),
    file("confidence-exr", "confidence.exr", EXR_TYPE, await exr("Y", part(scene.confidence))),
    file("depth-preview", "depth.png", "image/png", await encodePng(preview)),
    file("processed-image", "rgb.png", "image/png", await encodePng(scene.images[view])),
  ];
}

/** The files of the whole scene; no cloud as GLB when no point is sure enough, since glTF has no empty mesh. */
export function sceneArtifacts(scene: MultiViewScene, points: ScenePoints): Artifact[] {
  const cloud = { positions: points.positions, colours: points.colours };
  const images = scene.images.map((_, view) => `views/${sixDigits(view)}-rgb.png`);
  const artifacts: Artifact[] = [
    { kind: "point-cloud-ply", path: "scene.ply", mediaType: "application/ply", bytes: encodePly(cloud) },
    jsonArtifact("cameras-json", "cameras.json", camerasJson(scene.cameras, scene)),
    jsonArtifact(
      "3dgs-transforms-json",
      "transforms.json",
      nerfstudioTransforms(scene.cameras, scene, images, "scene.ply"),
    ),
  ];
  if (points.index.length > 0) {
    const bytes = encodeGlb(cloud, { rotation: UPRIGHT });
    artifacts.push({ kind: "point-cloud-glb", path: "scene.glb", mediaType: "model/gltf-binary", bytes });
  }
  return artifacts;
}

/** The mesh in three formats; vertex colours are sRGB in OBJ and PLY and linear in GLB. */
export function meshArtifacts(stem: string, mesh: ColouredMesh): Artifact[] {
  return [
    { kind: "obj", path: `${stem}.obj`, mediaType: "model/obj", bytes: encodeObj(mesh) },
    { kind: "ply", path: `${stem}.ply`, mediaType: "application/ply", bytes: encodePly(mesh) },
    { kind: "glb", path: `${stem}.glb`, mediaType: "model/gltf-binary", bytes: encodeGlb(mesh) },
  ];
}
