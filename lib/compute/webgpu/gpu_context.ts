/**
 * The shared parts of a device: its health, memory and pipelines, and the waits that end early when it is lost.
 *
 * @module
 */
import { SvcError } from "../../errors/svc_error.ts";
import { type Precision, RunQueue } from "../tensor/device.ts";
import { GpuMemory } from "./gpu_memory.ts";
import type { TileKind } from "./matrix_tiles.ts";
import { Pace } from "./pace.ts";

/** The device limits that lowering observes. */
export interface GpuLimits {
  readonly maxStorageBufferBindingSize: number;
  readonly maxStorageBuffersPerShaderStage: number;
  readonly maxComputeWorkgroupsPerDimension: number;
  readonly minStorageBufferOffsetAlignment: number;
  readonly minUniformBufferOffsetAlignment: number;
  /** How products in tiles are computed; `PORTABLE` by default. */
  readonly tile?: TileKind | undefined;
  /** Whether nothing checks indices while kernels run, so that programs have to be proved; false by default. */
  readonly unchecked?: boolean | undefined;
  /** Bytes of memory that the invocations of a workgroup share; 16384, which every device has, by default. */
  readonly maxComputeWorkgroupStorageSize?: number | undefined;
  /** Processors that take workgroups side by side; an estimate by default, as WebGPU reports none. */
  readonly processors?: number | undefined;
}

/** One open device. */
export class GpuContext {
  readonly device: GPUDevice;
  readonly limits: GpuLimits;
  readonly precision: Precision;
  readonly memory: GpuMemory;
  readonly pace: Pace;
  /** Programs share scratch memory, so the parts of a run must not mix with those of another. */
  readonly runs: RunQueue = new RunQueue();
  /** Resolves with the reason when the device is lost without having been disposed. */
  readonly lost: Promise<string>;
  /** Waits for promises of the device, which may never settle once it is lost. */
  readonly #waits = new PendingWaits();
  readonly #pipelines = new Map<string, Promise<GPUComputePipeline>>();
  #lostReason: string | undefined;
  #disposed = false;
  #uncaptured: string | undefined;

  constructor(device: GPUDevice, precision: Precision, limits: GpuLimits = device.limits, pace: Pace = new Pace()) {
    this.device = device;
    this.limits = limits;
    this.precision = precision;
    this.memory = new GpuMemory(device);
    this.pace = pace;
    this.lost = new Promise((resolve) => {
      device.lost.then(({ message, reason }) => {
        this.#lostReason = message || reason || "unknown reason";
        if (!this.#disposed) resolve(this.#lostReason);
        this.#waits.close(this.#error());
      });
    });
    device.addEventListener("uncapturederror", (event) => {
      event.preventDefault();
      this.#uncaptured ??= (event as GPUUncapturedErrorEvent).error.message;
    });
  }

  /**
   * Throws when the device is unusable, or an earlier command failed unnoticed.
   *
   * @throws {SvcError}
   */
  check(): void {
    if (this.#disposed || this.#lostReason !== undefined) throw this.#error();
    if (this.#uncaptured !== undefined) {
      const message = this.#uncaptured;
      this.#uncaptured = undefined;
      throw new Error(`Cannot use WebGPU device: an earlier command failed with "${message}"`);
    }
  }

  /** Waits for the device, or until it is lost. Failures caused by a loss say so. */
  async wait<T>(promise: Promise<T>): Promise<T> {
    try {
      return await this.#waits.wait(promise);
    } catch (error) {
      // A rejection caused by the loss may come before the loss itself is reported.
      await new Promise((resolve) => setTimeout(resolve, 0));
      if (this.#disposed || this.#lostReason !== undefined) throw this.#error();
      throw error;
    }
  }

  /** Waits until every run that was asked for so far, and everything else that was submitted, has ended. */
  async idle(): Promise<void> {
    await this.runs.add(() => Promise.resolve());
    this.check();
    await this.wait(this.device.queue.onSubmittedWorkDone());
    this.check();
  }

  /** Issues commands; device errors become thrown errors. */
  async guard<T>(what: string, commands: () => T): Promise<T> {
    this.check();
    this.device.pushErrorScope("out-of-memory");
    this.device.pushErrorScope("validation");
    let errors: Promise<(GPUError | null)[]>;
    let result: T;
    try {
      result = commands();
    } finally {
      errors = Promise.all([this.device.popErrorScope(), this.device.popErrorScope()]);
      errors.catch(() => {}); // not awaited when the commands throw
    }
    const error = (await this.wait(errors)).find((e) => e !== null);
    if (error) throw new Error(`Cannot ${what}: WebGPU reported "${error.message}"`);
    return result;
  }

  /** A pipeline of the entry point `main`; the same source and constants give the same pipeline. */
  pipeline(code: string, constants: Readonly<Record<string, number>>): Promise<GPUComputePipeline> {
    const key = `${JSON.stringify(constants)}\n${code}`;
    let pipeline = this.#pipelines.get(key);
    if (!pipeline) {
      pipeline = this.#build(code, constants);
      this.#pipelines.set(key, pipeline);
      pipeline.catch(() => this.#pipelines.delete(key));
    }
    return pipeline;
  }

  /** Releases everything. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#pipelines.clear();
    this.memory.trim();
    this.device.destroy();
  }

  async #build(code: string, constants: Readonly<Record<string, number>>): Promise<GPUComputePipeline> {
    const pipeline = await this.guard("compile kernel", () => {
      const module = this.device.createShaderModule({ code });
      const compute = { module, entryPoint: "main", constants: { ...constants } };
      const promise = this.device.createComputePipelineAsync({ layout: "auto", compute });
      promise.catch(() => {}); // awaited below, unless the module already failed
      return { promise };
    });
    return await this.wait(pipeline.promise);
  }

  #error(): SvcError {
    if (this.#disposed) {
      return new SvcError("device_lost", "Cannot use WebGPU device: it was disposed, open another one");
    }
    return new SvcError("device_lost", `Cannot use WebGPU device: it was lost (${this.#lostReason}), open it again`);
  }
}

/**
 * Promises that something waits for. `Promise.race` with a promise that lives as long as the device would leave a
 * reaction on it for every wait.
 */
export class PendingWaits {
  readonly #rejects = new Set<(error: unknown) => void>();
  #closed: { readonly error: unknown } | undefined;

  /** Number of waits that have not ended. */
  get size(): number {
    return this.#rejects.size;
  }

  /** Settles as the promise does, or rejects once this is closed. */
  wait<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      promise.then(resolve, reject).finally(() => this.#rejects.delete(reject));
      if (this.#closed) reject(this.#closed.error);
      else this.#rejects.add(reject);
    });
  }

  /** Rejects everything that is or will be waited for. */
  close(error: unknown): void {
    this.#closed ??= { error };
    for (const reject of this.#rejects) reject(error);
    this.#rejects.clear();
  }
}
