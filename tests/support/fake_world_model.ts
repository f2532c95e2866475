import type { LoadedBytes } from "../../lib/models/checkpoint/load_meter.ts";
import type { RgbFrames, RgbImage } from "../../lib/media/images/rgb_image.ts";
import type {
  BlockRequest,
  GenerateOptions,
  Geometry,
  PortableChain,
  PrepareOptions,
  WorldModel,
} from "../../lib/models/world/world_model.ts";

interface Chain {
  readonly geometry: Geometry;
  readonly blocks: number;
  /** Depends on everything that the chain has been asked for, and on the latents that were recalled. */
  readonly hash: number;
  /** What stands for the kept latents, by their global index. */
  readonly memory: ReadonlyMap<number, number>;
}

/**
 * A world whose frames are one colour, which follows from the whole history of the chain. It keeps and recalls latents
 * as real ones do.
 */
export class FakeWorldModel implements WorldModel, PortableChain {
  /** Names of the calls so far. */
  readonly calls: string[] = [];
  /** What it says of loading at the beginning of every block. */
  loads: readonly LoadedBytes[] = [];
  readonly requests: BlockRequest[] = [];
  readonly snapshots = new Map<number, Chain | undefined>();
  chain: Chain | undefined;
  /** How far every image is from what it was made for. */
  known: number | undefined;
  prepared = false;
  /** The size that it was last prepared for. */
  preparedFor: Geometry | undefined;
  /** Rejects the next call of this name. */
  failure: { call: string; error: Error } | undefined;
  /** A block waits for this, or for its abort. */
  gate: Promise<void> | undefined;
  /** Resolves when a block has begun. */
  onGenerate: () => void = () => {};
  #lastId = 0;

  async prepare({ geometry }: PrepareOptions = {}): Promise<{ id: string; device: string; dtype: string }> {
    await this.#step("prepare");
    this.preparedFor = geometry;
    this.prepared = true;
    return { id: "fake", device: "cpu (fake)", dtype: "f32" };
  }

  async begin(image: RgbImage, geometry: Geometry): Promise<void> {
    await this.#step("begin");
    this.chain = { geometry, blocks: 0, hash: hash(image.data), memory: new Map() };
  }

  async generate(
    request: BlockRequest,
    { signal, onProgress, early, onFrames }: GenerateOptions = {},
  ): Promise<RgbFrames> {
    await this.#step("generate");
    if (!this.chain) throw new Error("Cannot generate: no chain was begun");
    this.requests.push(request);
    this.onGenerate();
    for (const loaded of this.loads) onProgress?.({ stage: "loading", step: 0, steps: 6, loaded });
    onProgress?.({ stage: "denoising", step: 0, steps: 6 });
    if (this.gate) await raceAbort(this.gate, signal);
    signal?.throwIfAborted();
    onProgress?.({ stage: "decoding", step: 5, steps: 6 });
    const { geometry, blocks, hash: before, memory } = this.chain;
    const { recall = [], store = [], forget = [] } = request.memory ?? {};
    const recalled = recall.flatMap(({ frame, latent, strength }) => {
      const value = memory.get(latent);
      if (value === undefined) throw new Error(`Cannot recall latent ${latent}: the fake does not keep it`);
      return [frame, strength, value];
    });
    const words = new Uint8Array([before, before >> 8, before >> 16, Number(request.seed & 255n)]);
    const next = hash(words, new Uint8Array(request.views.slice().buffer), bytesOf(recalled));
    const kept = new Map(memory);
    for (const latent of forget) kept.delete(latent);
    for (const { frame, latent } of store) kept.set(latent, hash(bytesOf([next, frame])));
    this.chain = { geometry, blocks: blocks + 1, hash: next, memory: kept };
    const count = blocks === 0 ? 9 : 12;
    const size = geometry.width * geometry.height * 3;
    const data = new Uint8Array(count * size).fill(next & 255);
    if (early === "whole") onFrames?.({ ...geometry, count, data: data.slice() });
    if (early === "split") {
      const first = count - 8 + (blocks === 0 ? 4 : 0);
      onFrames?.({ ...geometry, count: first, data: data.slice(0, first * size) });
      onFrames?.({ ...geometry, count: count - first, data: data.slice(first * size) });
    }
    return { ...geometry, count, data };
  }

  async snapshot(): Promise<number> {
    await this.#step("snapshot");
    this.snapshots.set(++this.#lastId, this.chain);
    return this.#lastId;
  }

  async restore(id: number): Promise<void> {
    await this.#step("restore");
    if (!this.snapshots.has(id)) throw new Error(`Cannot restore ${id}: it was released`);
    this.chain = this.snapshots.get(id);
  }

  async release(id: number): Promise<void> {
    await this.#step("release");
    this.snapshots.delete(id);
  }

  distance(): Promise<number | undefined> {
    return Promise.resolve(this.known);
  }

  async exportState(id?: number): Promise<Uint8Array<ArrayBuffer>> {
    await this.#step("exportState");
    const chain = id === undefined ? this.chain : this.snapshots.get(id);
    return new TextEncoder().encode(JSON.stringify({ ...chain, memory: [...chain?.memory ?? []] }));
  }

  async importState(bytes: Uint8Array): Promise<void> {
    await this.#step("importState");
    const { memory, ...chain } = JSON.parse(new TextDecoder().decode(bytes));
    this.chain = { ...chain, memory: new Map(memory) };
  }

  async drop(): Promise<void> {
    await this.#step("drop");
    this.chain = undefined;
    this.snapshots.clear();
  }

  async unload(): Promise<void> {
    await this.#step("unload");
    this.prepared = false;
    this.chain = undefined;
    this.snapshots.clear();
  }

  #step(call: string): Promise<void> {
    this.calls.push(call);
    const { failure } = this;
    if (failure?.call !== call) return Promise.resolve();
    this.failure = undefined;
    return Promise.reject(failure.error);
  }
}

/** A promise that gives way to an abort. */
export function raceAbort<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal?.reason);
    if (signal?.aborted) return abort();
    signal?.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal?.removeEventListener("abort", abort));
  });
}

function bytesOf(numbers: readonly number[]): Uint8Array {
  return new Uint8Array(Float64Array.from(numbers).buffer);
}

function hash(...parts: Uint8Array[]): number {
  let h = 2166136261;
  for (const part of parts) for (const byte of part) h = Math.imul(h ^ byte, 16777619) >>> 0;
  return h;
}
