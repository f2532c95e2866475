/**
 * Cameras in the form that other programs read.
 *
 * @module
 */
import { type Camera, invertRigid } from "../../depth_anything3/camera.ts";
import type { ImageSize } from "../../images/resample.ts";

/** A camera's intrinsics in shares of the image. */
interface NormalisedCamera {
  readonly imageWidth: number;
  readonly imageHeight: number;
  readonly normalizedFX: number;
  readonly normalizedFY: number;
  readonly normalizedCX: number;
  readonly normalizedCY: number;
}

/** Intrinsics of a camera for an image. */
export function normalisedCamera(
  { intrinsics: { fx, fy, cx, cy } }: Pick<Camera, "intrinsics">,
  size: ImageSize,
): NormalisedCamera {
  const { width, height } = size;
  return {
    imageWidth: width,
    imageHeight: height,
    normalizedFX: fx / width,
    normalizedFY: fy / height,
    normalizedCX: cx / width,
    normalizedCY: cy / height,
  };
}

/** All cameras, world to camera, as known-camera files are read. */
export function camerasJson(cameras: readonly Camera[], size: ImageSize): Readonly<Record<string, unknown>> {
  return {
    schemaVersion: 1,
    coordinateSystem: "world-from-cameras-x-right-y-down-z-forward",
    cameras: cameras.map((camera) => ({
      intrinsics: normalisedCamera(camera, size),
      extrinsics: {
        rotation: Array.from(camera.extrinsics.rotation),
        translation: Array.from(camera.extrinsics.translation),
      },
    })),
  };
}

/**
 * Cameras in the format of Nerfstudio: camera to world with y up and z backward as OpenGL has them.
 *
 * @param files Path of the image of each camera.
 */
export function nerfstudioTransforms(
  cameras: readonly Camera[],
  size: ImageSize,
  files: readonly string[],
  pointCloud: string,
): Readonly<Record<string, unknown>> {
  return {
    camera_model: "OPENCV",
    ply_file_path: pointCloud,
    frames: cameras.map(({ intrinsics, extrinsics }, i) => {
      const { rotation: r, translation: t } = invertRigid(extrinsics);
      return {
        file_path: files[i],
        w: size.width,
        h: size.height,
        fl_x: intrinsics.fx,
        fl_y: intrinsics.fy,
        cx: intrinsics.cx,
        cy: intrinsics.cy,
        k1: 0,
        k2: 0,
        p1: 0,
        p2: 0,
        transform_matrix: [
          ...[0, 1, 2].map((row) => [r[3 * row], -r[3 * row + 1], -r[3 * row + 2], t[row]]),
          [0, 0, 0, 1],
        ],
      };
    }),
  };
}
