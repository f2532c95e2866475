/**
 * What an InstantMesh reconstruction network looks like.
 *
 * @module
 */
import type { PlaneAxes } from "../triplane/triplane.ts";
import type { DinoConfig } from "../vision_transformer/dino_config.ts";

/**
 * The reconstruction part of InstantMesh (Xu et al. 2024): DINO on several views with norms that know the camera, a
 * transformer over triplane tokens, a signed distance with colour and a deformed grid.
 */
export interface InstantMeshConfig {
  readonly encoder: DinoConfig;
  /** Pixels on the side of a view. */
  readonly imageSize: number;
  /** Channels of a triplane token. */
  readonly width: number;
  readonly heads: number;
  /** Blocks of the transformer. */
  readonly depth: number;
  /** Tokens on the side of a plane. */
  readonly planeTokens: number;
  /** Channels of a plane. */
  readonly planeChannels: number;
  /** Width of the hidden layers of the field's networks. */
  readonly hidden: number;
  /** Side of the cube in which the surface is looked for. */
  readonly gridScale: number;
}

/** Which coordinates are looked up on each plane; the third one is turned over. */
export const INSTANTMESH_PLANES: PlaneAxes = [[0, 1], [0, 2], [2, 1]];

/** Numbers of a camera: the first three rows of camera-to-world, then fx, fy, cx, cy in shares of the image. */
export const CAMERA_NUMBERS = 16;
