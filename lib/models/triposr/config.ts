/**
 * What a TripoSR network looks like.
 *
 * @module
 */
import type { PlaneAxes } from "../triplane/triplane.ts";
import type { DinoConfig } from "../vision_transformer/dino_config.ts";

/** TripoSR (Tochilkin et al. 2024): DINO on one image, a transformer over triplane tokens, a field of density and colour. */
export interface TripoSrConfig {
  readonly encoder: DinoConfig;
  /** Pixels on the side of the image that is looked at. */
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
  /** Width of the hidden layers of the field's network. */
  readonly neurons: number;
  /** Hidden layers of the field's network. */
  readonly hiddenLayers: number;
  /** Half of the side of the cube that the field fills. */
  readonly radius: number;
}

/** Which coordinates are looked up on each plane. */
export const TRIPOSR_PLANES: PlaneAxes = [[0, 1], [0, 2], [1, 2]];

/** Added to the network's number before it becomes a density. */
export const DENSITY_BIAS = -1;
