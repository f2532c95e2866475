/**
 * The shared parts of a device: its health, memory and pipelines.
 *
 * @module
 */
import type { Precision } from "../tensor/device.ts";
import { RunQueue } from "../tensor/run_queue.ts";
import { GpuMemory } from "./gpu_memory.ts";
import { Pace } from "./pace.ts";
import type { TileKind } from "./matrix_tiles.ts";
import { SvcError } from "../../errors/svc_error.ts";

/** The device limits that lowering observes. */
export interface GpuLimits {
  readonly maxStorageBufferBindingSize: number;
  readonly maxStorageBuffersPerShaderStage: number;
  readonly maxComputeWorkgroupsPerDimension: number;
  readonly minStorageBufferOffsetAlignment: number;
  readonly minUniformBufferOffsetAlignment: number;
  /** Bytes of workgroup memory of a kernel; 16 KiB by default, which every device has. */
  readonly maxComputeWorkgroupStorageSize?: number;
  /** How products in tiles are computed; `PORTABLE` by default. */
  readonly tile?: TileKind | undefined;
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
  /** Rejects when the device is lost for any reason; raced against promises that may then never settle. */
  readonly #gone: Promise<never>;
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
      });
    });
    this.#gone = device.lost.then(() => {
      throw this.#error();
    });
    this.#gone.catch(() => {}); // it is only ever raced
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
      return await Promise.race([promise, this.#gone]);
    } catch (error) {
      // A rejection caused by the loss may come before the loss itself is reported.
      await new Promise((resolve) => setTimeout(resolve, 0));
      if (this.#disposed || this.#lostReason !== undefined) throw this.#error();
      throw error;
    }
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
