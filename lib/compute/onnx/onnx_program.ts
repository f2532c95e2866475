/**
 * A compiled graph on ONNX Runtime.
 *
 * @module
 */
import type { InferenceSession, Tensor as OnnxTensor } from "onnxruntime-node";
import { freeArray } from "../../platform/rpc/rpc_service.ts";
import {
  checkFeeds,
  type DeviceTensor,
  type Program,
  type RunOptions,
  type RunQueue,
  type ValueSpec,
} from "../tensor/device.ts";
import type { Graph, Value } from "../tensor/graph.ts";
import { toFloat32 } from "../tensor/half.ts";
import { ShapeError, sizeOf } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { HostTensor, type MemoryLedger } from "./host_tensor.ts";
import type { OnnxRuntimeModule } from "./load_onnxruntime.ts";
import { handedName, inputName, outputName } from "./lower_graph.ts";
import type { GraphPart } from "./split_graph.ts";

/** What programs share with their device. */
export interface ProgramContext {
  readonly runtime: OnnxRuntimeModule;
  readonly queue: RunQueue;
  readonly ledger: MemoryLedger;
  /** Programs to dispose with the device. */
  readonly programs: Set<Program>;
}

/** A part of a graph, compiled. */
export interface CompiledPart extends Pick<GraphPart, "takes" | "gives" | "outputs"> {
  readonly session: InferenceSession;
  /** Names of the graph's inputs that it reads. */
  readonly usedInputs: ReadonlySet<string>;
}

/** A run that others may interrupt keeps at most so many bytes between two parts meanwhile. */
const MAX_HELD = 2 ** 28;

/** A program backed by sessions of ONNX Runtime, most often one. */
export class OnnxProgram implements Program {
  readonly inputs: ReadonlyMap<string, ValueSpec>;
  readonly outputs: ReadonlyMap<string, ValueSpec>;
  readonly #context: ProgramContext;
  readonly #parts: readonly CompiledPart[];
  readonly #weightBytes: number;
  /** Runs that have not ended. */
  #runs = 0;
  #disposed = false;

  constructor(
    context: ProgramContext,
    graph: Graph,
    parts: readonly CompiledPart[],
    weightBytes: number,
  ) {
    this.inputs = specsOf(graph.inputs);
    this.outputs = specsOf(graph.outputs);
    this.#context = context;
    this.#parts = parts;
    this.#weightBytes = weightBytes;
    context.ledger.take(weightBytes);
    context.programs.add(this);
  }

  async run(
    feeds: Readonly<Record<string, Tensor | DeviceTensor>>,
    options: RunOptions = {},
  ): Promise<Record<string, DeviceTensor>> {
    if (this.#disposed) throw new Error("Cannot run program: it was disposed, compile the graph again");
    checkFeeds(this.inputs, feeds);
    const borrowed: HostTensor[] = [];
    this.#runs++;
    try {
      const inputs = new Map<string, OnnxTensor>();
      for (const name of new Set(this.#parts.flatMap(({ usedInputs }) => [...usedInputs]))) {
        inputs.set(inputName(name), this.#wrap(name, feeds[name], borrowed));
      }
      return await this.#runParts(inputs, options);
    } finally {
      for (const tensor of borrowed) tensor.giveBack();
      if (--this.#runs === 0 && this.#disposed) this.#release();
    }
  }

  async #runParts(
    held: Map<string, OnnxTensor>,
    { signal, between }: RunOptions,
  ): Promise<Record<string, DeviceTensor>> {
    const found = new Map<string, OnnxTensor>();
    for (const [i, { session, usedInputs, takes, gives, outputs: named }] of this.#parts.entries()) {
      if (i > 0 && heldBytes(held) <= MAX_HELD) await between?.();
      const names = [...[...usedInputs].map(inputName), ...takes.map(handedName)];
      const results = await this.#context.queue.add(async () => {
        signal?.throwIfAborted(); // a run that has begun cannot be stopped through the runtime's interface
        const feeds = Object.fromEntries(names.map((name) => [name, held.get(name)!]));
        const places = this.#places(this.#parts[i]);
        return placed(places, await session.run(feeds, places));
      });
      for (const value of gives) held.set(handedName(value), results[handedName(value)]);
      for (const value of takes) {
        if (this.#parts.slice(i + 1).some((later) => later.takes.includes(value))) continue;
        this.#context.ledger.spare.give(dataOf(held.get(handedName(value))!));
        held.delete(handedName(value));
      }
      for (const name of named.keys()) found.set(name, results[outputName(name)]);
    }
    const outputs: Record<string, DeviceTensor> = {};
    for (const [name, { shape }] of this.outputs) {
      outputs[name] = new HostTensor(this.#context.ledger, shape, dataOf(found.get(name)!));
    }
    return outputs;
  }

  /** Where the results of a part go, if its runtime writes to given arrays; that of browsers does not. */
  #places({ gives, outputs }: CompiledPart): Record<string, OnnxTensor | null> {
    const values = [
      ...gives.map((value) => [handedName(value), value] as const),
      ...Array.from(outputs, ([name, value]) => [outputName(name), value] as const),
    ];
    const { runtime: { env, Tensor }, ledger } = this.#context;
    if (env.versions.node === undefined) return Object.fromEntries(values.map(([name]) => [name, null]));
    return Object.fromEntries(values.map(([name, { shape, type }]) => {
      const data = ledger.spare.take(type, sizeOf(shape));
      return [
        name,
        data instanceof Float32Array ? new Tensor("float32", data, shape) : new Tensor("int32", data, shape),
      ];
    }));
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#context.programs.delete(this);
    if (this.#runs === 0) this.#release();
  }

  #release(): void {
    this.#context.ledger.give(this.#weightBytes);
    for (const { session } of this.#parts) void this.#context.queue.add(() => session.release());
  }

  #wrap(name: string, feed: Tensor | DeviceTensor, borrowed: HostTensor[]): OnnxTensor {
    const { Tensor } = this.#context.runtime;
    const data = "dtype" in feed ? hostData(feed) : this.#borrow(name, feed, borrowed);
    return data instanceof Float32Array
      ? new Tensor("float32", data, feed.shape)
      : new Tensor("int32", data, feed.shape);
  }

  #borrow(name: string, feed: DeviceTensor, borrowed: HostTensor[]): Float32Array | Int32Array {
    if (!(feed instanceof HostTensor)) {
      throw new ShapeError(
        `Cannot run program: input "${name}" belongs to another device, read it and feed the copy`,
      );
    }
    const data = feed.borrow();
    borrowed.push(feed);
    return data;
  }
}

/**
 * The results of a run: the given arrays where there are any. The runtime writes to them and gives copies of them out,
 * of which a garbage collector would let many wait.
 */
function placed(
  places: Record<string, OnnxTensor | null>,
  copies: Record<string, OnnxTensor>,
): Record<string, OnnxTensor> {
  return Object.fromEntries(
    Object.entries(copies).map(([name, copy]) => {
      const place = places[name];
      if (!place) return [name, copy];
      if (dataOf(copy).buffer !== dataOf(place).buffer) freeArray(dataOf(copy));
      return [name, place];
    }),
  );
}

/** What earlier parts have handed over, and the inputs. */
function heldBytes(held: ReadonlyMap<string, OnnxTensor>): number {
  return [...held.values()].reduce((sum, value) => sum + dataOf(value).byteLength, 0);
}

function dataOf(value: OnnxTensor): Float32Array | Int32Array {
  return value.data as Float32Array | Int32Array;
}

/** Elements as the device computes with them; the array itself if it has that type already. */
export function hostData(t: Tensor): Float32Array | Int32Array {
  return t.dtype === "i32" ? t.data as Int32Array : toFloat32(t);
}

function specsOf(values: ReadonlyMap<string, Value>): Map<string, ValueSpec> {
  return new Map(Array.from(values, ([name, { shape, type }]) => [name, { shape, type }]));
}
