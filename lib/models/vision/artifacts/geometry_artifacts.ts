/**
 * The files of one image's geometry.
 *
 * @module
 */
import { depthPreview, DepthRangeSampler, maskPreview, normalPreview } from "../../../media/images/depth_preview.ts";
import { encodeExr } from "../../../media/images/exr.ts";
import { encodePng } from "../../../media/images/png.ts";
import type { RgbImage } from "../../../media/images/rgb_image.ts";
import { encodePly } from "../../../media/scenes/obj_and_ply.ts";
import type { Geometry } from "../../moge2/geometry.ts";
import { type Artifact, EXR_TYPE, jsonArtifact } from "./artifact.ts";
import { normalisedCamera } from "./camera_files.ts";

/** Depth, normals, mask, points and camera; the paths begin with `stem`. */
export async function geometryArtifacts(
  stem: string,
  geometry: Geometry,
  image: RgbImage,
  maxPoints: number = Infinity,
): Promise<Artifact[]> {
  const { width, height, depth, normal, mask } = geometry;
  const size = width * height;
  const plane = (c: number) => Float32Array.from({ length: size }, (_, i) => normal[3 * i + c]);
  const range = new DepthRangeSampler(size);
  range.add(depth);
  const png = async (kind: string, name: string, preview: RgbImage): Promise<Artifact> => ({
    kind,
    path: `${stem}-${name}.png`,
    mediaType: "image/png",
    bytes: await encodePng(preview),
  });
  const exr = async (kind: string, channels: readonly { name: string; data: Float32Array }[]): Promise<Artifact> => ({
    kind,
    path: `${stem}-${kind.replace("-exr", "")}.exr`,
    mediaType: EXR_TYPE,
    bytes: await encodeExr({ width, height, channels }),
  });
  const directions = ["NX", "NY", "NZ"].map((name, c) => ({ name, data: plane(c) }));
  return [
    await exr("depth-exr", [{ name: "Z", data: depth }]),
    await png("depth-preview", "depth", depthPreview(depth, width, height, range.range())),
    await exr("normal-exr", directions),
    await png("normal-preview", "normal", normalPreview(normal, width, height)),
    await png("validity-mask", "validity", maskPreview(mask, width, height)),
    {
      kind: "point-cloud",
      path: `${stem}-points.ply`,
      mediaType: "application/ply",
      bytes: encodePly(geometryPoints(geometry, image, maxPoints)),
    },
    jsonArtifact("camera", `${stem}-camera.json`, geometryCamera(geometry)),
  ];
}

/** Every pixel with a depth as a coloured point, thinned out evenly to at most `maxPoints`. */
function geometryPoints(geometry: Geometry, image: RgbImage, maxPoints: number): {
  readonly positions: Float32Array<ArrayBuffer>;
  readonly colours: Uint8Array<ArrayBuffer>;
} {
  const { points, mask } = geometry;
  const valid = mask.reduce((sum, v) => sum + v, 0);
  const stride = Math.max(1, Math.ceil(valid / maxPoints));
  const count = Math.ceil(valid / stride);
  const positions = new Float32Array(3 * count);
  const colours = new Uint8Array(3 * count);
  let [seen, kept] = [0, 0];
  mask.forEach((v, i) => {
    if (!v || seen++ % stride !== 0) return;
    positions.set(points.subarray(3 * i, 3 * i + 3), 3 * kept);
    colours.set(image.data.subarray(3 * i, 3 * i + 3), 3 * kept);
    kept++;
  });
  return { positions, colours };
}

/** The camera of a geometry in the words of the API. */
export function geometryCamera({ width, height, intrinsics }: Geometry): Readonly<Record<string, unknown>> {
  const { fx, fy, cx, cy } = intrinsics;
  const pixels = { fx: fx * width, fy: fy * height, cx: cx * width, cy: cy * height };
  const degrees = (f: number) => 2 * Math.atan(0.5 / f) * 180 / Math.PI;
  return {
    intrinsics: normalisedCamera({ intrinsics: pixels }, { width, height }),
    normalizedMatrixRowMajor: [fx, 0, cx, 0, fy, cy, 0, 0, 1],
    pixelMatrixRowMajor: [pixels.fx, 0, pixels.cx, 0, pixels.fy, pixels.cy, 0, 0, 1],
    horizontalFieldOfViewDegrees: degrees(fx),
    verticalFieldOfViewDegrees: degrees(fy),
  };
}
