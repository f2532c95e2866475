/**
 * The world model `arworld`: walks through a world, twelve frames at a time.
 *
 * @module
 */
import { coverImage } from "../../media/images/crop_image.ts";
import type { RgbFrames, RgbImage } from "../../media/images/rgb_image.ts";
import { checkLargest } from "../world/portable_state.ts";
import { latentFeatures, type NearestKind, nearestKind } from "../video_vae/latent_distance.ts";
import { latentSizeOf, wholeTokens } from "../video_vae/vae_config.ts";
import { SharedEngine } from "../world/shared_engine.ts";
import type {
  BlockRequest,
  GenerateOptions,
  Geometry,
  PortableChain,
  PrepareOptions,
  WorldModel,
  WorldModelInfo,
} from "../world/world_model.ts";
import type { ArworldEngine } from "./arworld_engine.ts";
import { placesBeside } from "./config.ts";
import {
  type ChainState,
  exportChain,
  exportedGeometry,
  importChain,
  releaseState,
  retainState,
} from "./sampling/chain_state.ts";
import { BLOCK_STEPS, generateBlock } from "./sampling/generate_block.ts";
import { isParked, type KeptState, ParkedStates, type ParkingLimits, releaseKept } from "./sampling/parked_states.ts";
import { type ArworldModelOptions, startArworld } from "./start_arworld.ts";
import { LATENTS_PER_BLOCK } from "./trajectory.ts";

/** Kept states on a GPU, in ordinary memory beside it, and on the CPU. */
const PARKING: ParkingLimits = { deviceBytes: 256 * 2 ** 20, hostBytes: 4 * 2 ** 30, cpuBytes: 2 ** 30 };

/**
 * An arworld in this thread. Generating keeps the thread busy on the CPU device, so servers put it into a worker.
 *
 * @example
 * ```ts ignore
 * const model = new ArworldModel({ id: "corridor-nano", base, causal, openDevice: () => openOnnxDevice() });
 * await model.prepare();
 * await model.begin(image, { width: 96, height: 64 });
 * const frames = await model.generate({ prompt: "", seed: 1n, views });
 * ```
 */
export class ArworldModel implements WorldModel, PortableChain {
  readonly #options: ArworldModelOptions;
  readonly #snapshots = new Map<number, KeptState>();
  readonly #parking: ParkedStates;
  readonly #engine: SharedEngine<ArworldEngine, ArworldModel>;
  #state: ChainState | undefined;
  /** The size of a chain that is being begun: its programs are in use before it has a state. */
  #beginning: Geometry | undefined;
  #lastSnapshot = 0;

  /**
   * Loads nothing yet.
   *
   * @param engine What another chain runs on; an engine of its own when omitted.
   */
  constructor(options: ArworldModelOptions, engine?: SharedEngine<ArworldEngine, ArworldModel>) {
    this.#options = options;
    this.#parking = new ParkedStates({ ...PARKING, ...options.parking });
    this.#engine = engine ?? new SharedEngine((prepare) => startArworld(options, prepare));
  }

  /** Folders of the worlds beside it, see `ArworldPlaces`; none before it is prepared. */
  get places(): ReadonlySet<string> {
    const config = this.#engine.running?.files.config;
    return config ? placesBeside(config) : new Set();
  }

  /** Another chain on the same engine: weights and programs are loaded once, blocks are generated in turn. */
  openChain(): ArworldModel {
    return new ArworldModel(this.#options, this.#engine);
  }

  /** Reads the files, opens the device and compiles for the requested size, else the model's default size. */
  async prepare(options: PrepareOptions = {}): Promise<WorldModelInfo> {
    const { device } = await this.#engine.prepare(this, options);
    const { id, base, causal } = this.#options;
    return { id, path: causal.name, basePath: base.name, device: device.label, dtype: device.precision };
  }

  /** Encodes the image, cropped to the proportions of the geometry, as the first frame of a new chain. */
  async begin(image: RgbImage, geometry: Geometry): Promise<void> {
    const { width, height } = geometry;
    if (![width, height].every((n) => Number.isInteger(n) && n > 0 && n % 32 === 0)) {
      throw new RangeError(`Cannot begin with frames of ${width}x${height}: expected multiples of 32`);
    }
    this.#beginning = geometry;
    try {
      await this.#engine.begin(this, async (engine) => {
        const { encoder } = await engine.programs(geometry);
        const firstFrame = await encoder.encode(coverImage(image, wholeTokens(engine.files.config.vae, geometry)));
        this.#replaceState({ geometry, firstFrame, context: [], memory: new Map() });
      });
    } finally {
      this.#beginning = undefined;
    }
  }

  /** See {@linkcode WorldModel.distance}: measured at the model's own size. */
  async distance(image: RgbImage): Promise<number | undefined> {
    return (await this.nearest(image))?.distance;
  }

  /** The kind of pictures that it was trained on, or a world beside it, to which an image is nearest. */
  async nearest(image: RgbImage): Promise<NearestKind | undefined> {
    let nearest: NearestKind | undefined;
    await this.#engine.begin(this, async (engine) => {
      const { knownLatents, defaultWidth: width, defaultHeight: height, vae } = engine.files.config;
      if (!knownLatents || !width || !height) return;
      const encoder = await engine.encoder({ width, height });
      const whole = wholeTokens(vae, { width, height });
      const latents = await encoder.encode(coverImage(image, whole));
      nearest = nearestKind(knownLatents, latentFeatures(latents, vae.zDim, latentSizeOf(vae, whole).height));
    });
    return nearest;
  }

  /** Generates and decodes one block; see {@linkcode WorldModel.generate}. */
  async generate(request: BlockRequest, options: GenerateOptions = {}): Promise<RgbFrames> {
    if (request.views.length !== LATENTS_PER_BLOCK * 16) {
      throw new RangeError(
        `Cannot generate: got ${request.views.length} view numbers, expected ${LATENTS_PER_BLOCK * 16}`,
      );
    }
    const isShared = [...this.#engine.chains].length > 1;
    const kind = isShared && this.#state ? this.#engine.running?.companyOf(this.#state, request.prompt) : undefined;
    return await this.#engine.generate(this, options.signal, async (engine, turn) => {
      if (!this.#state) throw new Error("Cannot generate: there is no chain, begin one from an image");
      const state = retainState(this.#state);
      try {
        const block = await engine.meter.during(
          (loaded) => options.onProgress?.({ stage: "loading", step: 0, steps: BLOCK_STEPS, loaded }),
          () => generateBlock(engine, state, request, { ...options, turn }),
        );
        this.#replaceState(block.state);
        return block.frames;
      } finally {
        releaseState(state);
      }
    }, kind);
  }

  /** Keeps the current state; its tensors are shared. */
  async snapshot(): Promise<number> {
    this.#engine.checkState(this);
    if (!this.#state) throw new Error("Cannot keep the state: there is no chain");
    const id = ++this.#lastSnapshot;
    this.#snapshots.set(id, retainState(this.#state));
    const device = this.#engine.running?.device;
    if (device) await this.#parking.park(this.#snapshots, this.#state, device);
    return id;
  }

  /** Restores a kept state. */
  async restore(id: number): Promise<void> {
    this.#engine.checkState(this);
    const kept = this.#snapshots.get(id);
    if (!kept) throw new Error(`Cannot restore state ${id}: it was not kept or is released`);
    this.#replaceState(await this.#onDevice(kept));
  }

  /** Releases a kept state. */
  release(id: number): Promise<void> {
    const kept = this.#snapshots.get(id);
    if (!kept) return Promise.reject(new Error(`Cannot release state ${id}: it was not kept or is released already`));
    this.#snapshots.delete(id);
    releaseKept(kept);
    return Promise.resolve();
  }

  /** See {@linkcode PortableChain.exportState}. */
  async exportState(id?: number): Promise<Uint8Array<ArrayBuffer>> {
    this.#engine.checkState(this);
    const kept = id === undefined ? this.#state : this.#snapshots.get(id);
    if (!kept) throw new Error("Cannot export the state: there is none");
    const state = await this.#onDevice(kept);
    try {
      return await exportChain(state, this.#options.place);
    } finally {
      releaseState(state);
    }
  }

  /** See {@linkcode PortableChain.importState}. */
  async importState(bytes: Uint8Array, largest?: Geometry): Promise<void> {
    const geometry = exportedGeometry(bytes);
    checkLargest(geometry, largest);
    this.#beginning = geometry;
    try {
      await this.#engine.begin(this, async (engine) => {
        this.#replaceState(importChain(engine.device, await engine.chainShapes(geometry), bytes));
      });
    } finally {
      this.#beginning = undefined;
    }
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

  /**
   * Makes room for another world, in which this chain continues: what generates is released, unless kept states or other
   * chains need it. Pictures can still be measured, and the next block compiles it again.
   */
  async rest(): Promise<void> {
    if (!this.#engine.running) return;
    await this.#engine.begin(this, (engine) => {
      const used = [...this.#engine.chains].flatMap((chain) => chain.#geometries(chain !== this));
      if (used.length === 0) engine.keepOnly([], ownSizes(engine));
      return Promise.resolve();
    });
  }

  /** See {@linkcode SharedEngine}. */
  forget(): void {
    if (this.#state) releaseState(this.#state);
    for (const state of this.#snapshots.values()) releaseKept(state);
    this.#state = undefined;
    this.#snapshots.clear();
  }

  /** A kept state with one more owner: a block may replace or release it meanwhile. */
  async #onDevice(kept: KeptState): Promise<ChainState> {
    if (!isParked(kept)) return retainState(kept);
    const device = this.#engine.running?.device;
    if (!device) throw new Error("Cannot restore a state: the world model is not prepared");
    return await this.#parking.unpark(kept, device);
  }

  /** Replaces the current state by `next`, which the model owns from now on. */
  #replaceState(next: ChainState): void {
    if (this.#state) releaseState(this.#state);
    this.#state = next;
    const engine = this.#engine.running;
    const used = [...this.#engine.chains].flatMap((chain) => chain.#geometries());
    engine?.keepOnly([...ownSizes(engine), ...used]);
  }

  /** The sizes of all its states, or of the kept ones. */
  #geometries(withCurrent = true): Geometry[] {
    const states = [...this.#snapshots.values()].map((kept) => isParked(kept) ? kept.state : kept);
    const kept = [...withCurrent ? [this.#state] : [], ...states].flatMap((state) => state?.geometry ?? []);
    return this.#beginning ? [...kept, this.#beginning] : kept;
  }
}

/** The size that a world names as its own, if it does. */
function ownSizes({ files: { config } }: ArworldEngine): Geometry[] {
  const { defaultWidth: width, defaultHeight: height } = config;
  return width && height ? [{ width, height }] : [];
}
