/**
 * The configurations of the published vision models.
 *
 * @module
 */
import type { DinoV2Config } from "../../../../lib/models/dinov2/config.ts";
import type { Moge2Config } from "../../../../lib/models/moge2/config.ts";

const dinoV2Small: DinoV2Config = { dim: 384, depth: 12, heads: 6, hidden: 1536, patch: 14, grid: 37 };

export const publishedMoge2: Moge2Config = {
  encoder: dinoV2Small,
  take: [2, 5, 8, 11],
  dims: [384, 256, 128, 64, 32],
  neck: { blocks: [0, 1, 1, 1, 0] },
  heads: { blocks: [0, 1, 1, 1, 0] },
};
