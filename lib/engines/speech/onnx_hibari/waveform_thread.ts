/**
 * The thread that makes sound.
 *
 * @module
 */
import { siblingModule, spawnWorker } from "../../../platform/workers/spawn_worker.ts";
import type { WorkerHandle } from "../../../platform/workers/worker_port.ts";
import type { SpectralShapes } from "./waveform.ts";

/** A sound that is being made. */
interface Pending {
  readonly resolve: (sound: Float32Array<ArrayBuffer>) => void;
  readonly reject: (error: Error) => void;
}

/** Makes sounds one after the other while the caller's thread runs the next network. */
export class WaveformThread {
  readonly #worker: WorkerHandle<SpectralShapes, Float32Array<ArrayBuffer>>;
  readonly #pending: Pending[] = [];
  #ended: Error | undefined;

  private constructor(worker: WorkerHandle<SpectralShapes, Float32Array<ArrayBuffer>>) {
    this.#worker = worker;
    worker.onMessage((sound) => this.#pending.shift()?.resolve(sound));
    void worker.ended.then((cause) => {
      this.#ended = cause ?? new Error("Cannot make sound: the model was closed");
      for (const { reject } of this.#pending.splice(0)) reject(this.#ended);
    });
  }

  static async open(): Promise<WaveformThread> {
    return new WaveformThread(
      await spawnWorker(siblingModule("waveform_worker", import.meta.url), { name: "waveform" }),
    );
  }

  /** The sound of amplitudes; see `waveform`. */
  make(shapes: SpectralShapes): Promise<Float32Array<ArrayBuffer>> {
    if (this.#ended) return Promise.reject(this.#ended);
    return new Promise((resolve, reject) => {
      this.#pending.push({ resolve, reject });
      this.#worker.postMessage(shapes);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
