/**
 * Checks of Video Depth Anything.
 *
 * @module
 */
import type { VideoDepthConfig } from "../../../../lib/models/video_depth_anything/config.ts";
import { networkSize } from "../../../../lib/models/video_depth_anything/open_video_depth.ts";
import {
  frameDepth,
  frameFeatures,
  frameMaps,
  fuseWindow,
} from "../../../../lib/models/video_depth_anything/network.ts";
import { framePositions, temporalModule } from "../../../../lib/models/video_depth_anything/temporal_module.ts";
import { frameInput, runVideoDepth } from "../../../../lib/models/video_depth_anything/video_depth_anything.ts";
import { WindowAligner, windowPlan } from "../../../../lib/models/video_depth_anything/windows.ts";
import { positionTable } from "../../../../lib/models/vision_transformer/patch_tokens.ts";
import { type Device, f32, slice, type Tensor, transpose, type Value } from "../../../../lib/compute/tensor/mod.ts";
import type { Checks } from "../../check.ts";
import { asNumber, type Comparison, type Golden, largestDifference, part } from "../../golden.ts";
import { runGraph } from "../../run_graph.ts";
import { dinoV2Config } from "./dinov2_check.ts";
import { compareWithin } from "./relative.ts";

export const vdaChecks: Checks = { vda_temporal, vda_align, vda_e2e };

function vdaConfig(c: Record<string, unknown>): VideoDepthConfig {
  const backbone = dinoV2Config(c);
  return {
    backbone,
    take: c.take as number[],
    head: {
      input: backbone.dim,
      channels: c.out_channels as [number, number, number, number],
      features: asNumber("features", c.features),
    },
  };
}

async function vda_temporal(golden: Golden, device: Device): Promise<void> {
  const weights = golden.weights(`head.motion_modules.${golden.number("module")}.`);
  const x = golden.input("x");
  golden.compare("position", framePositions(x.shape[0], x.shape[1]).data, 2e-6);
  const got = await runGraph(device, { x }, ({ x }) => {
    const parts = temporalModule(x, weights);
    const framesFirst = (value: Value) => transpose(value, [1, 0, 2]);
    return {
      y: parts.output,
      group_norm: parts.normalised,
      proj_in: framesFirst(parts.entered),
      ff: framesFirst(parts.fed),
      ...Object.fromEntries(parts.attended.map((value, i) => [`attn${i}`, framesFirst(value)])),
      y_short: temporalModule(slice(x, { axis: 0, end: golden.number("short") }), weights).output,
    };
  });
  for (const [name, t] of Object.entries(got)) golden.compare(name, t.data, 2e-5);
}

function vda_align(golden: Golden): void {
  (golden.config.lengths as number[]).forEach((length, k) => {
    const windows = golden.input(`${k}.windows`);
    for (const [name, metric] of [["metric", true], ["relative", false]] as const) {
      const aligner = new WindowAligner({ metric });
      const frames: Float32Array[] = [];
      for (let i = 0; i < windows.shape[0]; i++) {
        const depths = Array.from({ length: windows.shape[1] }, (_, frame) => part(windows, i, frame).data);
        frames.push(...aligner.add(depths));
      }
      frames.push(...aligner.finish());
      golden.compare(`${k}.${name}`, frames.slice(0, length).flatMap((frame) => [...frame]), 3e-4);
      if (metric) continue;
      const scales = aligner.scales.flatMap(({ scale, shift }) => [scale, shift]);
      compareWithin(golden, `${k}.scale_shift`, scales, { rel: 1e-4, abs: 1e-4 });
    }
  });
}

async function vda_e2e(golden: Golden, device: Device): Promise<void> {
  const config = vdaConfig(golden.config);
  const weights = golden.weights();
  const stored = golden.stored("frames");
  const [frames, height, width] = stored.shape;
  const image = (index: number) => {
    const size = 3 * width * height;
    return { width, height, data: (stored.data as Uint8Array).subarray(index * size, (index + 1) * size) };
  };
  const size = networkSize({ width, height }, golden.number("input_size"), config.backbone.patch);
  const input = (index: number) => frameInput(image(index), size);
  golden.compare("input.first2", [...input(0), ...input(1)], 2e-5);
  const second = windowPlan(frames)[1];
  golden.compare("window1.input_equal", [0, 1, 9, 10].flatMap((i) => [...input(second[i])]), 2e-5);
  await checkFirstWindow(golden, device, config, size, windowPlan(frames)[0].map(input));

  const clip = { width, height, frames, read: (index: number) => Promise.resolve(image(index)) };
  for (const [name, metric] of [["metric", true], ["relative", false]] as const) {
    const depths: Float32Array[] = [];
    for await (const depth of runVideoDepth(device, config, weights, clip, { size, metric })) depths.push(depth);
    golden.compare(name, depths.flatMap((depth) => [...depth]), 4e-3);
  }
}

/** The whole network over one window in one graph, and what it holds on the way. */
async function checkFirstWindow(
  golden: Golden,
  device: Device,
  config: VideoDepthConfig,
  { width, height }: { readonly width: number; readonly height: number },
  inputs: readonly Float32Array[],
): Promise<void> {
  const weights = golden.weights();
  const grid = { rows: height / config.backbone.patch, columns: width / config.backbone.patch };
  const positions: Tensor = positionTable(weights.get("pretrained.pos_embed"), grid, "offset");
  const window = f32([inputs.length, 3, height, width], Float32Array.from(inputs.flatMap((plane) => [...plane])));
  const got = await runGraph(device, { window }, ({ window }) => {
    const features = frameFeatures(window, config, weights, positions);
    const maps = frameMaps(features, grid, weights);
    const { path, motion } = fuseWindow(maps.coarse, maps.coarsest, weights);
    const first3 = (value: Value) => slice(value, { axis: 0, end: 3 });
    const outputs: Record<string, Value> = {
      head: frameDepth(path, maps.fine, maps.finest, { width, height }, weights),
    };
    features.forEach((value, i) => outputs[`feature.${i}.first3`] = first3(value));
    motion.forEach(({ input, output }, i) => {
      outputs[`motion.${i}.in`] = first3(input);
      outputs[`motion.${i}.out`] = first3(output);
    });
    return outputs;
  });
  for (const [name, t] of Object.entries(got)) {
    const tolerance = name === "head" ? 4e-3 : name.startsWith("motion") ? 2e-4 : 5e-5;
    golden.compare(`window0.${name}`, t.data, tolerance);
  }
}

interface VdaPlan {
  readonly plans: readonly { readonly frames: number; readonly windows: readonly (readonly number[])[] }[];
  readonly sizes: readonly (readonly [number, number, number, number, number, number, number])[];
}

/** Frames of every window of many clips, and the network's size for many frames. */
export function checkVdaPlan(json: unknown): Comparison[] {
  const { plans, sizes } = json as VdaPlan;
  return [
    ...plans.map(({ frames, windows }) => ({
      name: `${frames} frames`,
      maxAbs: largestDifference(windowPlan(frames).flat(), windows.flat()),
      tolerance: 0,
    })),
    ...sizes.map(([width, height, inputSize, effective, w, h]) => {
      const size = networkSize({ width, height }, inputSize, 14);
      const expected = effective === 0 ? [0] : [effective, w, h];
      const actual = effective === 0 ? [size.effective] : [size.effective, size.width, size.height];
      return { name: `${width}x${height} at ${inputSize}`, maxAbs: largestDifference(actual, expected), tolerance: 0 };
    }),
  ];
}
