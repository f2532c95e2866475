/**
 * The state of a chain of generated blocks, and its form as bytes, which any device takes over. A state is immutable;
 * keeping its tensors keeps the state.
 *
 * @module
 */
import { type Device, type DeviceTensor, f32, type Shape, sizeOf, toFloat32 } from "../../../compute/tensor/mod.ts";
import { type BlockCache, cacheTensors, type DecoderHistory, releaseAll, retainAll } from "../../world/device_state.ts";
import { bytesOf, decodeState, encodeState, floatsOf, invalidState, stateHead } from "../../world/portable_state.ts";
import type { Geometry } from "../../world/world_model.ts";
import type { LabStatistics } from "../lab_transfer.ts";
import type { LatentMemory } from "../latent_memory.ts";

/** A chain between two blocks. */
export interface ChainState {
  readonly geometry: Geometry;
  /** The first latent frame [z,h,w], until the first block is generated from it. */
  readonly firstFrame?: Float32Array;
  /** Committed blocks in the window of the next one, oldest first. */
  readonly context: readonly BlockCache[];
  /** Absent before the first block. */
  readonly decoder?: DecoderHistory;
  /** Color statistics of the last frame shown, if color matching is enabled. */
  readonly colours?: LabStatistics;
  /** The latents of scene memory. */
  readonly memory: LatentMemory;
}

/** Becomes one more owner of the state; returns it. */
export function retainState(state: ChainState): ChainState {
  retainAll(tensorsOf(state));
  return state;
}

/** Releases one ownership of the state. */
export function releaseState(state: ChainState): void {
  releaseAll(tensorsOf(state));
}

/** All tensors of a state; one that it has in two places comes twice. */
export function* tensorsOf(state: ChainState): Generator<DeviceTensor> {
  yield* cacheTensors(state.context);
  if (state.decoder) yield* state.decoder.values();
}

/** Latents that a state may hold. */
const MAX_LATENTS = 4096;

/** The shapes of a state's tensors, as the model of this size has them. */
export interface ChainShapes {
  /** Of one latent frame, [z,h,w]. */
  readonly latent: Shape;
  /** Most blocks of context. */
  readonly blocks: number;
  /** Of keys and values, by layer. */
  readonly layers: readonly { readonly k: Shape; readonly v: Shape }[];
  /** By the name of the decoder's input. */
  readonly history: ReadonlyMap<string, Shape>;
}

/**
 * Copies a state, which may be on a device; whoever calls keeps it alive meanwhile.
 *
 * @param place The place whose world it is of, where there are several.
 */
export async function exportChain(state: ChainState, place?: string): Promise<Uint8Array<ArrayBuffer>> {
  const tensors = [
    ...state.context.flatMap((block) => block.flatMap(({ k, v }) => [k, v])),
    ...state.decoder?.values() ?? [],
  ];
  const read: Uint8Array[] = [];
  for (const tensor of tensors) read.push(bytesOf(toFloat32(await tensor.read())));
  const { geometry, firstFrame, colours } = state;
  return encodeState({
    head: {
      kind: "arworld",
      ...place !== undefined && { place },
      geometry,
      blocks: state.context.length,
      history: [...state.decoder?.keys() ?? []],
      memory: [...state.memory.keys()],
      firstFrame: firstFrame !== undefined,
      ...(colours && { colours: [...colours] }),
    },
    parts: [...read, ...[...state.memory.values()].map(bytesOf), ...(firstFrame ? [bytesOf(firstFrame)] : [])],
  });
}

/** Which of several worlds exported bytes are of; undefined where there is one. */
export function exportedPlace(bytes: Uint8Array): string | undefined {
  const { place } = stateHead(bytes);
  if (place === undefined || typeof place === "string") return place;
  throw invalidState("it is of another model");
}

/** The size of the frames of exported bytes. */
export function exportedGeometry(bytes: Uint8Array): Geometry {
  const { geometry } = stateHead(bytes) as { geometry?: Partial<Geometry> };
  const { width = 0, height = 0 } = geometry ?? {};
  if (![width, height].every((side) => Number.isInteger(side) && side > 0 && side % 32 === 0 && side <= 4096)) {
    throw invalidState("invalid size");
  }
  return { width, height };
}

/**
 * The state that {@linkcode exportChain} has copied, on a device; owned by the caller.
 *
 * @throws {SvcError} `state_invalid` when it is not of a model with these shapes.
 */
export function importChain(device: Device, shapes: ChainShapes, bytes: Uint8Array): ChainState {
  const { head, parts } = decodeState(bytes);
  const { kind, blocks, history, memory, firstFrame, colours } = head;
  const isList = Array.isArray(history) && Array.isArray(memory) && memory.length <= MAX_LATENTS;
  const isCount = Number.isInteger(blocks) && Number(blocks) >= 0 && Number(blocks) <= shapes.blocks;
  if (kind !== "arworld" || !isList || !isCount) throw invalidState("it is of another model");
  if (history.length > 0 && history.some((name) => !shapes.history.has(name)) || !isWhole(history, shapes)) {
    throw invalidState("its decoder is of another model");
  }
  const count = 2 * Number(blocks) * shapes.layers.length + history.length + memory.length + (firstFrame ? 1 : 0);
  if (parts.length !== count) throw invalidState("it lacks parts");
  const made: DeviceTensor[] = [];
  let at = 0;
  const floats = (shape: Shape): Float32Array => {
    const data = floatsOf(parts[at++]);
    if (data.length !== sizeOf(shape)) throw invalidState("it is of another size");
    return data;
  };
  const tensor = (shape: Shape): DeviceTensor => {
    const uploaded = device.upload(f32(shape, floats(shape)));
    made.push(uploaded);
    return uploaded;
  };
  try {
    const context = Array.from(
      { length: Number(blocks) },
      (): BlockCache => shapes.layers.map(({ k, v }) => ({ k: tensor(k), v: tensor(v) })),
    );
    const decoder = new Map(history.map((name: string) => [name, tensor(shapes.history.get(name)!)]));
    const latents = new Map(memory.map((index) => [indexOf(index), floats(shapes.latent)]));
    return {
      geometry: exportedGeometry(bytes),
      context,
      memory: latents,
      ...(history.length > 0 && { decoder }),
      ...(firstFrame === true && { firstFrame: floats(shapes.latent) }),
      ...(colours !== undefined && { colours: statistics(colours) }),
    };
  } catch (error) {
    releaseAll(made);
    throw error;
  }
}

/** A decoder remembers nothing before the first block, and everything after it. */
function isWhole(history: readonly unknown[], shapes: ChainShapes): boolean {
  return history.length === 0 || new Set(history).size === shapes.history.size;
}

function indexOf(value: unknown): number {
  if (Number.isSafeInteger(value) && Number(value) >= 0) return Number(value);
  throw invalidState("its memory has no numbers");
}

function statistics(value: unknown): Float64Array {
  if (Array.isArray(value) && value.length === 6 && value.every(Number.isFinite)) return Float64Array.from(value);
  throw invalidState("invalid colour data");
}
