import { test } from "node:test";
import assert from "node:assert/strict";
import { tripoSrFamily } from "../../../lib/models/triposr/config.ts";
import { inspectNetwork } from "../../../lib/models/vision/load_network.ts";
import {
  type OperationPlan,
  planDepthAnything3,
  planInstantMesh,
  planMoge2,
  planTripoSr,
  planVideoDepth,
} from "../../../lib/models/vision/plan_operations.ts";
import { visionModel } from "../../fixtures/tiny_models/vision_models.ts";
import {
  publishedDa3,
  publishedInstantMesh,
  publishedMoge2,
  publishedTripoSr,
  publishedVideoDepth,
} from "../../goldens/checks/vision/published_configs.ts";
import { memoryRoot } from "../../support/tiny_arworld.ts";

const device = { bytesPerFloat: 4 } as const;

function check(plan: OperationPlan, weightMiB: number, workMiB: [number, number], gigaflops: [number, number]): void {
  const within = (what: string, value: number, [low, high]: [number, number]) =>
    assert.ok(value >= low && value <= high, `${what}: ${value}, expected ${low} to ${high}`);
  within("weights", plan.weightBytes / 2 ** 20, [weightMiB - 1, weightMiB + 1]);
  within("work", plan.workBytes / 2 ** 20, workMiB);
  within("gigaflops", plan.flops / 1e9, gigaflops);
}

test("the published models are planned without their weights, in the order of their measured times", () => {
  const image = { width: 640, height: 480 };
  check(planMoge2(publishedMoge2, { rows: 43, columns: 58 }, image, device), 135, [200, 900], [500, 1200]);
  check(planDepthAnything3(publishedDa3, { width: 504, height: 378 }, 4, device), 127, [50, 400], [200, 800]);
  check(planVideoDepth(publishedVideoDepth, { width: 518, height: 518 }, 32, device), 110, [500, 2000], [3000, 9000]);
  check(planTripoSr(publishedTripoSr, 256, device), 1597, [100, 500], [2000, 5000]);
  check(planInstantMesh(publishedInstantMesh, 6, 128, device), 1195, [50, 400], [1500, 4000]);
});

test("plans grow with what is asked for", () => {
  const views = (n: number) => planDepthAnything3(publishedDa3, { width: 252, height: 252 }, n, device);
  assert.ok(views(4).flops > 4 * views(1).flops && views(4).workBytes > views(1).workBytes);
  const clip = (n: number) => planVideoDepth(publishedVideoDepth, { width: 140, height: 140 }, n, device);
  assert.ok(clip(240).flops > 5 * clip(32).flops && clip(240).workBytes === clip(32).workBytes);
  const half = { bytesPerFloat: 2 } as const;
  assert.equal(
    2 * planTripoSr(publishedTripoSr, 64, half).weightBytes,
    planTripoSr(publishedTripoSr, 64, device).weightBytes,
  );
});

test("inspectNetwork() reports a model's sizes without reading a weight", async () => {
  const files = new Map(Object.entries(visionModel("image-3d-triposr")));
  const { config } = await inspectNetwork(memoryRoot("tiny", files), tripoSrFamily);
  assert.deepEqual([config.width, config.depth, config.planeTokens, config.hiddenLayers], [64, 3, 4, 3]);
  assert.ok(planTripoSr(config, 24, device).flops > 0);
});
