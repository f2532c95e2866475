/**
 * A compiled graph on WebGPU: pipelines, memory and bind groups, one submission per run.
 *
 * @module
 */
import type { DeviceTensor, Program, ValueSpec } from "../tensor/device.ts";
import { checkFeeds } from "../tensor/feeds.ts";
import type { Graph, Value } from "../tensor/graph.ts";
import type { Tensor } from "../tensor/tensor.ts";
import type { GpuContext } from "./gpu_context.ts";
import type { Allocation } from "./gpu_memory.ts";
import { lowerGraph } from "./lowering/lower_graph.ts";
import { constantRegions, ProgramMemory, type ProgramShares } from "./program_memory.ts";
import { foldWorkgroups, type Step } from "./lowering/step.ts";
import type { Region } from "./lowering/view.ts";
import { uploadTensor, WebGpuTensor } from "./webgpu_tensor.ts";

/** A step with its pipeline and recent bind groups. */
interface ReadyStep {
  readonly step: Step;
  readonly pipeline: GPUComputePipeline;
  readonly workgroups: readonly [number, number];
  readonly uniformOffset: number;
  /** Keyed by the memory of inputs and outputs, which may change between runs. */
  readonly bindGroups: Map<string, GPUBindGroup>;
}

/** Maximum number of bind groups of a step; a rollout alternates between a few sets of states. */
const keptBindGroups = 16;

/** Constants from this size on are uploaded one at a time before anything else. */
const largeConstant = 2 ** 20;

/** Lowers a graph and creates everything that its runs need. */
export async function compileProgram(shares: ProgramShares, graph: Graph): Promise<WebGpuProgram> {
  const { context } = shares;
  context.check();
  const { steps, outputs } = lowerGraph(graph, context.limits, context.precision);
  const pipelines = await Promise.all(steps.map(({ code, constants }) => context.pipeline(code, constants)));
  const large = [...constantRegions(steps, outputs)].filter(([{ bytes }]) => bytes >= largeConstant);
  const release = await shares.constants.load(large.map(([, source]) => source));
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
  }

  async run(feeds: Readonly<Record<string, Tensor | DeviceTensor>>): Promise<Record<string, DeviceTensor>> {
    if (this.#disposed) throw new Error("Cannot run program: it was disposed, compile the graph again");
    this.#context.check();
    checkFeeds(this.inputs, feeds);
    const uploads: WebGpuTensor[] = [];
    const inputs = new Map<string, Allocation>();
    const made = new Map<Region, Allocation>();
    let outputs: Record<string, DeviceTensor> = {};
    try {
      await this.#context.guard("run program", () => {
        for (const name of this.inputs.keys()) {
          inputs.set(name, onDevice(this.#context, feeds[name], uploads).allocationOn(this.#context));
        }
        for (const region of this.#outputRegions.values()) {
          if (region.source.kind === "scratch" && !made.has(region)) {
            made.set(region, this.#context.memory.allocate(region.bytes));
          }
        }
        this.#submit((region) => this.#memory.fixed.get(region) ?? made.get(region) ?? inputs.get(nameOf(region))!);
        outputs = this.#collect(inputs, made);
      });
      return outputs;
    } catch (error) {
      for (const tensor of Object.values(outputs)) tensor.release();
      throw error;
    } finally {
      for (const tensor of uploads) tensor.release();
      for (const allocation of made.values()) allocation.release();
    }
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#memory.dispose();
  }

  /** Submits the steps in parts that are short enough for watchdogs; the queue keeps them in order. */
  #submit(memoryOf: (region: Region) => Allocation): void {
    const { device, pace } = this.#context;
    const costs = this.#steps.map(({ step }) => step);
    let begin = 0;
    for (const end of pace.split(costs)) {
      const encoder = device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      for (const ready of this.#steps.slice(begin, end)) {
        pass.setPipeline(ready.pipeline);
        pass.setBindGroup(0, this.#bindGroup(ready, memoryOf));
        pass.dispatchWorkgroups(...ready.workgroups);
      }
      pass.end();
      device.queue.submit([encoder.finish()]);
      begin = end;
    }
    if (pace.tells(costs)) this.#measure(costs);
  }

  /** Learns how fast the device is; that it was lost meanwhile is told elsewhere. */
  #measure(costs: readonly Step[]): void {
    const { device, pace } = this.#context;
    const begin = performance.now();
    device.queue.onSubmittedWorkDone().then(
      () => pace.learn(costs, (performance.now() - begin) / 1000),
      () => {},
    );
  }

  #bindGroup(ready: ReadyStep, memoryOf: (region: Region) => Allocation): GPUBindGroup {
    const { step, bindGroups } = ready;
    const allocations = step.bindings.map(({ region }) => memoryOf(region));
    const key = allocations.map(({ id }) => id).join();
    let group = bindGroups.get(key);
    if (!group) {
      if (bindGroups.size >= keptBindGroups) bindGroups.clear();
      const storage = step.bindings.map(({ offset, bytes }, i) => ({
        binding: i + 1,
        resource: { buffer: allocations[i].buffer, offset, size: Math.ceil(bytes / 4) * 4 },
      }));
      const params = { buffer: this.#memory.uniforms, offset: ready.uniformOffset, size: step.params.byteLength };
      group = this.#context.device.createBindGroup({
        layout: ready.pipeline.getBindGroupLayout(0),
        entries: [{ binding: 0, resource: params }, ...storage],
      });
      bindGroups.set(key, group);
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

function onDevice(context: GpuContext, feed: Tensor | DeviceTensor, uploads: WebGpuTensor[]): WebGpuTensor {
  if (feed instanceof WebGpuTensor) return feed;
  if (!("dtype" in feed)) {
    throw new Error("Cannot run program: a feed is a tensor of another device, read it and feed the copy");
  }
  const tensor = uploadTensor(context, feed);
  uploads.push(tensor);
  return tensor;
}

function nameOf({ source }: Region): string {
  return source.kind === "input" ? source.name : "";
}

function specsOf(values: ReadonlyMap<string, Value>): Map<string, ValueSpec> {
  return new Map(Array.from(values, ([name, { shape, type }]) => [name, { shape, type }]));
}
