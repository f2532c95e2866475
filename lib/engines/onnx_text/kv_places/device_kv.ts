/**
 * Keys and values that stay on a device, and what a buffer in host memory has of them.
 *
 * @module
 */
import type { InferenceSession, Tensor } from "onnxruntime-node";
import type { OnnxRuntimeModule } from "../../../compute/onnx/load_onnxruntime.ts";
import type { EngineCounters } from "../../contract/language_model.ts";
import type { DecoderGraph } from "../decoder/decoder_graph.ts";
import type { KvArray, KvBuffer, KvMirror, KvShape } from "./kv_buffer.ts";
import { hostStates, hostTokens, type KvPlace, type KvStep } from "./kv_place.ts";
import { type SlicedTensor, TensorSlicer } from "./tensor_slicer.ts";

/** The device whose tensors ONNX Runtime hands out without copying them. */
export const KEEPING_DEVICE = "webgpu";

/** The names of the outputs that a session has to leave on the device. */
export function keptOutputs({ kv, states }: DecoderGraph): string[] {
  return [...kv, ...states].map(({ present }) => present);
}

/** Graphs that copy keys and values along their tokens, and states by their sequences. */
interface Slicers {
  readonly toDevice: TensorSlicer;
  readonly toHost: TensorSlicer;
  readonly statesToHost: TensorSlicer;
}

/**
 * The outputs of a step are the inputs of the next. A buffer gets them only where sequences part or meet: for the
 * prefix cache, and when the rows of a batch change or its capacity grows.
 */
export class DeviceKv implements KvPlace {
  readonly batches: boolean;
  readonly outputs: readonly string[];
  readonly #runtime: OnnxRuntimeModule;
  readonly #graph: DecoderGraph;
  readonly #slicers: Slicers;
  readonly #device: MirrorDevice;
  readonly #mirrors = new Set<DeviceMirror>();
  #steps = 0;
  #uploads = 0;
  #downloads = 0;

  private constructor(runtime: OnnxRuntimeModule, graph: DecoderGraph, slicers: Slicers) {
    this.#runtime = runtime;
    this.#graph = graph;
    this.#slicers = slicers;
    // Other graphs put new keys after the longest sequence of a batch: only copies could close the gaps.
    this.batches = graph.states.length === 0 && graph.grouped;
    this.outputs = keptOutputs(graph);
    this.#device = {
      shape: graph,
      read: (tensors, from, to) => this.#read(tensors, from, to),
      freed: (mirror) => void this.#mirrors.delete(mirror),
    };
  }

  /**
   * Opens the graphs that it needs.
   *
   * @throws {Error} where the device cannot run them.
   */
  static async open(runtime: OnnxRuntimeModule, graph: DecoderGraph): Promise<DeviceKv> {
    const opened: TensorSlicer[] = [];
    const open = async (tensors: readonly SlicedTensor[], axis: number, stays: boolean) => {
      const slicer = await TensorSlicer.open(tensors, axis, { device: KEEPING_DEVICE, stays });
      opened.push(slicer);
      return slicer;
    };
    const tokens = graph.kv.map(() => ({ rank: 4, type: graph.kvType }));
    const sequences = graph.states.map(({ shape, type }) => ({ rank: shape.length + 1, type }));
    try {
      return new DeviceKv(runtime, graph, {
        toDevice: await open(tokens, 2, true),
        toHost: await open(tokens, 2, false),
        statesToHost: await open(sequences, 0, false),
      });
    } catch (cause) {
      for (const slicer of opened) await slicer.close();
      throw cause;
    }
  }

  past({ buffer, lengths }: KvStep): number {
    return this.batches ? buffer.capacity : lengths[0];
  }

  async feeds(step: KvStep): Promise<Record<string, Tensor>> {
    const { kv, states } = this.#graph;
    const { buffer, lengths } = step;
    const mirror = await this.#ready(step);
    const tokens = mirror?.tensors.kv ?? hostTokens(this.#runtime, this.#graph, step, this.past(step));
    const sequences = mirror?.tensors.states ?? hostStates(this.#runtime, this.#graph, buffer, lengths.length);
    return Object.fromEntries([
      ...kv.map(({ past }, i) => [past, tokens[i]]),
      ...states.map(({ past }, i) => [past, sequences[i]]),
    ]);
  }

  keep(step: KvStep, results: InferenceSession.OnnxValueMapType): void {
    const { kv, states } = this.#graph;
    const { buffer, lengths, count } = step;
    const common = (buffer.mirror as DeviceMirror | undefined)?.common(lengths) ?? Math.min(...lengths);
    const tensors = {
      kv: kv.map(({ present }) => results[present] as Tensor),
      states: states.map(({ present }) => results[present] as Tensor),
    };
    this.#hold(buffer, tensors, { lengths: lengths.map((length) => length + count), common });
    const elsewhere = [...tensors.kv, ...tensors.states].find(({ location }) => location !== "gpu-buffer");
    if (elsewhere !== undefined) {
      throw new Error(`Cannot keep keys and values: they came back in "${elsewhere.location}", expected "gpu-buffer"`);
    }
    this.#steps++;
  }

  counters(): EngineCounters["deviceKVCache"] {
    return {
      enabled: true,
      bytes: [...this.#mirrors].reduce((sum, { byteLength }) => sum + byteLength, 0),
      steps: this.#steps,
      uploads: this.#uploads,
      downloads: this.#downloads,
    };
  }

  async close(): Promise<void> {
    for (const mirror of this.#mirrors) mirror.dispose();
    for (const slicer of Object.values(this.#slicers)) await slicer.close();
  }

  /** Brings what a step needs to the device; undefined where it is fed from the buffer. */
  async #ready(step: KvStep): Promise<DeviceMirror | undefined> {
    const { buffer, lengths } = step;
    const past = this.past(step);
    const mirror = buffer.mirror as DeviceMirror | undefined;
    if (mirror !== undefined && mirror.lengths.length !== lengths.length) {
      await buffer.settle();
      buffer.dispose();
    } else if (mirror !== undefined && (this.batches || mirror.lengths[0] === past)) return mirror;
    if (buffer.mirror !== undefined) {
      const kv = await this.#slicers.toDevice.slice(mirror!.tensors.kv, 0, past);
      return this.#hold(buffer, { kv, states: [] }, { lengths, common: mirror!.common(lengths) });
    }
    if (past > 0) this.#uploads++;
    if (!this.batches) return undefined;
    // Spare capacity has to be there too: the graph writes into it.
    const kv = await this.#slicers.toDevice.slice(hostTokens(this.#runtime, this.#graph, step, past), 0, past);
    return this.#hold(buffer, { kv, states: [] }, { lengths, common: Math.max(...lengths) });
  }

  /** Replaces what a buffer has on the device. */
  #hold(buffer: KvBuffer, tensors: DeviceTensors, lengths: MirrorLengths): DeviceMirror {
    buffer.dispose();
    const mirror = new DeviceMirror(this.#device, tensors, lengths);
    this.#mirrors.add(mirror);
    buffer.mirror = mirror;
    return mirror;
  }

  async #read({ kv, states }: DeviceTensors, from: number, to: number): Promise<DeviceTensors> {
    this.#downloads++;
    const { toHost, statesToHost } = this.#slicers;
    return {
      kv: await toHost.slice(kv, from, to),
      states: await statesToHost.slice(states, 0, 1),
    };
  }
}

/** Keys, values and states of some sequences on a device, or their parts in host memory. */
interface DeviceTensors {
  /** `[rows, heads, tokens, dim]` each. */
  readonly kv: readonly Tensor[];
  /** `[rows, ...]` each; none where those of the buffer hold. */
  readonly states: readonly Tensor[];
}

/** What a {@linkcode DeviceMirror} needs of its device. */
interface MirrorDevice {
  readonly shape: KvShape;
  /** Copies keys and values of the tokens from `from` to before `to` of each row, and states, to host memory. */
  read(tensors: DeviceTensors, from: number, to: number): Promise<DeviceTensors>;
  /** Takes note that a mirror was disposed. */
  freed(mirror: DeviceMirror): void;
}

/** What is known of the sequences of a {@linkcode DeviceMirror}. */
interface MirrorLengths {
  /** Tokens of each row. */
  readonly lengths: readonly number[];
  /** How many tokens of each row the buffer has too; where these are all, it has the states as well. */
  readonly common: number;
}

/** The cache after one step; immutable, except for what the buffer has of it. */
export class DeviceMirror implements KvMirror {
  readonly tensors: DeviceTensors;
  readonly lengths: readonly number[];
  readonly #device: MirrorDevice;
  #common: number;

  constructor(device: MirrorDevice, tensors: DeviceTensors, { lengths, common }: MirrorLengths) {
    this.#device = device;
    this.tensors = tensors;
    this.lengths = lengths;
    this.#common = common;
  }

  get settled(): boolean {
    return this.#common >= Math.max(...this.lengths);
  }

  /** Bytes on the device. */
  get byteLength(): number {
    const { kv, states } = this.tensors;
    return [...kv, ...states].reduce((sum, { type, size }) => sum + size * (type === "float32" ? 4 : 2), 0);
  }

  /** How many tokens of each row the buffer still has when rows are cut to these lengths. */
  common(lengths: readonly number[]): number {
    return Math.min(this.#common, ...lengths);
  }

  async settle(buffer: KvBuffer): Promise<void> {
    const from = this.#common;
    const to = Math.max(...this.lengths);
    const { kv, states } = await this.#device.read(this.tensors, from, to);
    for (const [tensor, { heads, dim }] of this.#device.shape.kv.entries()) {
      const row = heads * (to - from) * dim;
      const data = kv[tensor].data as KvArray;
      for (const [slot, length] of this.lengths.entries()) {
        if (length > from) buffer.write(tensor, slot, from, length - from, data, slot * row, to - from);
      }
    }
    for (const [i, { data }] of states.entries()) buffer.setStates(i, data as KvArray);
    this.#common = to;
  }

  dispose(): void {
    for (const tensor of [...this.tensors.kv, ...this.tensors.states]) tensor.dispose();
    this.#device.freed(this);
  }
}
