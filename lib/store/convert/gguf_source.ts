/**
 * The tensors of a GGUF file as 32-bit floats.
 *
 * @module
 */
import { bfloatToFloat, type ByteSource, halfToFloat } from "../../compute/tensor/mod.ts";
import { readGgufTensors } from "../../engines/gguf_text/gguf_metadata.ts";
import { SvcError } from "../../errors/svc_error.ts";
import type { CheckpointTensor, TensorSource } from "../../models/checkpoint/torch/state_dict.ts";

/** Numbers that are read at a time. */
const PART = 2 ** 22;

/**
 * Opens the file; its numbers are widened as they are read.
 *
 * @throws {SvcError} `checkpoint_refused`.
 */
export async function openGguf(name: string, source: ByteSource): Promise<TensorSource> {
  const refuse = (problem: string) => new SvcError("checkpoint_refused", `Cannot read ${name}: ${problem}`);
  const files = { readPart: async (_: string, at: number, length: number) => await source.read(at, length) };
  const found = await readGgufTensors(files, name).catch((error: Error) => {
    throw new SvcError("checkpoint_refused", error.message, { cause: error });
  });
  let end = 0;
  const tensors = [...found].sort((a, b) => a.offset - b.offset).map(
    ({ name: tensor, shape, type, offset }): CheckpointTensor => {
      const block = blockTypes[type];
      const shown = JSON.stringify(tensor.slice(0, 80));
      if (!block) {
        const known = Object.values(blockTypes).map((each) => each.name).join(", ");
        throw refuse(`its tensor ${shown} has the type number ${type}, expected one of ${known}`);
      }
      const count = shape.reduce((n, length) => n * length, 1);
      const width = shape.at(-1) ?? 1;
      if (!(count > 0 && Number.isSafeInteger(count)) || width % block.numbers !== 0) {
        throw refuse(`its tensor ${shown} has the shape [${shape}] in ${block.name}, expected rows of whole blocks`);
      }
      const bytes = count / block.numbers * block.bytes;
      if (offset + bytes > source.size) throw refuse(`it ends before its tensor ${shown}, expected a whole file`);
      if (offset < end) throw refuse(`its tensor ${shown} shares bytes with another one, expected its own`);
      end = offset + bytes;
      return {
        ...{ name: tensor, dtype: "F32", shape, byteLength: 4 * count },
        read: () => readBlocks(source, offset, count, block),
      };
    },
  );
  return { tensors };
}

async function* readBlocks(
  source: ByteSource,
  offset: number,
  count: number,
  { numbers, bytes, read }: BlockType,
): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < count; at += PART) {
    const length = Math.min(PART, count - at);
    const part = await source.read(offset + at / numbers * bytes, length / numbers * bytes);
    const view = new DataView(part.buffer, part.byteOffset, part.byteLength);
    const out = new Float32Array(length);
    for (let i = 0; i < length / numbers; i++) read(view, i * bytes, out, i * numbers);
    yield new Uint8Array(out.buffer);
  }
}

/** How the numbers of one type are stored. */
interface BlockType {
  readonly name: string;
  readonly numbers: number;
  readonly bytes: number;
  /** Reads the block at a byte into `out` from an index on. */
  readonly read: (b: DataView, at: number, out: Float32Array, to: number) => void;
}

const half = (b: DataView, at: number) => halfToFloat(b.getUint16(at, true));

/** 32 numbers of 4 or 5 bits: the low halves of 16 bytes, then the high ones; the fifth bits in a word. */
function read32(scaleBytes: 2 | 4, fifth: boolean): BlockType["read"] {
  return (b, at, out, to) => {
    const scale = half(b, at);
    const middle = fifth ? 16 : 8;
    const start = scaleBytes === 4 ? half(b, at + 2) : -middle * scale;
    const high = fifth ? b.getUint32(at + scaleBytes, true) : 0;
    const first = at + scaleBytes + (fifth ? 4 : 0);
    for (let i = 0; i < 16; i++) {
      const byte = b.getUint8(first + i);
      out[to + i] = ((byte & 15) | (((high >>> i) & 1) << 4)) * scale + start;
      out[to + i + 16] = ((byte >> 4) | (((high >>> (i + 16)) & 1) << 4)) * scale + start;
    }
  };
}

/** Scale and minimum number `j` of eight, six bits each in twelve bytes. */
function scaleMinimum(b: DataView, at: number, j: number): [number, number] {
  const byte = (i: number) => b.getUint8(at + i);
  if (j < 4) return [byte(j) & 63, byte(j + 4) & 63];
  return [(byte(j + 4) & 15) | ((byte(j - 4) >> 6) << 4), (byte(j + 4) >> 4) | ((byte(j) >> 6) << 4)];
}

/** 256 numbers of 4 or 5 bits in eight groups with a scale and a minimum each. */
function readK(fifth: boolean): BlockType["read"] {
  return (b, at, out, to) => {
    const [scale, minimum] = [half(b, at), half(b, at + 2)];
    const high = at + 16;
    const low = high + (fifth ? 32 : 0);
    for (let j = 0; j < 8; j++) {
      const [s, m] = scaleMinimum(b, at + 4, j);
      for (let i = 0; i < 32; i++) {
        const byte = b.getUint8(low + 32 * (j >> 1) + i);
        const four = j % 2 === 0 ? byte & 15 : byte >> 4;
        const bit = fifth ? ((b.getUint8(high + i) >> j) & 1) << 4 : 0;
        out[to + 32 * j + i] = scale * s * (four | bit) - minimum * m;
      }
    }
  };
}

/** 256 numbers of 6 bits in sixteen groups with a signed scale each. */
const readSix: BlockType["read"] = (b, at, out, to) => {
  const scale = half(b, at + 208);
  for (let i = 0; i < 256; i++) {
    const [part, within] = [i >> 7, i & 127];
    const low = b.getUint8(at + 64 * part + (within & 63));
    const high = b.getUint8(at + 128 + 32 * part + (within & 31));
    const value = (within < 64 ? low & 15 : low >> 4) | (((high >> (2 * (within >> 5))) & 3) << 4);
    out[to + i] = scale * b.getInt8(at + 192 + (i >> 4)) * (value - 32);
  }
};

/** 256 numbers of 3 bits in sixteen groups with a scale of six bits each. */
const readThree: BlockType["read"] = (b, at, out, to) => {
  const scale = half(b, at + 108);
  for (let i = 0; i < 256; i++) {
    const [part, within] = [i >> 7, i & 127];
    const shift = 2 * (within >> 5);
    const low = (b.getUint8(at + 32 + 32 * part + (within & 31)) >> shift) & 3;
    const high = (b.getUint8(at + (within & 31)) >> (4 * part + (within >> 5))) & 1;
    const group = i >> 4;
    const four = group < 8 ? b.getUint8(at + 96 + group) & 15 : b.getUint8(at + 96 + group - 8) >> 4;
    const two = (b.getUint8(at + 104 + (group & 3)) >> (2 * (group >> 2))) & 3;
    out[to + i] = scale * ((four | (two << 4)) - 32) * (low - (high ? 0 : 4));
  }
};

/** 256 numbers of 2 bits in sixteen groups with a scale and a minimum of four bits each. */
const readTwo: BlockType["read"] = (b, at, out, to) => {
  const [scale, minimum] = [half(b, at + 80), half(b, at + 82)];
  for (let i = 0; i < 256; i++) {
    const [part, within] = [i >> 7, i & 127];
    const both = b.getUint8(at + (i >> 4));
    const value = (b.getUint8(at + 16 + 32 * part + (within & 31)) >> (2 * (within >> 5))) & 3;
    out[to + i] = scale * (both & 15) * value - minimum * (both >> 4);
  }
};

/** Numbers that four bits stand for: steps that are finer near 0, and the 4-bit floats of the Open Compute Project. */
const NON_LINEAR = [-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113];
const FLOAT4 = [0, 0.5, 1, 1.5, 2, 3, 4, 6, -0, -0.5, -1, -1.5, -2, -3, -4, -6];

/** 32 numbers out of a table: the low halves of 16 bytes, then the high ones. */
function lookUp(table: readonly number[], scale: number, b: DataView, at: number, out: Float32Array, to: number): void {
  for (let i = 0; i < 16; i++) {
    const byte = b.getUint8(at + i);
    out[to + i] = scale * table[byte & 15];
    out[to + i + 16] = scale * table[byte >> 4];
  }
}

/** 256 numbers of 4 bits in eight groups with a scale of six bits each. */
const readNonLinear: BlockType["read"] = (b, at, out, to) => {
  const [scale, high] = [half(b, at), b.getUint16(at + 2, true)];
  for (let j = 0; j < 8; j++) {
    const low = (b.getUint8(at + 4 + (j >> 1)) >> (4 * (j & 1))) & 15;
    const group = (low | (((high >> (2 * j)) & 3) << 4)) - 32;
    lookUp(NON_LINEAR, scale * group, b, at + 8 + 16 * j, out, to + 32 * j);
  }
};

/** By the number that the file gives to the type. */
export const blockTypes: Readonly<Record<number, BlockType>> = {
  0: { name: "F32", numbers: 1, bytes: 4, read: (b, at, out, to) => out[to] = b.getFloat32(at, true) },
  1: { name: "F16", numbers: 1, bytes: 2, read: (b, at, out, to) => out[to] = half(b, at) },
  2: { name: "Q4_0", numbers: 32, bytes: 18, read: read32(2, false) },
  3: { name: "Q4_1", numbers: 32, bytes: 20, read: read32(4, false) },
  6: { name: "Q5_0", numbers: 32, bytes: 22, read: read32(2, true) },
  7: { name: "Q5_1", numbers: 32, bytes: 24, read: read32(4, true) },
  8: {
    ...{ name: "Q8_0", numbers: 32, bytes: 34 },
    read: (b, at, out, to) => {
      const scale = half(b, at);
      for (let i = 0; i < 32; i++) out[to + i] = scale * b.getInt8(at + 2 + i);
    },
  },
  10: { name: "Q2_K", numbers: 256, bytes: 84, read: readTwo },
  11: { name: "Q3_K", numbers: 256, bytes: 110, read: readThree },
  12: { name: "Q4_K", numbers: 256, bytes: 144, read: readK(false) },
  13: { name: "Q5_K", numbers: 256, bytes: 176, read: readK(true) },
  14: { name: "Q6_K", numbers: 256, bytes: 210, read: readSix },
  20: {
    ...{ name: "IQ4_NL", numbers: 32, bytes: 18 },
    read: (b, at, out, to) => lookUp(NON_LINEAR, half(b, at), b, at + 2, out, to),
  },
  23: { name: "IQ4_XS", numbers: 256, bytes: 136, read: readNonLinear },
  30: {
    ...{ name: "BF16", numbers: 1, bytes: 2 },
    read: (b, at, out, to) => out[to] = bfloatToFloat(b.getUint16(at, true)),
  },
  39: {
    ...{ name: "MXFP4", numbers: 32, bytes: 17 },
    read: (b, at, out, to) => lookUp(FLOAT4, 2 ** (b.getUint8(at) - 127), b, at + 1, out, to),
  },
};
