/**
 * The CPU device: graphs on ONNX Runtime, which hands them to another of its providers on request.
 *
 * @module
 */
import { type Device, type DeviceTensor, type Precision, type Program, RunQueue } from "../tensor/device.ts";
import type { Graph } from "../tensor/graph.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { compileParts } from "./compile_parts.ts";
import { HostTensor, MemoryLedger } from "./host_tensor.ts";
import { loadOnnxRuntime } from "./load_onnxruntime.ts";
import { hostData, OnnxProgram, type ProgramContext } from "./onnx_program.ts";

/** Options of {@linkcode openOnnxDevice}. */
export interface OnnxDeviceOptions {
  /** Threads that one operator may use; default one a core. */
  readonly threads?: number;
  /**
   * What computes; the CPU by default, which also computes what the provider has no kernel for. Tensors stay in ordinary
   * memory and in 32-bit floats.
   */
  readonly provider?: "cuda" | "tensorrt" | "coreml" | "dml" | undefined;
  /**
   * What matrix products, convolutions and attention compute in; f32 by default. With f16 their weights take half the
   * memory; everything between them, and graphs that are wide, keep 32 bits.
   */
  readonly products?: Precision | undefined;
}

/** Opens the CPU, as the entry point `./compute` describes it. */
export async function openOnnxDevice(options: OnnxDeviceOptions = {}): Promise<Device> {
  const { threads } = options;
  if (threads !== undefined && !(Number.isInteger(threads) && threads > 0)) {
    throw new RangeError(`Cannot open the CPU device: threads is ${threads}, expected a positive integer`);
  }
  const runtime = await loadOnnxRuntime();
  const context = { runtime, queue: new RunQueue(), ledger: new MemoryLedger(), programs: new Set<Program>() };
  return new OnnxDevice(context, options);
}

class OnnxDevice implements Device {
  readonly kind = "cpu";
  readonly precision = "f32";
  readonly label: string;
  readonly lost: Promise<string> = new Promise(() => {});
  readonly #context: ProgramContext;
  readonly #options: OnnxDeviceOptions;
  #disposed = false;

  constructor(context: ProgramContext, options: OnnxDeviceOptions) {
    this.#context = context;
    this.#options = options;
    const { threads, provider, products } = options;
    const cpu = threads === undefined ? "cpu (all cores)" : `cpu (${threads} thread${threads === 1 ? "" : "s"})`;
    this.label = provider ? `${provider}${products === "f16" ? " f16" : ""} (ONNX Runtime)` : cpu;
  }

  async compile(graph: Graph): Promise<Program> {
    if (this.#disposed) throw new Error("Cannot compile a graph: the CPU device was disposed, open it again");
    const { runtime } = this.#context;
    const { parts, weightBytes } = await compileParts(graph, { runtime, ...this.#options });
    const program = new OnnxProgram(this.#context, graph, parts, weightBytes);
    if (this.#disposed) program.dispose();
    return program;
  }

  upload(t: Tensor): DeviceTensor {
    if (this.#disposed) throw new Error("Cannot upload a tensor: the CPU device was disposed, open it again");
    const data = hostData(t);
    return new HostTensor(this.#context.ledger, t.shape, data === t.data ? data.slice() : data);
  }

  async idle(): Promise<void> {
    await this.#context.queue.add(() => Promise.resolve());
  }

  memory(): { readonly allocated: number; readonly peak: number } {
    const { allocated, peak } = this.#context.ledger;
    return { allocated, peak };
  }

  dispose(): void {
    this.#disposed = true;
    for (const program of this.#context.programs) program.dispose();
    this.#context.ledger.spare.close();
  }
}
