/**
 * The time of every dispatch of a run by timestamps. The device's methods are replaced by ones that give each dispatch
 * a pass of its own between two timestamps; the project's code stays as it is.
 *
 * @module
 */
import { kernelName, UNKNOWN } from "./kernel_names.ts";
import { messageOf } from "./part.ts";

/** Timestamps of a query set at most (WebGPU, 5.1 `createQuerySet`). */
const SET = 4096;
const [MAP_READ, COPY_SRC, COPY_DST, QUERY_RESOLVE] = [0x1, 0x4, 0x8, 0x200];

/** What a kernel took of a run. */
export interface KernelTime {
  readonly kernel: string;
  readonly dispatches: number;
  readonly ms: number;
}

/** Times the dispatches of a device. */
export class DispatchTimes {
  readonly #gpu: GPUDevice;
  readonly #kernels = new WeakMap<GPUComputePipeline, string>();

  private constructor(gpu: GPUDevice) {
    this.#gpu = gpu;
  }

  /** Notes which kernel each pipeline is of, for pipelines that are made from now on. */
  static watch(gpu: GPUDevice): DispatchTimes {
    const times = new DispatchTimes(gpu);
    const texts = new WeakMap<GPUShaderModule, string>();
    const createShaderModule = gpu.createShaderModule.bind(gpu);
    const createPipeline = gpu.createComputePipelineAsync.bind(gpu);
    replace(gpu, "createShaderModule", (descriptor: GPUShaderModuleDescriptor) => {
      const module = createShaderModule(descriptor);
      texts.set(module, descriptor.code);
      return module;
    });
    replace(gpu, "createComputePipelineAsync", async (descriptor: GPUComputePipelineDescriptor) => {
      const pipeline = await createPipeline(descriptor);
      times.#kernels.set(pipeline, kernelName(texts.get(descriptor.compute.module) ?? ""));
      return pipeline;
    });
    return times;
  }

  /** Milliseconds by kernel of one run, the longest first; or why there are none. */
  async of(run: () => Promise<void>): Promise<readonly KernelTime[] | string> {
    if (!this.#gpu.features.has("timestamp-query")) return "the device has no timestamps";
    const sets: GPUQuerySet[] = [];
    const seen: string[] = [];
    const createEncoder = this.#gpu.createCommandEncoder.bind(this.#gpu);
    const next = (pipeline: GPUComputePipeline): GPUComputePassTimestampWrites => {
      const at = 2 * seen.length;
      if (at % SET === 0) sets.push(this.#gpu.createQuerySet({ type: "timestamp", count: SET }));
      seen.push(this.#kernels.get(pipeline) ?? UNKNOWN);
      const index = at % SET;
      return { querySet: sets.at(-1)!, beginningOfPassWriteIndex: index, endOfPassWriteIndex: index + 1 };
    };
    replace(this.#gpu, "createCommandEncoder", (descriptor?: GPUCommandEncoderDescriptor) => {
      const encoder = createEncoder(descriptor);
      return timedEncoder(encoder, next);
    });
    try {
      await run();
      await this.#gpu.queue.onSubmittedWorkDone();
      return sumUp(seen, await this.#read(sets, createEncoder()));
    } catch (error) {
      return messageOf(error);
    } finally {
      replace(this.#gpu, "createCommandEncoder", createEncoder);
      for (const set of sets) set.destroy();
    }
  }

  async #read(sets: readonly GPUQuerySet[], encoder: GPUCommandEncoder): Promise<BigUint64Array> {
    const size = Math.max(sets.length, 1) * SET * 8;
    const resolved = this.#gpu.createBuffer({ size, usage: QUERY_RESOLVE | COPY_SRC });
    const staging = this.#gpu.createBuffer({ size, usage: MAP_READ | COPY_DST });
    sets.forEach((set, i) => encoder.resolveQuerySet(set, 0, SET, resolved, i * SET * 8));
    encoder.copyBufferToBuffer(resolved, 0, staging, 0, size);
    this.#gpu.queue.submit([encoder.finish()]);
    await staging.mapAsync(MAP_READ);
    const stamps = new BigUint64Array(staging.getMappedRange().slice(0));
    staging.destroy();
    resolved.destroy();
    return stamps;
  }
}

function replace(gpu: GPUDevice, name: keyof GPUDevice, value: unknown): void {
  Object.defineProperty(gpu, name, { value, configurable: true });
}

/** An encoder each of whose dispatches is a pass between two timestamps. */
function timedEncoder(
  encoder: GPUCommandEncoder,
  next: (pipeline: GPUComputePipeline) => GPUComputePassTimestampWrites,
): object {
  let pipeline: GPUComputePipeline;
  let group: GPUBindGroup;
  return {
    beginComputePass: () => ({
      setPipeline: (set: GPUComputePipeline) => void (pipeline = set),
      setBindGroup: (_: number, set: GPUBindGroup) => void (group = set),
      dispatchWorkgroups: (x: number, y?: number, z?: number) => {
        const pass = encoder.beginComputePass({ timestampWrites: next(pipeline) });
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, group);
        pass.dispatchWorkgroups(x, y, z);
        pass.end();
      },
      end: () => {},
    }),
    copyBufferToBuffer: encoder.copyBufferToBuffer.bind(encoder),
    clearBuffer: encoder.clearBuffer.bind(encoder),
    finish: () => encoder.finish(),
  };
}

function sumUp(seen: readonly string[], stamps: BigUint64Array): KernelTime[] {
  const rows = new Map<string, { dispatches: number; ms: number }>();
  seen.forEach((kernel, i) => {
    const row = rows.get(kernel) ?? { dispatches: 0, ms: 0 };
    row.dispatches++;
    row.ms += Number(stamps[2 * i + 1] - stamps[2 * i]) / 1e6;
    rows.set(kernel, row);
  });
  return Array.from(rows, ([kernel, row]) => ({ kernel, ...row })).sort((a, b) => b.ms - a.ms);
}
