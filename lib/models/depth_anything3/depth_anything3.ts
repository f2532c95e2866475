/**
 * Depth Anything 3 on a device.
 *
 * @module
 */
import { type Device, type DeviceTensor, f32, type Tensor, toFloat32 } from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";
import type { ImageSize } from "../images/resample.ts";
import { type OperationOptions, OperationSteps } from "../vision/operation.ts";
import { TensorScope, withStage } from "../vision/run_stages.ts";
import { positionTable } from "../vision_transformer/patch_tokens.ts";
import { type Camera, encodeCamera, normalisePoses } from "./camera.ts";
import { DA3_BACKBONE, type DepthAnything3Config } from "./config.ts";
import { type DepthAnything3Stages, depthAnything3Stages } from "./network.ts";
import { MIN_VIEWS_TO_CHOOSE, type ReferenceStrategy, referenceView, viewOrder } from "./reference_view.ts";

/** Views as the network reads them. */
export interface NetworkViews extends ImageSize {
  /** Each [3,H,W], colours normalised, sides multiples of the patch. */
  readonly planes: readonly Float32Array[];
  /** Cameras of the views where they are known. */
  readonly cameras?: readonly Camera[] | undefined;
}

/** What the network says about each view, in the order in which they were given. */
export interface NetworkScene {
  /** [views,H,W] */
  readonly depth: Float32Array;
  /** [views,H,W] */
  readonly confidence: Float32Array;
  /** Nine numbers a view, see `camera.ts`. */
  readonly poses: readonly Float32Array[];
  /** [views,2D]: the input of the pose head. */
  readonly cameraFeatures: Float32Array;
  /** The view that the others are placed around. */
  readonly reference: number;
}

/** How the views are related. */
interface NetworkOptions extends OperationOptions {
  /** How the reference view is chosen where there are three views or more and no cameras, or which one it is. */
  readonly reference: ReferenceStrategy | number;
}

/** Cost of the head of one view, in blocks of the backbone. */
const HEAD_COST = 8;

/** Runs the network over views of one size; every part but those that relate the views goes view by view. */
export async function runDepthAnything3(
  device: Device,
  config: DepthAnything3Config,
  weights: Weights,
  views: NetworkViews,
  options: NetworkOptions,
): Promise<NetworkScene> {
  const run = new SceneRun(device, config, weights, views, options);
  try {
    return await run.finish();
  } finally {
    run.release();
  }
}

class SceneRun {
  readonly #device: Device;
  readonly #config: DepthAnything3Config;
  readonly #weights: Weights;
  readonly #views: NetworkViews;
  readonly #options: NetworkOptions;
  readonly #stages: DepthAnything3Stages;
  readonly #steps: OperationSteps;
  readonly #scope = new TensorScope();

  constructor(
    device: Device,
    config: DepthAnything3Config,
    weights: Weights,
    views: NetworkViews,
    options: NetworkOptions,
  ) {
    const { patch, depth } = config.backbone;
    const grid = { rows: views.height / patch, columns: views.width / patch };
    const positions = positionTable(weights.get(`${DA3_BACKBONE}.pos_embed`), grid, "offset");
    const count = views.planes.length;
    this.#device = device;
    this.#config = config;
    this.#weights = weights;
    this.#views = views;
    this.#options = options;
    this.#stages = depthAnything3Stages(config, weights, positions, views, count);
    this.#steps = new OperationSteps(count * (depth + HEAD_COST), options);
  }

  async finish(): Promise<NetworkScene> {
    const encoded = await this.#encode();
    const reference = this.#chooseReference(encoded.map(({ classToken }) => classToken));
    const order = viewOrder(encoded.length, reference);
    const cameras = await this.#cameraTokens(order);
    const { features, camera, pose } = await this.#relate(order.map((view) => encoded[view].tokens), cameras);
    const maps = await this.#readDepth(features);

    const size = this.#views.width * this.#views.height;
    const depth = new Float32Array(size * order.length);
    const confidence = new Float32Array(size * order.length);
    const cameraFeatures = new Float32Array(camera.data.length);
    const poses: Float32Array[] = [];
    const width = camera.data.length / order.length;
    order.forEach((view, i) => {
      depth.set(maps[i].depth, view * size);
      confidence.set(maps[i].confidence, view * size);
      cameraFeatures.set(camera.data.subarray(i * width, (i + 1) * width), view * width);
      poses[view] = pose.data.slice(9 * i, 9 * i + 9);
    });
    return { depth, confidence, poses, cameraFeatures, reference };
  }

  release(): void {
    this.#scope.releaseAll();
  }

  #encode(): Promise<{ tokens: DeviceTensor; classToken: Float32Array }[]> {
    const { planes, width, height } = this.#views;
    return withStage(this.#device, this.#stages.encode, async (program) => {
      const encoded = [];
      for (const data of planes) {
        encoded.push(
          await this.#steps.step(this.#config.altStart, async () => {
            const outputs = this.#scope.keep(await program.run({ image: f32([1, 3, height, width], data) }));
            return { tokens: outputs.tokens, classToken: (await this.#scope.take(outputs.class)).data };
          }),
        );
      }
      return encoded;
    });
  }

  #chooseReference(classTokens: readonly Float32Array[]): number {
    const { reference } = this.#options;
    if (classTokens.length < MIN_VIEWS_TO_CHOOSE || this.#views.cameras) return 0;
    return typeof reference === "number" ? reference : referenceView(classTokens, reference);
  }

  /** Known cameras through their encoder, else the two learned tokens: of the reference and of all others. */
  async #cameraTokens(order: readonly number[]): Promise<Tensor | DeviceTensor> {
    const { cameras } = this.#views;
    if (cameras) {
      const poses = normalisePoses(cameras.map(({ extrinsics }) => extrinsics));
      const rows = order.flatMap((view) => [
        ...encodeCamera({ intrinsics: cameras[view].intrinsics, extrinsics: poses[view] }, this.#views),
      ]);
      const encoding = f32([order.length, 9], rows);
      const outputs = await withStage(this.#device, this.#stages.encodeCameras, (program) => program.run({ encoding }));
      return this.#scope.keep(outputs).cameras;
    }
    const { dim } = this.#config.backbone;
    const learned = toFloat32(this.#weights.get(`${DA3_BACKBONE}.camera_token`));
    const tokens = new Float32Array(order.length * dim);
    order.forEach((_, i) => tokens.set(learned.subarray(i === 0 ? 0 : dim, i === 0 ? dim : 2 * dim), i * dim));
    return f32([order.length, dim], tokens);
  }

  /** The parts in which views see each other, one after the other. */
  async #relate(tokens: readonly DeviceTensor[], cameras: Tensor | DeviceTensor) {
    const { altStart, outLayers } = this.#config;
    const views = tokens.length;
    const features: DeviceTensor[][] = tokens.map(() => []);
    let feeds: Record<string, Tensor | DeviceTensor> = { cameras };
    tokens.forEach((t, view) => feeds[`tokens.${view}`] = t);
    for (const [i, stage] of this.#stages.relate.entries()) {
      const blocks = outLayers[i] + 1 - (i === 0 ? altStart : outLayers[i - 1] + 1);
      const outputs = await this.#steps.step(
        blocks * views,
        () => withStage(this.#device, stage, async (program) => this.#scope.keep(await program.run(feeds))),
      );
      this.#scope.release(...Object.values(feeds).filter((feed) => "release" in feed));
      features.forEach((layers, view) => layers.push(outputs[`feature.${view}`]));
      feeds = { x: outputs.x, local: outputs.local };
      if (i < outLayers.length - 1) continue;
      this.#scope.release(outputs.x, outputs.local);
      return { features, camera: await this.#scope.take(outputs.camera), pose: await this.#scope.take(outputs.pose) };
    }
    throw new Error("Cannot run Depth Anything 3: its configuration names no layer whose output is used");
  }

  #readDepth(features: readonly DeviceTensor[][]): Promise<{ depth: Float32Array; confidence: Float32Array }[]> {
    return withStage(this.#device, this.#stages.head, async (program) => {
      const maps = [];
      for (const layers of features) {
        maps.push(
          await this.#steps.step(HEAD_COST, async () => {
            const feeds = Object.fromEntries(layers.map((layer, i) => [`feature.${i}`, layer]));
            const outputs = this.#scope.keep(await program.run(feeds));
            this.#scope.release(...layers);
            const depth = (await this.#scope.take(outputs.depth)).data;
            return { depth, confidence: (await this.#scope.take(outputs.confidence)).data };
          }),
        );
      }
      return maps;
    });
  }
}
