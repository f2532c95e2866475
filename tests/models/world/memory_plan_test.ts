import assert from "node:assert/strict";
import { test } from "node:test";
import { embeddedFolder } from "../../../lib/app/embedded/embedded_folder.ts";
import { modelRoot } from "../../../lib/world/plan/model_root.ts";
import { onnxMemory } from "../../../lib/compute/onnx/onnx_memory.ts";
import { graphCost } from "../../../lib/compute/tensor/mod.ts";
import { loadActionworld } from "../../../lib/models/actionworld/loader.ts";
import { planActionworld } from "../../../lib/models/actionworld/world_plan.ts";
import { usedTransformerShapes } from "../../../lib/models/actionworld/config.ts";
import { velocityGraph } from "../../../lib/models/actionworld/transformer/transformer_graphs.ts";
import { loadArworld } from "../../../lib/models/arworld/loader.ts";
import { transformerShapes } from "../../../lib/models/arworld/config.ts";
import { denoiseGraph } from "../../../lib/models/arworld/transformer/transformer_graphs.ts";
import { describedWeights } from "../../../lib/models/checkpoint/weights.ts";
import { decoderGraph } from "../../../lib/models/video_vae/decoder_graphs.ts";
import { vaeShapes } from "../../../lib/models/video_vae/vae_config.ts";
import { describeArworld } from "../../../lib/world/plan/described_world.ts";

const folder = new URL("../../../models/", import.meta.url);
const size = { width: 12, height: 8 };

test("describedWeights() plan as the weights themselves do", async () => {
  const { config, transformer, vae } = await loadArworld(
    modelRoot(new URL("corridor-nano/base/", folder)),
    modelRoot(new URL("corridor-nano/causal/", folder)),
  );
  const shapes = transformerShapes(config.transformer);
  assert.deepEqual(
    graphCost(denoiseGraph(config.transformer, describedWeights(shapes), 2, size)),
    graphCost(denoiseGraph(config.transformer, transformer, 2, size)),
  );
  const decoder = (weights: typeof vae) =>
    graphCost(decoderGraph(config, weights, [3, config.vae.zDim, 8, 12], "later"));
  assert.deepEqual(decoder(describedWeights(vaeShapes(config.vae))), decoder(vae));
  const clip = await loadActionworld(modelRoot(await embeddedFolder("corridor-nano-actions")));
  const velocity = (weights: typeof vae) =>
    graphCost(velocityGraph(clip.config.transformer, weights, { ...size, frames: 5 }, { count: 100 }, 0));
  assert.deepEqual(
    velocity(describedWeights(usedTransformerShapes(clip.config.transformer))),
    velocity(clip.transformer),
  );
});

// What servers on Node took at most, in MiB, an arworld in its courtyard: tests/soak/memory_plan.ts measures it again.
const measured = {
  arworld: [[96, 64, 678], [192, 128, 682], [384, 256, 744], [640, 352, 963], [960, 544, 1233]],
  actionworld: [[96, 64, 416], [192, 128, 503], [384, 224, 663], [640, 352, 880], [960, 544, 1445]],
} as const;

// @row world-session > Limits > Memory is planned by size, within a quarter of what is measured
test("planArworld() and planActionworld() come within a quarter of what servers took", async () => {
  const arworld = await describeArworld(
    modelRoot(new URL("corridor-nano/base/", folder)),
    modelRoot(new URL("corridor-nano/causal/", folder)),
  );
  const actionworld = await loadActionworld(modelRoot(await embeddedFolder("corridor-nano-actions")));
  const plans = {
    arworld: (width: number, height: number) => arworld.cpu({ width, height, frames: 12 }),
    actionworld: (width: number, height: number) =>
      planActionworld(actionworld.config, { width, height, frames: 17 }, onnxMemory),
  };
  for (const kind of ["arworld", "actionworld"] as const) {
    for (const [width, height, mebibytes] of measured[kind]) {
      const planned = await plans[kind](width, height) / 2 ** 20;
      assert.ok(Math.abs(planned / mebibytes - 1) <= 0.25, `${kind} ${width}x${height}: ${planned} MiB`);
    }
  }
});
