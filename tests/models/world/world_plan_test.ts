import assert from "node:assert/strict";
import { test } from "node:test";
import type { TensorFile } from "../../../lib/compute/tensor/mod.ts";
import { LARGEST_BINDING, planProgram } from "../../../lib/compute/webgpu/plan_program.ts";
import { planActionworldGpu } from "../../../lib/models/actionworld/world_plan.ts";
import { usedTransformerShapes } from "../../../lib/models/actionworld/config.ts";
import { describedArworld, planArworldGpu } from "../../../lib/models/arworld/world_plan.ts";
import { textEncoderShapes, transformerShapes } from "../../../lib/models/arworld/config.ts";
import { storedForm, storedParts } from "../../../lib/store/convert/world/stored_form.ts";
import {
  describedWeights,
  describeWeights,
  type TensorShapes,
  type Weights,
} from "../../../lib/models/checkpoint/weights.ts";
import { TINY } from "../../../lib/models/video_vae/decoder_graphs.ts";
import { tinyDecoderShapes, tinyWidths } from "../../../lib/models/video_vae/tiny_decoder.ts";
import { vaeShapes } from "../../../lib/models/video_vae/vae_config.ts";
import type { WorldPlan } from "../../../lib/models/world/world_plan.ts";
import { cosmosEdge, dreamx } from "../../support/published_worlds.ts";

/** What a world may take of a GPU in f16: gigabytes, but dispatches, TFLOP and gigabytes of traffic of a block. */
interface Budget {
  readonly total: number;
  readonly weights: number;
  readonly scratch: number;
  readonly state: number;
  readonly snapshot: number;
  readonly binding: number;
  readonly dispatches: number;
  readonly teraflops: number;
  readonly traffic: number;
}

function budget(...numbers: readonly number[]): Budget {
  const [total, weights, scratch, state, snapshot, binding, dispatches, teraflops, traffic] = numbers;
  return { total, weights, scratch, state, snapshot, binding, dispatches, teraflops, traffic };
}

const arworld: Readonly<Record<string, Budget>> = {
  "384x224": budget(13.1, 11, 0.29, 1.49, 0.41, 0.09, 6730, 31.4, 90),
  "512x320": budget(14.5, 11, 0.55, 2.66, 0.77, 0.17, 6730, 60.6, 125.3),
  "832x480": budget(18.8, 11, 1.34, 6.3, 1.9, 0.41, 6730, 154, 233),
  "1280x704": budget(28.1, 11.1, 3, 13.8, 4.2, 0.93, 6730, 378, 462),
};

const actionworld: Readonly<Record<string, Budget>> = {
  "320x176": budget(8.2, 7.1, 0.19, 0.47, 0, 0.06, 38750, 73.8, 313),
  "640x352": budget(10, 7.1, 0.75, 1.7, 0, 0.24, 38650, 281, 648),
};

const total = (numbers: Iterable<number>) => [...numbers].reduce((sum, n) => sum + n, 0);

function figures(plan: WorldPlan): Budget {
  return {
    total: plan.totalBytes / 1e9,
    weights: total(Object.values(plan.weightBytes)) / 1e9,
    scratch: plan.scratchBytes / 1e9,
    state: plan.stateBytes / 1e9,
    snapshot: plan.snapshotBytes / 1e9,
    binding: plan.largestBinding / 1e9,
    dispatches: total(plan.programs.map(({ runs, dispatches }) => runs * dispatches)),
    teraflops: total(Object.values(plan.flops)) / 1e12,
    traffic: plan.trafficBytes / 1e9,
  };
}

function checkBudget(size: string, plan: WorldPlan, most: Budget): void {
  const found = figures(plan);
  for (const key of Object.keys(most) as (keyof Budget)[]) {
    assert.ok(
      found[key] <= most[key],
      `${size}: ${key} is ${found[key].toPrecision(4)}, at most ${most[key]} is allowed`,
    );
    // A budget that is far from what is needed would not notice anything.
    assert.ok(
      found[key] >= 0.9 * most[key],
      `${size}: ${key} is ${found[key].toPrecision(4)}, lower its budget ${most[key]}`,
    );
  }
  assert.ok(plan.largestBinding <= LARGEST_BINDING);
}

function sizeOf(size: string): { width: number; height: number } {
  const [width, height] = size.split("x").map(Number);
  return { width, height };
}

test("every program of a DreamX-World-5B keeps its budget at every size", async () => {
  const world = describedArworld(dreamx());
  for (const [size, most] of Object.entries(arworld)) {
    checkBudget(size, await planArworldGpu(world, sizeOf(size), "f16", planProgram), most);
  }
});

test("every program of a Cosmos3-Edge keeps its budget", async () => {
  const config = cosmosEdge();
  const weights = {
    vae: describedWeights(vaeShapes(config.vae)),
    transformer: describedWeights(usedTransformerShapes(config.transformer)),
  };
  for (const [size, most] of Object.entries(actionworld)) {
    checkBudget(
      size,
      await planActionworldGpu(config, weights, { ...sizeOf(size), frames: 17 }, "f16", planProgram),
      most,
    );
  }
});

test("a DreamX-World-5B of 8 bits fits into 10 GB at 512x320, with the tiny decoder into 7.25", async () => {
  const config = dreamx();
  const tiny = describedWeights(tinyDecoderShapes(config.vae.zDim, tinyWidths(undefined)));
  const weights = {
    vae: describedWeights(vaeShapes(config.vae)).with(TINY, tiny),
    textEncoder: describedWeights(textEncoderShapes(config.textEncoder)),
    transformer: eightBit(transformerShapes(config.transformer)),
  };
  const full = { ...weights, vae: describedWeights(vaeShapes(config.vae)) };
  const { totalBytes } = await planArworldGpu({ config, weights: full }, sizeOf("512x320"), "f16", planProgram);
  assert.ok(totalBytes <= 10e9, `${totalBytes}`);
  const plan = await planArworldGpu({ config, weights }, sizeOf("512x320"), "f16", planProgram);
  assert.ok(plan.totalBytes <= 7.25e9, `${plan.totalBytes}`);
  checkBudget("512x320 q8 tiny", plan, budget(7.25, 5.3, 0.15, 1.44, 0.19, 0.064, 6450, 25, 74.5));
});

/** Weights as `svc model convert --dtype q8` stores them, without their elements. */
function eightBit(shapes: TensorShapes): Weights {
  const tensors = new Map<string, ReturnType<TensorFile["tensors"]["get"]> & object>();
  for (const [name, shape] of shapes) {
    for (const part of storedParts(name, shape, storedForm(name, shape, "q8"))) {
      tensors.set(part.name, { ...part, offset: 0 });
    }
  }
  const file: TensorFile = {
    name: "q8",
    metadata: new Map(),
    tensors,
    read: () => Promise.reject(new Error("no data")),
  };
  return describeWeights(file, shapes);
}
