/**
 * Where a model computes in a browser.
 *
 * @module
 */
import { openOnnxDevice } from "../../lib/compute/onnx/onnx_device.ts";
import type { Device, Program } from "../../lib/compute/tensor/mod.ts";
import { openSource } from "../../lib/compute/webgpu/webgpu_device.ts";
import { SvcError } from "../../lib/errors/svc_error.ts";

/** `auto` is the GPU if there is one that works, else WebAssembly. */
export type TabDevice = "auto" | "webgpu" | "wasm";

/** Opens the GPU of a tab until it fails, and ONNX Runtime in WebAssembly from then on. */
export class TabDevices {
  readonly #choice: TabDevice;
  readonly #threads: number;
  /** Why the GPU is not used, once that is known. */
  #noGpu: string | undefined;

  constructor(choice: TabDevice, threads: number) {
    this.#choice = choice;
    this.#threads = threads;
  }

  /**
   * Opens a device. That of the CPU says in its label why it is not the GPU.
   *
   * @throws {Error} when `webgpu` was asked for and there is no GPU.
   */
  async open(): Promise<Device> {
    const { gpu } = navigator;
    if (this.#choice === "webgpu") {
      // Whoever asks for it by name may also have the slow one that computes on the CPU.
      const opened = gpu && await openSource({ name: "navigator.gpu", gpu }, { allowSoftware: true });
      if (opened?.ok) return opened.device;
      const reason = opened?.reason ?? "this browser has no WebGPU";
      throw new Error(`Cannot open a GPU: ${reason}; remove device=webgpu from the address`);
    }
    if (this.#choice === "auto" && this.#noGpu === undefined && gpu) {
      const opened = await openSource({ name: "navigator.gpu", gpu });
      if (opened.ok) return this.#watched(opened.device);
      this.#noGpu = opened.reason;
    }
    const device = await openOnnxDevice({ threads: this.#threads });
    if (this.#noGpu === undefined) return device;
    return Object.defineProperty(device, "label", { value: `${device.label}, without WebGPU: ${this.#noGpu}` });
  }

  /** Does work that opens a device, and does it once more on the CPU when the GPU fails meanwhile. */
  async attempt<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#noGpu;
    try {
      return await work();
    } catch (error) {
      // What fails because the GPU is lost may come before the loss is reported.
      await new Promise((resolve) => setTimeout(resolve, 0));
      if (before !== undefined || this.#noGpu === undefined) throw error;
      return await work();
    }
  }

  /** A GPU that counts as lost once it fails at anything: the world then continues from its picture, on the CPU. */
  #watched(gpu: Device): Device {
    const { kind, label, precision } = gpu;
    let lose: (reason: string) => void;
    const lost = Promise.race([gpu.lost, new Promise<string>((resolve) => lose = resolve)]);
    void lost.then((reason) => this.#noGpu ??= reason);
    const watch = async <T>(work: Promise<T>): Promise<T> => {
      try {
        return await work;
      } catch (error) {
        if (error instanceof SvcError && error.code === "device_lost") throw error;
        const reason = error instanceof Error ? error.message : String(error);
        lose(reason);
        throw new SvcError("device_lost", `Cannot continue with the GPU: ${reason}`, { cause: error });
      }
    };
    const watchProgram = (program: Program): Program => ({
      inputs: program.inputs,
      outputs: program.outputs,
      run: (feeds) => watch(program.run(feeds)),
      dispose: () => program.dispose(),
    });
    return {
      kind,
      label,
      precision,
      lost,
      compile: async (graph) => watchProgram(await watch(gpu.compile(graph))),
      upload: (t) => gpu.upload(t),
      idle: () => gpu.idle(),
      memory: () => gpu.memory(),
      dispose: () => gpu.dispose(),
    };
  }
}
