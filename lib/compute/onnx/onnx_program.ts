/**
 * A compiled graph on ONNX Runtime.
 *
 * @module
 */
import type { InferenceSession, Tensor as OnnxTensor } from "onnxruntime-node";
import type { DeviceTensor, Program, ValueSpec } from "../tensor/device.ts";
import { checkFeeds } from "../tensor/feeds.ts";
import type { Graph, Value } from "../tensor/graph.ts";
import { toFloat32 } from "../tensor/half.ts";
import { ShapeError } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { HostTensor } from "./host_tensor.ts";
import type { OnnxRuntimeModule } from "./load_onnxruntime.ts";
import { inputName, outputName } from "./lower_graph.ts";
import type { MemoryLedger } from "./memory_ledger.ts";
import type { RunQueue } from "../tensor/run_queue.ts";

/** What programs share with their device. */
export interface ProgramContext {
  readonly runtime: OnnxRuntimeModule;
  readonly queue: RunQueue;
  readonly ledger: MemoryLedger;
  /** Programs to dispose with the device. */
  readonly programs: Set<Program>;
}

/** A program backed by an ONNX Runtime session. */
export class OnnxProgram implements Program {
  readonly inputs: ReadonlyMap<string, ValueSpec>;
  readonly outputs: ReadonlyMap<string, ValueSpec>;
  readonly #context: ProgramContext;
  readonly #session: InferenceSession;
  readonly #usedInputs: ReadonlySet<string>;
  readonly #weightBytes: number;
  #disposed = false;

  constructor(
    context: ProgramContext,
    graph: Graph,
    session: InferenceSession,
    usedInputs: ReadonlySet<string>,
    weightBytes: number,
  ) {
    this.inputs = specsOf(graph.inputs);
    this.outputs = specsOf(graph.outputs);
    this.#context = context;
    this.#session = session;
    this.#usedInputs = usedInputs;
    this.#weightBytes = weightBytes;
    context.ledger.take(weightBytes);
    context.programs.add(this);
  }

  async run(
    feeds: Readonly<Record<string, Tensor | DeviceTensor>>,
    { signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<Record<string, DeviceTensor>> {
    if (this.#disposed) throw new Error("Cannot run program: it was disposed, compile the graph again");
    checkFeeds(this.inputs, feeds);
    const onnxFeeds: Record<string, OnnxTensor> = {};
    for (const name of this.#usedInputs) {
      // The wrapper holds the array, so a tensor released before its turn is still available.
      onnxFeeds[inputName(name)] = this.#wrap(name, feeds[name]);
    }
    const results = await this.#context.queue.add(() => {
      signal?.throwIfAborted(); // a run that has begun cannot be stopped through the runtime's interface
      return this.#session.run(onnxFeeds);
    });
    const outputs: Record<string, DeviceTensor> = {};
    for (const [name, spec] of this.outputs) {
      const data = results[outputName(name)].data as Float32Array | Int32Array;
      outputs[name] = new HostTensor(this.#context.ledger, spec.shape, data);
    }
    return outputs;
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#context.programs.delete(this);
    this.#context.ledger.give(this.#weightBytes);
    void this.#context.queue.add(() => this.#session.release());
  }

  #wrap(name: string, feed: Tensor | DeviceTensor): OnnxTensor {
    const { Tensor } = this.#context.runtime;
    const data = "dtype" in feed ? hostData(feed) : this.#own(name, feed).data;
    return data instanceof Float32Array
      ? new Tensor("float32", data, feed.shape)
      : new Tensor("int32", data, feed.shape);
  }

  #own(name: string, feed: DeviceTensor): HostTensor {
    if (feed instanceof HostTensor) return feed;
    throw new ShapeError(
      `Cannot run program: input "${name}" belongs to another device, read it and feed the copy`,
    );
  }
}

/** Elements as the device computes with them; the array itself if it has that type already. */
export function hostData(t: Tensor): Float32Array | Int32Array {
  return t.dtype === "i32" ? t.data as Int32Array : toFloat32(t);
}

function specsOf(values: ReadonlyMap<string, Value>): Map<string, ValueSpec> {
  return new Map(Array.from(values, ([name, { shape, type }]) => [name, { shape, type }]));
}
