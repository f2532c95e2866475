import type { RgbFrames, RgbImage } from "../../lib/media/images/rgb_image.ts";
import type { ClipModel, ClipOptions, ClipRequest } from "../../lib/models/world/clip_model.ts";
import type { LoadedBytes } from "../../lib/models/checkpoint/load_meter.ts";
import type { Geometry, PortableChain, PrepareOptions } from "../../lib/models/world/world_model.ts";
import { raceAbort } from "./fake_world_model.ts";

/** A model of clips whose every picture is one colour, which follows from the picture before and the request. */
export class FakeClipModel implements ClipModel, PortableChain {
  readonly calls: string[] = [];
  readonly requests: ClipRequest[] = [];
  readonly snapshots = new Map<number, RgbImage>();
  picture: RgbImage | undefined;
  /** Called on every step, after which an abort is noticed. */
  onStep: ((step: number) => void | Promise<void>) | undefined;
  /** A clip waits for this between its first chunk and the rest, or for its abort. */
  gate: Promise<void> | undefined;
  #lastId = 0;

  /** What it says of loading, at its start and at the beginning of every clip. */
  loaded: LoadedBytes | undefined;

  prepare({ onProgress }: PrepareOptions = {}): Promise<{ id: string; device: string; dtype: string }> {
    this.calls.push("prepare");
    if (this.loaded) onProgress?.({ stage: "loading", fraction: 0.7, loaded: this.loaded });
    return Promise.resolve({ id: "fake", device: "cpu (fake)", dtype: "f32" });
  }

  begin(image: RgbImage, { width, height }: Geometry): Promise<void> {
    this.calls.push("begin");
    this.picture = filled(width, height, image.data[0]);
    return Promise.resolve();
  }

  async generate(request: ClipRequest, { signal, onProgress, onFrames }: ClipOptions = {}): Promise<RgbFrames> {
    this.calls.push("generate");
    this.requests.push(request);
    if (!this.picture) throw new Error("Cannot generate: no chain was begun");
    const { width, height, data: [before] } = this.picture;
    const { steps, frames: count, seed, actions } = request;
    if (this.loaded) onProgress?.({ stage: "loading", step: 0, steps, loaded: this.loaded });
    for (let step = 0; step < steps; step++) {
      onProgress?.({ stage: "denoising", step, steps });
      if (!this.onStep) continue;
      await this.onStep(step);
      signal?.throwIfAborted();
    }
    onProgress?.({ stage: "decoding", step: steps, steps });
    const turn = actions.reduce((sum, n) => sum + Math.round(n * 1000), 0);
    const colour = (before + Number(seed & 63n) + turn + 1) & 255;
    const size = width * height * 3;
    const data = new Uint8Array(count * size).fill(colour);
    data.fill(before, 0, size);
    const part = (from: number, frames: number) =>
      onFrames?.({ width, height, count: frames, data: data.subarray(from * size, (from + frames) * size) });
    part(0, 1);
    for (let from = 1; from < count; from += 4) {
      if (from > 1 && this.gate) await raceAbort(this.gate, signal);
      signal?.throwIfAborted();
      part(from, 4);
    }
    this.picture = filled(width, height, colour);
    return { width, height, count, data };
  }

  snapshot(): Promise<number> {
    this.snapshots.set(++this.#lastId, this.picture!);
    return Promise.resolve(this.#lastId);
  }

  restore(id: number): Promise<void> {
    if (!this.snapshots.has(id)) return Promise.reject(new Error(`Cannot restore ${id}: it was released`));
    this.picture = this.snapshots.get(id);
    return Promise.resolve();
  }

  release(id: number): Promise<void> {
    this.snapshots.delete(id);
    return Promise.resolve();
  }

  distance(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  exportState(id?: number): Promise<Uint8Array<ArrayBuffer>> {
    const { width, height, data } = (id === undefined ? this.picture : this.snapshots.get(id))!;
    return Promise.resolve(new TextEncoder().encode(`${width} ${height} ${data[0]}`));
  }

  importState(bytes: Uint8Array): Promise<void> {
    const [width, height, colour] = new TextDecoder().decode(bytes).split(" ").map(Number);
    this.picture = filled(width, height, colour);
    return Promise.resolve();
  }

  drop(): Promise<void> {
    return this.unload();
  }

  unload(): Promise<void> {
    this.picture = undefined;
    this.snapshots.clear();
    return Promise.resolve();
  }
}

function filled(width: number, height: number, colour: number): RgbImage {
  return { width, height, data: new Uint8Array(width * height * 3).fill(colour) };
}
