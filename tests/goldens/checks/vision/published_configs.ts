/**
 * The configurations of the published vision models.
 *
 * @module
 */
import type { DepthAnything3Config } from "../../../../lib/models/depth_anything3/config.ts";
import type { DinoV2Config } from "../../../../lib/models/vision_transformer/dinov2_config.ts";
import type { VideoDepthConfig } from "../../../../lib/models/video_depth_anything/config.ts";
import type { InstantMeshConfig } from "../../../../lib/models/instantmesh/config.ts";
import type { TripoSrConfig } from "../../../../lib/models/triposr/config.ts";
import type { DinoConfig } from "../../../../lib/models/vision_transformer/dino_config.ts";
import type { Moge2Config } from "../../../../lib/models/moge2/config.ts";

const dinoV2Small: DinoV2Config = { dim: 384, depth: 12, heads: 6, hidden: 1536, patch: 14, grid: 37 };

export const publishedMoge2: Moge2Config = {
  encoder: dinoV2Small,
  take: [2, 5, 8, 11],
  dims: [384, 256, 128, 64, 32],
  neck: { blocks: [0, 1, 1, 1, 0] },
  heads: { blocks: [0, 1, 1, 1, 0] },
};

export const publishedDa3: DepthAnything3Config = {
  backbone: dinoV2Small,
  altStart: 4,
  outLayers: [5, 7, 9, 11],
  head: { input: 768, channels: [48, 96, 192, 384], features: 64 },
  cameraEncoder: { heads: 16, depth: 4 },
};

export const publishedVideoDepth: VideoDepthConfig = {
  backbone: dinoV2Small,
  take: [2, 5, 8, 11],
  head: { input: 384, channels: [48, 96, 192, 384], features: 64 },
};

const dinoBase: DinoConfig = { dim: 768, depth: 12, heads: 12, hidden: 3072, patch: 16, grid: 14 };

export const publishedTripoSr: TripoSrConfig = {
  encoder: dinoBase,
  imageSize: 512,
  width: 1024,
  heads: 16,
  depth: 16,
  planeTokens: 32,
  planeChannels: 40,
  neurons: 64,
  hiddenLayers: 9,
  radius: 0.87,
};

export const publishedInstantMesh: InstantMeshConfig = {
  encoder: { ...dinoBase, condition: 768 },
  imageSize: 320,
  width: 1024,
  heads: 16,
  depth: 12,
  planeTokens: 32,
  planeChannels: 40,
  hidden: 64,
  gridScale: 2.1,
};
