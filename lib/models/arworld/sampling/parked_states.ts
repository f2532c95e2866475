/**
 * Kept states that have left the device: their numbers wait in ordinary memory, the oldest of them in files.
 *
 * @module
 */
import {
  type Device,
  type DeviceTensor,
  f32,
  type Shape,
  sizeOf,
  type Tensor,
  toFloat32,
  toHalf,
  viewElements,
} from "../../../compute/tensor/mod.ts";
import { type ChainState, releaseState, tensorsOf } from "./chain_state.ts";

/** Where numbers go that ordinary memory has no room for. */
export interface StateFiles {
  /** Writes a new file. */
  write(bytes: Uint8Array): Promise<StateFile>;
}

/** A file of a {@linkcode StateFiles}. */
export interface StateFile {
  read(): Promise<Uint8Array>;
  remove(): Promise<void>;
}

/** How much of the kept states stays where, in bytes. */
export interface ParkingLimits {
  /** On the device, beside what the current state holds. */
  readonly deviceBytes: number;
  /** In ordinary memory, of what has left the device. */
  readonly hostBytes: number;
  /** On the CPU, beside what the current state holds; the rest goes to files at once. */
  readonly cpuBytes: number;
  readonly files?: StateFiles | undefined;
}

/** A kept state, on the device or not. */
export type KeptState = ChainState | ParkedState;

/** A state whose tensors are elsewhere; its own are released and stand for them. */
export interface ParkedState {
  readonly parked: ReadonlyMap<DeviceTensor, ParkedTensor>;
  readonly state: ChainState;
}

/** The numbers of one tensor, shared by the states that had it. They are those of the device, bit for bit. */
export class ParkedTensor {
  readonly byteLength: number;
  owners = 0;
  readonly #dtype: "f16" | "f32";
  readonly #shape: Shape;
  #data: Uint16Array | Float32Array | undefined;
  #file: StateFile | undefined;

  constructor({ dtype, shape, data }: Tensor<"f16"> | Tensor<"f32">) {
    this.#dtype = dtype;
    this.#shape = shape;
    this.#data = data;
    this.byteLength = data.byteLength;
  }

  /** Whether it is in ordinary memory. */
  get inMemory(): boolean {
    return this.#data !== undefined;
  }

  /** The numbers. */
  async read(): Promise<Tensor> {
    const data = this.#data ?? await this.#stored();
    return { dtype: this.#dtype, shape: this.#shape, data };
  }

  /** Moves the numbers to a file. */
  async leaveMemory(files: StateFiles): Promise<void> {
    if (!this.#data) return;
    const { buffer, byteOffset, byteLength } = this.#data;
    const file = await files.write(new Uint8Array(buffer, byteOffset, byteLength));
    if (this.owners <= 0) return await file.remove();
    this.#file = file;
    this.#data = undefined;
  }

  /** Gives up one ownership; the last one frees the memory or the file. */
  release(): void {
    if (--this.owners > 0) return;
    this.#data = undefined;
    void this.#file?.remove().catch(() => {});
    this.#file = undefined;
  }

  async #stored(): Promise<Uint16Array | Float32Array> {
    if (!this.#file) throw new Error("Cannot read a parked tensor: it was released");
    const bytes = await this.#file.read();
    if (bytes.length !== this.byteLength) {
      throw new Error(`Cannot restore a state: its file has ${bytes.length} bytes, expected ${this.byteLength}`);
    }
    return viewElements(this.#dtype, bytes.buffer, bytes.byteOffset, sizeOf(this.#shape)) as Uint16Array | Float32Array;
  }
}

/** Parks the kept states of one chain. */
export class ParkedStates {
  readonly #limits: ParkingLimits;
  /** Tensors that were parked, and those that came back from there: none is copied twice. */
  readonly #known = new WeakMap<DeviceTensor, ParkedTensor>();
  readonly #order = new Set<ParkedTensor>();

  constructor(limits: ParkingLimits) {
    this.#limits = limits;
  }

  /**
   * Parks the oldest states until the device holds no more than it may. The map's values are replaced. What a disk does
   * not take stays in memory.
   *
   * @param kept Oldest first.
   * @param current What is on the device anyway.
   */
  async park(kept: Map<number, KeptState>, current: ChainState | undefined, device: Device): Promise<void> {
    const { deviceBytes, cpuBytes, files } = this.#limits;
    const onCpu = device.kind === "cpu"; // whose memory is ordinary memory
    if (onCpu && !files) return;
    for (const [id, state] of kept) {
      if (isParked(state)) continue;
      if (bytesBeside(kept, current) <= (onCpu ? cpuBytes : deviceBytes)) break;
      const parked = await this.#parkState(state, device, onCpu ? files : undefined);
      if (!parked) break;
      // It may have been given up meanwhile.
      if (kept.get(id) === state) {
        kept.set(id, parked);
        releaseState(state);
      } else releaseKept(parked);
    }
    await this.#leaveMemory();
  }

  /** The state on the device again, with an owner of its own. */
  async unpark({ parked, state }: ParkedState, device: Device): Promise<ChainState> {
    const back = new Map<DeviceTensor, DeviceTensor>();
    try {
      for (const [tensor, numbers] of parked) {
        const uploaded = device.upload(await numbers.read());
        this.#known.set(uploaded, numbers);
        back.set(tensor, uploaded);
      }
    } catch (error) {
      for (const tensor of back.values()) tensor.release();
      throw error;
    }
    const of = (tensor: DeviceTensor) => back.get(tensor)!;
    const { context, decoder, ...others } = state;
    // A tensor that is in two places of a state has as many owners.
    const places = [...tensorsOf(state)];
    for (const tensor of places) of(tensor).retain();
    for (const tensor of back.values()) tensor.release();
    return {
      ...others,
      context: context.map((layers) => layers.map(({ k, v }) => ({ k: of(k), v: of(v) }))),
      ...decoder && { decoder: new Map(Array.from(decoder, ([name, tensor]) => [name, of(tensor)])) },
    };
  }

  /** Undefined where `files`, to which all of it should go at once, cannot store it. */
  async #parkState(state: ChainState, device: Device, files?: StateFiles): Promise<ParkedState | undefined> {
    const parked = new Map<DeviceTensor, ParkedTensor>();
    try {
      for (const tensor of new Set(tensorsOf(state))) {
        let numbers = this.#known.get(tensor);
        if (!numbers || numbers.owners === 0) {
          const read = f32(tensor.shape, toFloat32(await tensor.read()));
          numbers = new ParkedTensor(device.precision === "f16" ? toHalf(read) : read);
          this.#known.set(tensor, numbers);
          this.#order.add(numbers);
        }
        numbers.owners++;
        parked.set(tensor, numbers);
        if (files && !await tryToLeave(numbers, files)) {
          for (const each of parked.values()) each.release();
          return undefined;
        }
      }
    } catch (error) {
      for (const numbers of parked.values()) numbers.release();
      throw error;
    }
    return { parked, state };
  }

  async #leaveMemory(): Promise<void> {
    const { hostBytes, files } = this.#limits;
    for (const numbers of this.#order) if (numbers.owners === 0) this.#order.delete(numbers);
    let held = [...this.#order].reduce((sum, numbers) => numbers.inMemory ? sum + numbers.byteLength : sum, 0);
    for (const numbers of this.#order) {
      if (!files || held <= hostBytes) return;
      if (!numbers.inMemory) continue;
      if (!await tryToLeave(numbers, files)) return;
      held -= numbers.byteLength;
    }
  }
}

/** Whether numbers are in a file now: a disk may be full. */
async function tryToLeave(numbers: ParkedTensor, files: StateFiles): Promise<boolean> {
  return await numbers.leaveMemory(files).then(() => true, () => false);
}

/** Whether a kept state is not on the device. */
export function isParked(state: KeptState): state is ParkedState {
  return "parked" in state;
}

/** Gives up a kept state. */
export function releaseKept(state: KeptState): void {
  if (!isParked(state)) return releaseState(state);
  for (const numbers of state.parked.values()) numbers.release();
}

/** Bytes on the device of states that the current one does not hold. */
function bytesBeside(kept: ReadonlyMap<number, KeptState>, current: ChainState | undefined): number {
  const tensors = new Set<DeviceTensor>();
  for (const state of kept.values()) {
    if (!isParked(state)) {
      for (const tensor of tensorsOf(state)) tensors.add(tensor);
    }
  }
  if (current) { for (const tensor of tensorsOf(current)) tensors.delete(tensor); }
  return [...tensors].reduce((sum, { byteLength }) => sum + byteLength, 0);
}
