/**
 * The world model `actionworld`: moves through a world, one clip per move.
 *
 * @module
 */
import type { Device } from "../../compute/tensor/mod.ts";
import { coverImage } from "../../media/images/crop_image.ts";
import { frameAt, type RgbFrames, type RgbImage } from "../../media/images/rgb_image.ts";
import { LoadMeter } from "../checkpoint/load_meter.ts";
import type { ModelRoot } from "../checkpoint/model_root.ts";
import type { ClipModel, ClipOptions, ClipRequest } from "../world/clip_model.ts";
import { checkLargest, decodeState, encodeState, invalidState } from "../world/portable_state.ts";
import { SharedEngine } from "../world/shared_engine.ts";
import { type DeviceOptions, startOnDevice } from "../world/start_on_device.ts";
import type { Geometry, PortableChain, PrepareOptions, WorldModelInfo } from "../world/world_model.ts";
import { ActionworldEngine } from "./actionworld_engine.ts";
import { generateClip, warmUp } from "./generate_clip.ts";
import { loadActionworld } from "./loader.ts";

/** Options of an {@linkcode ActionworldModel}. */
export interface ActionworldModelOptions extends DeviceOptions {
  /** Name of the model for display and logs. */
  readonly id: string;
  /** The complete snapshot. */
  readonly snapshot: ModelRoot;
}

/**
 * An actionworld in this thread. Generating keeps the thread busy on the CPU device, so servers put it into a worker.
 *
 * @example
 * ```ts ignore
 * const model = new ActionworldModel({ id: "corridor", snapshot, openDevice: () => openOnnxDevice() });
 * await model.prepare();
 * await model.begin(image, { width: 320, height: 176 });
 * const turn = { direction: [0, 0, 0], translationMeters: [0, 0, 0], rotationDegrees: [0, 15, 0] } as const;
 * const rest = { seed: 0n, fps: 30, steps: 30, guidanceScale: 1, shift: 3 };
 * const clip = await model.generate({ prompt: "a hall", frames: 17, actions: compileActions(turn, 16), ...rest });
 * ```
 */
export class ActionworldModel implements ClipModel, PortableChain {
  readonly #options: ActionworldModelOptions;
  readonly #engine: SharedEngine<ActionworldEngine, ActionworldModel>;
  readonly #snapshots = new Map<number, RgbImage>();
  /** The image that the next clip starts from. */
  #image: RgbImage | undefined;
  #lastSnapshot = 0;

  /**
   * Loads nothing yet.
   *
   * @param engine What another chain runs on; an engine of its own when omitted.
   */
  constructor(options: ActionworldModelOptions, engine?: SharedEngine<ActionworldEngine, ActionworldModel>) {
    this.#options = options;
    this.#engine = engine ?? new SharedEngine((prepare) => startActionworld(options, prepare));
  }

  /** Another chain on the same engine: weights and programs are loaded once, clips are generated in turn. */
  openChain(): ActionworldModel {
    return new ActionworldModel(this.#options, this.#engine);
  }

  /** Reads the snapshot, opens the device and, where the model has a default size, warms up for it or the size asked for. */
  async prepare(options: PrepareOptions = {}): Promise<WorldModelInfo> {
    const { device } = await this.#engine.prepare(this, options);
    const { id, snapshot } = this.#options;
    return { id, path: snapshot.name, device: device.label, dtype: device.precision };
  }

  /** Starts a new chain from the image, cropped to the proportions of the geometry (multiples of 16). */
  async begin(image: RgbImage, { width, height }: Geometry): Promise<void> {
    if (![width, height].every((n) => Number.isInteger(n) && n > 0 && n % 16 === 0)) {
      throw new RangeError(`Cannot begin with frames of ${width}x${height}: expected multiples of 16`);
    }
    await this.#engine.begin(this, () => {
      this.#image = ownCopy(coverImage(image, { width, height }));
      return Promise.resolve();
    });
  }

  /** See {@linkcode ClipModel.distance}: its configuration has no statistics of latents. */
  distance(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  /** Generates and decodes one clip; see {@linkcode ClipModel.generate}. */
  async generate(request: ClipRequest, options: ClipOptions = {}): Promise<RgbFrames> {
    return await this.#engine.generate(this, options.signal, async (engine, turn) => {
      const image = this.#image;
      if (!image) throw new Error("Cannot generate: there is no chain, begin one from an image");
      const frames = await engine.meter.during(
        (loaded) => options.onProgress?.({ stage: "loading", step: 0, steps: request.steps, loaded }),
        () => generateClip(engine, image, request, options, turn),
      );
      this.#image = ownCopy(frameAt(frames, frames.count - 1));
      return frames;
    });
  }

  /** Keeps the current state, which is one image. */
  async snapshot(): Promise<number> {
    this.#engine.checkState(this);
    if (!this.#image) throw new Error("Cannot keep the state: there is no chain");
    this.#snapshots.set(++this.#lastSnapshot, this.#image);
    return await Promise.resolve(this.#lastSnapshot);
  }

  /** Restores a kept state. */
  async restore(id: number): Promise<void> {
    this.#engine.checkState(this);
    const kept = this.#snapshots.get(id);
    if (!kept) throw new Error(`Cannot restore state ${id}: it was not kept or is released`);
    this.#image = await Promise.resolve(kept);
  }

  /** Releases a kept state. */
  release(id: number): Promise<void> {
    if (this.#snapshots.delete(id)) return Promise.resolve();
    return Promise.reject(new Error(`Cannot release state ${id}: it was not kept or is released already`));
  }

  /** See {@linkcode PortableChain.exportState}: its image. */
  async exportState(id?: number): Promise<Uint8Array<ArrayBuffer>> {
    this.#engine.checkState(this);
    const image = id === undefined ? this.#image : this.#snapshots.get(id);
    if (!image) throw new Error("Cannot export the state: there is none");
    const { width, height, data } = image;
    return await Promise.resolve(encodeState({ head: { kind: "actionworld", width, height }, parts: [data] }));
  }

  /** See {@linkcode PortableChain.importState}. */
  async importState(bytes: Uint8Array, largest?: Geometry): Promise<void> {
    const { head: { kind, width, height }, parts: [data] } = decodeState(bytes);
    const isSize = [width, height].every((n) => Number.isInteger(n) && Number(n) > 0 && Number(n) % 16 === 0);
    if (kind !== "actionworld" || !isSize || data?.length !== 3 * Number(width) * Number(height)) {
      throw invalidState("it is of another model");
    }
    checkLargest({ width: Number(width), height: Number(height) }, largest);
    await this.#engine.begin(this, () => {
      this.#image = { width: Number(width), height: Number(height), data };
      return Promise.resolve();
    });
  }

  /** See {@linkcode PortableChain.drop}. */
  drop(): Promise<void> {
    this.forget();
    return Promise.resolve();
  }

  /** Releases all states, and the engine when no other chain uses it. */
  unload(): Promise<void> {
    return this.#engine.unload(this);
  }

  /** See {@linkcode SharedEngine}. */
  forget(): void {
    this.#image = undefined;
    this.#snapshots.clear();
  }
}

async function startActionworld(
  { snapshot, ...devices }: ActionworldModelOptions,
  { geometry, signal, onProgress }: PrepareOptions,
): Promise<ActionworldEngine> {
  signal?.throwIfAborted();
  const meter = new LoadMeter();
  const files = await loadActionworld(snapshot, {
    signal,
    later: true,
    meter,
    onProgress: (fraction) => onProgress?.({ stage: "loading", fraction: 0.5 * fraction }),
  });
  onProgress?.({ stage: "compiling", fraction: 0.5 });
  const start = async (device: Device) => {
    const engine = new ActionworldEngine(device, files, meter);
    signal?.throwIfAborted();
    await warmUp(engine, geometry);
    onProgress?.({ stage: "ready", fraction: 1 });
    return engine;
  };
  return await meter.during(
    (loaded) => onProgress?.({ stage: "loading", fraction: 0.5 + 0.5 * loaded.done / loaded.total, loaded }),
    () => startOnDevice(devices, start, signal),
  );
}

/** A copy of the image: its memory belongs to a caller or to a whole clip. */
function ownCopy({ width, height, data }: RgbImage): RgbImage {
  return { width, height, data: data.slice() };
}
