/**
 * A compiled graph on WebGPU: pipelines, memory and bind groups, one submission per run, or several where it is long.
 *
 * @module
 */
import { checkFeeds, type DeviceTensor, type Program, type ValueSpec } from "../tensor/device.ts";
import type { Graph, Value } from "../tensor/graph.ts";
import type { Tensor } from "../tensor/tensor.ts";
import type { GpuContext } from "./gpu_context.ts";
import type { Allocation } from "./gpu_memory.ts";
import { lowerGraph } from "./lowering/lower_graph.ts";
import { proveBounds } from "./lowering/prove_bounds.ts";
import { foldWorkgroups, type Step } from "./lowering/step.ts";
import type { Region } from "./lowering/view.ts";
import { type PartQueue, ProgramPace, runParts } from "./pace.ts";
import {
  BindGroups,
  constantRegions,
  ProgramMemory,
  type ProgramShares,
  type StepBindGroups,
} from "./program_memory.ts";
import { uploadTensor, WebGpuTensor } from "./webgpu_tensor.ts";

/** A step with its pipeline and recent bind groups. */
interface ReadyStep {
  readonly step: Step;
  readonly pipeline: GPUComputePipeline;
  readonly workgroups: readonly [number, number];
  readonly uniformOffset: number;
  /** By their buffers: those of inputs and outputs may change between runs. */
  readonly bindGroups: StepBindGroups;
}

/** Lowers a graph and creates everything that its runs need. */
export async function compileProgram(shares: ProgramShares, graph: Graph): Promise<WebGpuProgram> {
  const { context } = shares;
  context.check();
  const { steps, outputs } = lowerGraph(graph, context.limits, context.precision);
  if (context.limits.unchecked) proveBounds(steps);
  const pipelines = await Promise.all(steps.map(({ code, constants }) => context.pipeline(code, constants)));
  const release = await shares.constants.load(constantRegions(steps, outputs).values());
  let memory: ProgramMemory | undefined;
  try {
    return await context.guard("compile program", () => {
      const own = memory = new ProgramMemory(shares, steps, outputs);
      const ready = steps.map((step, i): ReadyStep => ({
        step,
        pipeline: pipelines[i],
        workgroups: foldWorkgroups(step.workgroups, context.limits.maxComputeWorkgroupsPerDimension),
        uniformOffset: own.uniformOffsets[i],
        bindGroups: new Map(),
      }));
      return new WebGpuProgram(context, graph, ready, outputs, own);
    });
  } catch (error) {
    memory?.dispose();
    throw error;
  } finally {
    release();
  }
}

/** See {@linkcode Program}. */
export class WebGpuProgram implements Program {
  readonly inputs: ReadonlyMap<string, ValueSpec>;
  readonly outputs: ReadonlyMap<string, ValueSpec>;
  readonly #context: GpuContext;
  readonly #steps: readonly ReadyStep[];
  readonly #outputRegions: ReadonlyMap<string, Region>;
  readonly #memory: ProgramMemory;
  readonly #bindGroups: BindGroups;
  readonly #pace: ProgramPace;
  #runs = 0;
  #disposed = false;

  constructor(
    context: GpuContext,
    graph: Graph,
    steps: readonly ReadyStep[],
    outputRegions: ReadonlyMap<string, Region>,
    memory: ProgramMemory,
  ) {
    this.inputs = specsOf(graph.inputs);
    this.outputs = specsOf(graph.outputs);
    this.#context = context;
    this.#steps = steps;
    this.#outputRegions = outputRegions;
    this.#memory = memory;
    this.#pace = new ProgramPace(context.pace, steps.map(({ step }) => step));
    this.#bindGroups = new BindGroups(context.memory);
  }

  run(
    feeds: Readonly<Record<string, Tensor | DeviceTensor>>,
    { signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<Record<string, DeviceTensor>> {
    if (this.#disposed) {
      return Promise.reject(new Error("Cannot run program: it was disposed, compile the graph again"));
    }
    const held = new Map<string, Allocation>();
    this.#runs++;
    const run = async (): Promise<Record<string, DeviceTensor>> => {
      this.#context.check();
      checkFeeds(this.inputs, feeds);
      // The caller may release its tensors before it is their turn.
      for (const [name, feed] of Object.entries(feeds)) {
        if (feed instanceof WebGpuTensor) held.set(name, feed.allocationOn(this.#context).retain());
      }
      return await this.#context.runs.add(() => this.#perform(feeds, held, signal));
    };
    return run().finally(() => {
      for (const allocation of held.values()) allocation.release();
      this.#runs--;
      this.#freeUnused();
    });
  }

  dispose(): void {
    this.#disposed = true;
    this.#freeUnused();
  }

  /** A run that has begun needs the memory up to its last part. */
  #freeUnused(): void {
    if (!this.#disposed || this.#runs > 0) return;
    this.#bindGroups.dispose();
    this.#memory.dispose();
  }

  async #perform(
    feeds: Readonly<Record<string, Tensor | DeviceTensor>>,
    held: ReadonlyMap<string, Allocation>,
    signal: AbortSignal | undefined,
  ): Promise<Record<string, DeviceTensor>> {
    const uploads: WebGpuTensor[] = [];
    const inputs = new Map<string, Allocation>();
    const made = new Map<Region, Allocation>();
    let outputs: Record<string, DeviceTensor> = {};
    const prepare = (): void => {
      for (const name of this.inputs.keys()) {
        inputs.set(name, held.get(name) ?? upload(this.#context, feeds[name], uploads));
      }
      for (const region of this.#outputRegions.values()) {
        if (region.source.kind === "scratch" && !made.has(region)) {
          made.set(region, this.#context.memory.allocate(region.bytes));
        }
      }
      outputs = this.#collect(inputs, made);
    };
    try {
      await this.#submit(
        prepare,
        (region) => this.#memory.fixed.get(region) ?? made.get(region) ?? inputs.get(nameOf(region))!,
        signal,
      );
      return outputs;
    } catch (error) {
      for (const tensor of Object.values(outputs)) tensor.release();
      throw error;
    } finally {
      for (const tensor of uploads) tensor.release();
      for (const allocation of made.values()) allocation.release();
    }
  }

  /** Submits the steps in parts, after `prepare`. */
  async #submit(
    prepare: () => void,
    memoryOf: (region: Region) => Allocation,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { device, pace } = this.#context;
    const queue: PartQueue = {
      submit: (begin, end) =>
        this.#context.guard("run program", () => {
          if (begin === 0) prepare();
          const commands = this.#encode(begin, end, memoryOf);
          const handed = performance.now();
          device.queue.submit([commands]);
          return handed;
        }),
      done: async () => {
        await this.#context.wait(device.queue.onSubmittedWorkDone());
      },
      now: () => performance.now(),
    };
    await runParts(queue, pace, this.#pace, signal);
  }

  #encode(begin: number, end: number, memoryOf: (region: Region) => Allocation): GPUCommandBuffer {
    const encoder = this.#context.device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    for (const ready of this.#steps.slice(begin, end)) {
      pass.setPipeline(ready.pipeline);
      pass.setBindGroup(0, this.#bindGroup(ready, memoryOf));
      pass.dispatchWorkgroups(...ready.workgroups);
    }
    pass.end();
    return encoder.finish();
  }

  #bindGroup(ready: ReadyStep, memoryOf: (region: Region) => Allocation): GPUBindGroup {
    const { step, bindGroups } = ready;
    const allocations = step.bindings.map(({ region }) => memoryOf(region));
    const ids = allocations.map(({ id }) => id);
    let group = this.#bindGroups.find(bindGroups, ids);
    if (!group) {
      const storage = step.bindings.map(({ offset, bytes }, i) => ({
        binding: i + 1,
        resource: { buffer: allocations[i].buffer, offset, size: Math.ceil(bytes / 4) * 4 },
      }));
      const params = { buffer: this.#memory.uniforms, offset: ready.uniformOffset, size: step.params.byteLength };
      group = this.#context.device.createBindGroup({
        layout: ready.pipeline.getBindGroupLayout(0),
        entries: [{ binding: 0, resource: params }, ...storage],
      });
      this.#bindGroups.keep(bindGroups, ids, group);
    }
    return group;
  }

  /** One tensor per output; outputs that are an input, a constant or each other share its memory. */
  #collect(
    inputs: ReadonlyMap<string, Allocation>,
    made: ReadonlyMap<Region, Allocation>,
  ): Record<string, DeviceTensor> {
    const tensors: Record<string, DeviceTensor> = {};
    for (const [name, { shape, type }] of this.outputs) {
      const region = this.#outputRegions.get(name)!;
      const allocation = made.get(region) ?? this.#memory.fixed.get(region) ?? inputs.get(nameOf(region))!;
      tensors[name] = new WebGpuTensor(this.#context, allocation.retain(), shape, type);
    }
    return tensors;
  }
}

function upload(context: GpuContext, feed: Tensor | DeviceTensor, uploads: WebGpuTensor[]): Allocation {
  if (!("dtype" in feed)) {
    throw new Error("Cannot run program: a feed is a tensor of another device, read it and feed the copy");
  }
  const tensor = uploadTensor(context, feed);
  uploads.push(tensor);
  return tensor.allocationOn(context);
}

function nameOf({ source }: Region): string {
  return source.kind === "input" ? source.name : "";
}

function specsOf(values: ReadonlyMap<string, Value>): Map<string, ValueSpec> {
  return new Map(Array.from(values, ([name, { shape, type }]) => [name, { shape, type }]));
}
