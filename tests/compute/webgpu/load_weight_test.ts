import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Precision } from "../../../lib/compute/tensor/device.ts";
import {
  type DType,
  type DTypeArrays,
  f32,
  i32,
  type Tensor,
  tensor,
  viewElements,
} from "../../../lib/compute/tensor/tensor.ts";
import { toFloat32, toHalf } from "../../../lib/compute/tensor/half.ts";
import { type Shape, sizeOf } from "../../../lib/compute/tensor/shape.ts";
import { FileTensor } from "../../../lib/compute/tensor/stored_tensor.ts";
import { GpuContext } from "../../../lib/compute/webgpu/gpu_context.ts";
import { packConvWeight, packPhaseWeight } from "../../../lib/compute/webgpu/lowering/view.ts";
import { SharedConstants } from "../../../lib/compute/webgpu/shared_buffers.ts";
import type { ConstantSource } from "../../../lib/compute/webgpu/weight_upload.ts";
import { seededRandom } from "../../support/random.ts";
import { openRawDevice } from "../../support/webgpu_device.ts";

const gpu = await openRawDevice();
const skip = typeof gpu === "string" ? gpu : false;
after(() => {
  if (typeof gpu !== "string") gpu.destroy();
});

const contexts = new Map<string, GpuContext>();

/** The device under test with this precision, which binds at most so many bytes. */
function contextOf(precision: Precision, room?: number): GpuContext {
  assert.ok(typeof gpu !== "string");
  const key = `${precision} ${room}`;
  let context = contexts.get(key);
  if (!context) {
    const { limits } = gpu;
    context = new GpuContext(gpu, precision, {
      maxStorageBufferBindingSize: room ?? limits.maxStorageBufferBindingSize,
      maxStorageBuffersPerShaderStage: limits.maxStorageBuffersPerShaderStage,
      maxComputeWorkgroupsPerDimension: limits.maxComputeWorkgroupsPerDimension,
      minStorageBufferOffsetAlignment: limits.minStorageBufferOffsetAlignment,
      minUniformBufferOffsetAlignment: limits.minUniformBufferOffsetAlignment,
      unchecked: true, // every piece is proved
    });
    contexts.set(key, context);
  }
  return context;
}

/** 32-bit words of a constant on a device, which needs no 16-bit floats of its own to hold some. */
async function load(source: ConstantSource, precision: Precision, room?: number): Promise<Uint32Array> {
  assert.ok(typeof gpu !== "string");
  const context = contextOf(precision, room);
  // Buffers are used again: what was in one must not show through.
  const earlier = context.memory.allocate(sizeOf([4]));
  gpu.queue.writeBuffer(earlier.buffer, 0, new Uint32Array(4).fill(0xffffffff));
  earlier.release();
  const constants = new SharedConstants(context);
  const release = await constants.load([source]);
  const { buffer } = constants.acquire(source);
  const read = gpu.createBuffer({ size: buffer.size, usage: 0x0001 | 0x0008 });
  const encoder = gpu.createCommandEncoder();
  encoder.copyBufferToBuffer(buffer, 0, read, 0, buffer.size);
  gpu.queue.submit([encoder.finish()]);
  await read.mapAsync(1);
  const words = new Uint32Array(read.getMappedRange().slice(0));
  read.destroy();
  release();
  constants.release(source);
  context.memory.trim();
  assert.equal(context.memory.allocated, 0);
  return words;
}

/** Numbers as a device has them, in words. */
function wordsOf(t: Tensor, precision: Precision): Uint32Array {
  const { data } = precision === "f16" ? toHalf(t) : { data: toFloat32(t) };
  const bytes = new Uint8Array(Math.ceil(data.byteLength / 4) * 4);
  bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  return new Uint32Array(bytes.buffer);
}

/** Compares, except for the bits that only say why something is not a number. */
function assertWords(actual: Uint32Array, expected: Uint32Array, precision: Precision): void {
  const isNan = precision === "f16"
    ? (x: number) => (x & 0x7fff) > 0x7c00
    : (x: number) => (x & 0x7fffffff) > 0x7f800000;
  const parts = (x: number) => precision === "f16" ? [x & 0xffff, x >>> 16] : [x];
  for (const [i, word] of expected.entries()) {
    if (actual[i] === word) continue;
    const [found, wanted] = [parts(actual[i]), parts(word)];
    const same = wanted.every((x, k) => x === found[k] || (isNan(x) && isNan(found[k])));
    assert.ok(same, `word ${i}: ${actual[i].toString(16)}, expected ${word.toString(16)}`);
  }
}

/** The bits of 32-bit floats: every exponent with mantissas at which rounding changes, and many of chance. */
function floatBits(chance: number): Float32Array {
  const bits: number[] = [];
  for (let exponent = 0; exponent < 256; exponent++) {
    for (let shift = 0; shift <= 23; shift++) {
      const middle = 1 << shift;
      for (const mantissa of [0, middle - 1, middle, middle + 1, 0x7fffff - middle, 0x7fffff, middle | 0x400000]) {
        for (const sign of [0, 0x80000000]) bits.push((sign | (exponent << 23) | (mantissa & 0x7fffff)) >>> 0);
      }
    }
  }
  const random = seededRandom(3);
  for (let i = 0; i < chance; i++) bits.push(Math.floor(random() * 2 ** 32));
  return new Float32Array(Uint32Array.from(bits).buffer);
}

const patterns = Uint16Array.from({ length: 65536 }, (_, i) => i);
const precisions = ["f16", "f32"] as const;

for (const precision of precisions) {
  test(
    `a weight becomes ${precision} on the device bit by bit as toHalf() and toFloat32() do it`,
    { skip },
    async () => {
      const floats = floatBits(1e6);
      const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
      const tensors: Tensor[] = [
        tensor("bf16", [256, 256], patterns),
        tensor("f16", [65536], patterns),
        f32([floats.length], floats),
        tensor("u8", [256], bytes),
        tensor("i8", [256], new Int8Array(bytes.buffer)),
      ];
      for (const t of tensors) {
        assertWords(await load({ kind: "constant", tensor: t }, precision), wordsOf(t, precision), precision);
      }
    },
  );

  test(`weights of ${precision} of any length come in pieces that a device can bind`, { skip }, async () => {
    for (const length of [1, 2, 3, 5, 255, 257, 4095, 4097, 10001]) {
      for (const dtype of ["bf16", "f32", "f16", "i8", "u8"] as const) {
        const t = fileTensor(dtype, [length], length);
        for (const room of [undefined, 4096]) {
          const words = await load({ kind: "constant", tensor: t }, precision, room);
          const expected = wordsOf(t, precision);
          assertWords(words.subarray(0, expected.length), expected, precision);
        }
      }
    }
  });

  test(`convolution weights are put in order on a device of ${precision}`, { skip }, async () => {
    for (
      const shape of [[4, 3, 3, 3], [5, 7, 3, 3, 3], [3, 5, 1, 1], [1, 1, 3, 3], [130, 9, 3, 3], [33, 40, 3, 1, 1]]
    ) {
      for (const dtype of ["bf16", "f32", "f16"] as const) {
        const t = fileTensor(dtype, shape, shape[0]);
        const expected = wordsOf(tapsOf(t), precision);
        for (const room of [undefined, 2 ** 14]) {
          const words = await load({ kind: "arranged", weight: packConvWeight(t) }, precision, room);
          assertWords(words.subarray(0, expected.length), expected, precision);
        }
        if (shape.length !== 4 || shape[2] !== 3) {
          continue;
        }
        const phases = wordsOf(phasesOf(t), precision);
        for (const room of [undefined, 2 ** 14]) {
          const words = await load({ kind: "arranged", weight: packPhaseWeight(t) }, precision, room);
          assertWords(words.subarray(0, phases.length), phases, precision);
        }
      }
    }
  });

  test(`phases of ${precision} are summed exactly and rounded once`, { skip }, async () => {
    // Neighbours of like size and of like exponents, subnormal ones, such that cancel, and such that overflow.
    const random = seededRandom(11);
    const [outputs, channels] = [37, 61];
    const bits = new Uint32Array(outputs * channels * 9);
    for (let kernel = 0; kernel < bits.length; kernel += 9) {
      const exponent = [0, 1, 2, 20, 100, 112, 127, 140, 250, 254][Math.floor(random() * 10)];
      for (let i = 0; i < 9; i++) {
        const own = Math.max(0, exponent - Math.floor(random() * (kernel % 2 ? 3 : 28)));
        const earlier = i > 0 && random() < 0.2 ? bits[kernel + i - 1] ^ 0x80000000 : undefined;
        bits[kernel + i] = earlier ?? random() * 2 ** 31 & 0x807fffff | own << 23 | (random() < 0.5 ? 0x80000000 : 0);
      }
    }
    const special = [0x7f800000, 0xff800000, 0x7fc00000, 0x80000000, 0];
    for (let i = 0; i < 400; i++) bits[i] = special[Math.floor(random() * special.length)];
    const t = f32([outputs, channels, 3, 3], new Float32Array(bits.buffer));
    assertWords(
      await load({ kind: "arranged", weight: packPhaseWeight(t) }, precision),
      wordsOf(phasesOf(t), precision),
      precision,
    );
  });
}

test("integers and bytes come to the device as they are", { skip }, async () => {
  const numbers = i32([5], [1, -1, 2 ** 31 - 1, -(2 ** 31), 0]);
  assert.deepEqual([...await load({ kind: "constant", tensor: numbers }, "f16")].slice(0, 5), [
    ...new Uint32Array(numbers.data.buffer),
  ]);
  const bytes = tensor("u8", [6], Uint8Array.of(1, 2, 3, 4, 5, 6));
  assert.deepEqual([...await load({ kind: "packed", tensor: bytes }, "f16")].slice(0, 2), [0x04030201, 0x0605]);
});

test("weights are read from their file piece by piece, and by one load only", { skip }, async () => {
  assert.ok(typeof gpu !== "string");
  const reads: number[] = [];
  const t = new FileTensor("f32", [3, 6 * 2 ** 20], (_, length) => {
    reads.push(length);
    return new Uint8Array(length);
  });
  const context = new GpuContext(gpu, "f16");
  const constants = new SharedConstants(context);
  const source = { kind: "constant", tensor: t } as const;
  const releases = await Promise.all([constants.load([source]), constants.load([source])]);
  assert.deepEqual(reads, [64 * 2 ** 20, 8 * 2 ** 20]);
  assert.equal(context.memory.allocated, 36 * 2 ** 20);
  assert.ok(context.memory.peak <= (36 + 64) * 2 ** 20 + 1024);
  for (const release of releases) release();
  context.memory.trim();
  assert.equal(context.memory.allocated, 0);
  const broken = new FileTensor("bf16", [8], () => {
    throw new Error("Cannot read file");
  });
  await assert.rejects(constants.load([source, { kind: "constant", tensor: broken }]), /Cannot read file/);
  context.memory.trim();
  assert.equal(context.memory.allocated, 0);
});

/** A tensor of chance that is read from where its bytes begin at an odd offset. */
function fileTensor<D extends DType>(dtype: D, shape: Shape, seed: number): Tensor<D> {
  const random = seededRandom(seed);
  const values = f32(
    shape,
    Float32Array.from({ length: sizeOf(shape) }, () => (random() - 0.5) * 2 ** (random() * 30 - 20)),
  );
  const { data } = dtype === "f16" ? toHalf(values) : values;
  const bytes = dtype === "f32" || dtype === "f16"
    ? new Uint8Array(data.buffer)
    : Uint8Array.from({ length: sizeOf(shape) * (dtype === "bf16" ? 2 : 1) }, (_, i) =>
      dtype === "bf16" && i % 2 === 0 ? random() * 256 : dtype === "bf16" ? 0x3c + random() * 3 : random() * 256);
  return new FileTensor(dtype, shape, (offset, length) => bytes.subarray(offset, offset + length));
}

/** [O,C,..taps] -> [taps,C,O] */
function tapsOf(t: Tensor): Tensor {
  const [outputs, channels, ...axes] = t.shape;
  const taps = sizeOf(axes);
  const { data } = t;
  const out = viewElements(t.dtype, new ArrayBuffer(data.byteLength), 0, data.length) as DTypeArrays["f32"];
  data.forEach((x, i) => {
    const [o, c, tap] = [Math.floor(i / taps / channels), Math.floor(i / taps) % channels, i % taps];
    out[(tap * channels + c) * outputs + o] = x;
  });
  return { dtype: t.dtype, shape: [taps, channels, outputs], data: out };
}

/** [O,C,3,3] -> [16,C,O], in 32-bit floats */
function phasesOf(t: Tensor): Tensor {
  const [outputs, channels] = t.shape;
  const [data, out] = [toFloat32(t), new Float32Array(16 * outputs * channels)];
  const seen = [[[0], [1, 2]], [[0, 1], [2]]]; // rows that each row of the 2x2 kernel of an even, an odd row sums
  for (let i = 0; i < out.length; i++) {
    const [matrix, c, o] = [Math.floor(i / outputs / channels), Math.floor(i / outputs) % channels, i % outputs];
    const rows = seen[matrix >> 3][(matrix >> 1) & 1];
    const columns = seen[(matrix >> 2) & 1][matrix & 1];
    let sum = 0;
    for (const row of rows) for (const column of columns) sum += data[(o * channels + c) * 9 + 3 * row + column];
    out[i] = sum;
  }
  return f32([16, channels, outputs], out);
}
