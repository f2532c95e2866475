/**
 * The keys, values and states of a buffer on a device.
 *
 * @module
 */
import type { Tensor } from "onnxruntime-node";
import type { KvArray, KvBuffer, KvMirror, KvShape } from "../packing/kv_buffer.ts";

/** Keys, values and states of some sequences on a device, or their parts in host memory. */
export interface DeviceTensors {
  /** `[rows, heads, tokens, dim]` each. */
  readonly kv: readonly Tensor[];
  /** `[rows, ...]` each; none where those of the buffer hold. */
  readonly states: readonly Tensor[];
}

/** What a {@linkcode DeviceMirror} needs of its device. */
export interface MirrorDevice {
  readonly shape: KvShape;
  /** Copies keys and values of the tokens from `from` to before `to` of each row, and states, to host memory. */
  read(tensors: DeviceTensors, from: number, to: number): Promise<DeviceTensors>;
  /** Takes note that a mirror was disposed. */
  freed(mirror: DeviceMirror): void;
}

/** What is known of the sequences of a {@linkcode DeviceMirror}. */
export interface MirrorLengths {
  /** Tokens of each row. */
  readonly lengths: readonly number[];
  /** How many tokens of each row the buffer has too; where these are all, it has the states as well. */
  readonly common: number;
}

/** What one step has left behind; immutable, but for what the buffer has of it. */
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
