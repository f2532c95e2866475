/**
 * Notes which programs a model runs, and what it feeds them.
 *
 * @module
 */
import type { Device, DeviceTensor, Graph, Precision, Program, Tensor } from "../../../lib/compute/tensor/mod.ts";

/** A graph that was run, and the inputs of its last run in ordinary memory. */
export interface RecordedProgram {
  readonly graph: Graph;
  readonly feeds: Readonly<Record<string, Tensor>>;
}

/** Runs on another device and records on the way. A model takes it for a GPU, so that its graphs are those of a GPU. */
export class RecordingDevice implements Device {
  readonly kind = "webgpu";
  readonly label: string;
  readonly precision: Precision;
  readonly lost: Promise<string>;
  readonly #device: Device;
  readonly #last = new Map<Graph, RecordedProgram>();

  constructor(device: Device) {
    this.#device = device;
    this.label = device.label;
    this.precision = device.precision;
    this.lost = device.lost;
  }

  /** What has run so far, in the order of the last runs. */
  get programs(): readonly RecordedProgram[] {
    return [...this.#last.values()];
  }

  async compile(graph: Graph): Promise<Program> {
    const program = await this.#device.compile(graph);
    return {
      inputs: program.inputs,
      outputs: program.outputs,
      run: async (feeds, options) => {
        const read = Object.entries(feeds).map(async ([name, t]) => [name, await inMemory(t)] as const);
        const record = { graph, feeds: Object.fromEntries(await Promise.all(read)) };
        this.#last.delete(graph);
        this.#last.set(graph, record);
        return await program.run(feeds, options);
      },
      dispose: () => program.dispose(),
    };
  }

  upload(t: Tensor): DeviceTensor {
    return this.#device.upload(t);
  }

  idle(): Promise<void> {
    return this.#device.idle();
  }

  memory(): { readonly allocated: number; readonly peak: number } {
    return this.#device.memory();
  }

  dispose(): void {
    this.#device.dispose();
  }
}

/** A copy: what was fed may change once the run has ended. */
async function inMemory(t: Tensor | DeviceTensor): Promise<Tensor> {
  if ("release" in t) return await t.read();
  return { ...t, data: t.data.slice() } as Tensor;
}
