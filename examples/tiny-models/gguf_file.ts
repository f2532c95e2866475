/**
 * Writes GGUF files, version 3 (the GGUF specification of the ggml project).
 *
 * @module
 */
import { floatToHalf } from "../../lib/tensor/mod.ts";
import { BLOCK, type Blocks, quantize4, quantize8 } from "./quantize.ts";

/** A value of the metadata. JavaScript cannot tell 1 from 1.0, so numbers say what they are. */
export type GgufValue =
  | string
  | boolean
  | { readonly uint32: number }
  | { readonly float32: number }
  | readonly string[]
  | { readonly int32s: readonly number[] };

/** How the numbers of a tensor are kept. */
export type GgufFormat = "f32" | "q8_0" | "q4_0";

/** A tensor, computed when it is its turn. */
export interface GgufTensor {
  readonly name: string;
  /** Sizes with the fastest one last, as elsewhere; GGUF writes them the other way round. */
  readonly shape: readonly number[];
  readonly format: GgufFormat;
  readonly data: () => Float32Array;
}

const types = { uint32: 4, int32: 5, float32: 6, bool: 7, string: 8, array: 9 } as const;
const formats = {
  f32: { id: 0, block: 1, bytes: 4 },
  q4_0: { id: 2, block: BLOCK, bytes: 2 + BLOCK / 2 },
  q8_0: { id: 8, block: BLOCK, bytes: 2 + BLOCK },
} as const;

/** Tensors begin at multiples of this, which is what readers expect when the metadata says nothing. */
const alignment = 32;

const encoder = new TextEncoder();

/** Bytes of a GGUF file. */
export function ggufFile(
  metadata: Readonly<Record<string, GgufValue>>,
  tensors: readonly GgufTensor[],
): Uint8Array<ArrayBuffer> {
  const header = new ByteList();
  header.text("GGUF").uint32(3).uint64(tensors.length).uint64(Object.keys(metadata).length);
  for (const [key, value] of Object.entries(metadata)) writeValue(header.string(key), value);
  let offset = 0;
  const offsets = tensors.map(({ name, shape, format }) => {
    header.string(name).uint32(shape.length);
    for (const size of shape.toReversed()) header.uint64(size);
    header.uint32(formats[format].id).uint64(offset);
    const start = offset;
    offset = aligned(start + byteLength(shape, format));
    return start;
  });
  const head = header.finish();
  const data = aligned(head.length);
  const file = new Uint8Array(data + offset);
  file.set(head);
  tensors.forEach((tensor, i) => file.set(tensorBytes(tensor), data + offsets[i]));
  return file;
}

function writeValue(list: ByteList, value: GgufValue): void {
  if (typeof value === "string") return void list.uint32(types.string).string(value);
  if (typeof value === "boolean") return void list.uint32(types.bool).bytes(Uint8Array.of(value ? 1 : 0));
  if ("uint32" in value) return void list.uint32(types.uint32).uint32(value.uint32);
  if ("float32" in value) {
    return void list.uint32(types.float32).bytes(new Uint8Array(Float32Array.of(value.float32).buffer));
  }
  if ("int32s" in value) {
    list.uint32(types.array).uint32(types.int32).uint64(value.int32s.length);
    return void list.bytes(new Uint8Array(Int32Array.from(value.int32s).buffer));
  }
  list.uint32(types.array).uint32(types.string).uint64(value.length);
  for (const text of value) list.string(text);
}

function tensorBytes({ shape, format, data }: GgufTensor): Uint8Array {
  const values = data();
  if (format === "f32") return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  const bytes = new Uint8Array(byteLength(shape, format));
  const size = formats[format].bytes;
  const blocks = format === "q4_0" ? quantize4(values) : quantize8(values);
  for (let i = 0; i < blocks.scales.length; i++) {
    const block = bytes.subarray(i * size, (i + 1) * size);
    const scale = floatToHalf(blocks.scales[i]);
    block[0] = scale & 0xff;
    block[1] = scale >> 8;
    if (format === "q4_0") packHalves(blocks, i, block);
    else block.set(new Uint8Array(blocks.values.buffer, i * BLOCK, BLOCK), 2);
  }
  return bytes;
}

/** The first half of a block is in the lower four bits, the second in the upper ones. */
function packHalves({ values }: Blocks, index: number, block: Uint8Array): void {
  const start = index * BLOCK;
  for (let i = 0; i < BLOCK / 2; i++) {
    block[2 + i] = (values[start + i] + 8) | ((values[start + BLOCK / 2 + i] + 8) << 4);
  }
}

function byteLength(shape: readonly number[], format: GgufFormat): number {
  const { block, bytes } = formats[format];
  return shape.reduce((product, size) => product * size, 1) / block * bytes;
}

function aligned(offset: number): number {
  return Math.ceil(offset / alignment) * alignment;
}

/** Bytes one behind the other, numbers with the smallest byte first. */
class ByteList {
  readonly #parts: Uint8Array[] = [];

  bytes(bytes: Uint8Array): this {
    this.#parts.push(bytes);
    return this;
  }

  text(text: string): this {
    return this.bytes(encoder.encode(text));
  }

  uint32(value: number): this {
    return this.bytes(new Uint8Array(Uint32Array.of(value).buffer));
  }

  uint64(value: number): this {
    return this.bytes(new Uint8Array(BigUint64Array.of(BigInt(value)).buffer));
  }

  /** A text with its length in bytes before it. */
  string(text: string): this {
    const bytes = encoder.encode(text);
    return this.uint64(bytes.length).bytes(bytes);
  }

  finish(): Uint8Array {
    const all = new Uint8Array(this.#parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of this.#parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }
}
