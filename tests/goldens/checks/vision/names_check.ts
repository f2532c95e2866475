/**
 * Checks of names and shapes of weights against those of the published files.
 *
 * @module
 */
import { instantMeshShapes } from "../../../../lib/models/instantmesh/config.ts";
import type { TensorShapes } from "../../../../lib/models/checkpoint/weights.ts";
import { videoDepthShapes } from "../../../../lib/models/video_depth_anything/config.ts";
import { depthAnything3Shapes } from "../../../../lib/models/depth_anything3/config.ts";
import { moge2Shapes } from "../../../../lib/models/moge2/config.ts";
import { tripoSrShapes } from "../../../../lib/models/triposr/config.ts";
import type { Comparison } from "../../golden.ts";
import {
  publishedDa3,
  publishedInstantMesh,
  publishedMoge2,
  publishedTripoSr,
  publishedVideoDepth,
} from "./published_configs.ts";

interface Names {
  readonly tensors: Readonly<Record<string, readonly number[]>>;
}

/** Counts names that one side has alone, or with another shape; `unused` are stored but no part of what we run. */
function compareNames(what: string, shapes: TensorShapes, { tensors }: Names, unused: RegExp): Comparison[] {
  const wrong = [...shapes].filter(([name, shape]) => tensors[name]?.join() !== shape.join()).map(([name]) => name);
  const left = Object.keys(tensors).filter((name) => !shapes.has(name) && !unused.test(name));
  return [
    { name: `${what}: ours but not theirs ${wrong.slice(0, 3)}`, maxAbs: wrong.length, tolerance: 0 },
    { name: `${what}: theirs but not ours ${left.slice(0, 3)}`, maxAbs: left.length, tolerance: 0 },
  ];
}

export function checkMoge2Names(json: unknown): Comparison[] {
  return compareNames("moge2", moge2Shapes(publishedMoge2), json as Names, /^encoder\.image_|mask_token$/);
}

export function checkDa3Names(json: unknown): Comparison[] {
  return compareNames("da3", depthAnything3Shapes(publishedDa3), json as Names, /_aux\.|mask_token$/);
}

export function checkVideoDepthNames(json: unknown): Comparison[] {
  const unused = /mask_token$|pos_encoder\.pe$|refinenet4\.resConfUnit1/;
  return compareNames("video depth", videoDepthShapes(publishedVideoDepth), json as Names, unused);
}

export function checkTripoSrNames(json: unknown): Comparison[] {
  return compareNames("triposr", tripoSrShapes(publishedTripoSr), json as Names, /\.pooler\./);
}

export function checkInstantMeshNames(json: unknown): Comparison[] {
  return compareNames("instantmesh", instantMeshShapes(publishedInstantMesh), json as Names, /net_weight/);
}
