import assert from "node:assert/strict";
import { test } from "node:test";
import { loadOnnxRuntime } from "../../../lib/compute/onnx/load_onnxruntime.ts";
import { modelMessage, nodeMessage, tensorMessage, valueInfoMessage } from "../../../lib/compute/onnx/onnx_messages.ts";
import type { ModelFiles } from "../../../lib/engines/contract/engine_entry.ts";
import { openSession } from "../../../lib/engines/onnx_sessions/open_session.ts";
import {
  exactSigned,
  withoutIntegerConvolutions,
} from "../../../lib/engines/speech/onnx_kokoro/integer_convolutions.ts";

const [CHANNELS, OUTPUTS, LENGTH] = [96, 160, 37];

interface Layer {
  readonly taps: number;
  readonly dilation?: number;
  readonly stride?: number;
  readonly pads?: readonly [number, number];
  readonly channels?: number;
}

/** Bytes of all values, with the largest ones together so that sums of pairs exceed 16 bits. */
function bytes(count: number, seed: number): Uint8Array {
  return Uint8Array.from({ length: count }, (_, i) => i % 7 < 2 ? 255 : (i * 131 + seed * 17) % 256);
}

function fileOf({ taps, dilation = 1, stride = 1, pads = [0, 0], channels = CHANNELS }: Layer): ModelFiles {
  const attributes = { dilations: [dilation], group: 1, kernel_shape: [taps], pads, strides: [stride] };
  const model = modelMessage({
    nodes: [nodeMessage("ConvInteger", "", ["x", "w", "x_zero", "w_zero"], ["y"], attributes)],
    initializers: [
      tensorMessage("w", "uint8", [OUTPUTS, channels, taps], bytes(OUTPUTS * channels * taps, 3)),
      tensorMessage("w_zero", "uint8", [], Uint8Array.of(113)),
    ],
    inputs: [valueInfoMessage("x", "uint8", [1, channels, "length"]), valueInfoMessage("x_zero", "uint8", [])],
    outputs: [valueInfoMessage("y", "int32", [1, OUTPUTS, "out"])],
  });
  return {
    names: ["onnx/model.onnx"],
    path: (name) => `/nowhere/${name}`,
    read: () => Promise.resolve(model),
    readPart: (_name, start, length) => Promise.resolve(model.slice(start, start + length)),
  };
}

async function run(model: Uint8Array, channels: number): Promise<{ dims: readonly number[]; data: Int32Array }> {
  const { Tensor } = await loadOnnxRuntime();
  const { session } = await openSession({ bytes: model, folder: "" }, { device: "cpu", threads: 1 });
  const { y } = await session.run({
    x: new Tensor("uint8", bytes(channels * LENGTH, 5), [1, channels, LENGTH]),
    x_zero: new Tensor("uint8", Uint8Array.of(91), []),
  });
  const data = (y.data as Int32Array).slice();
  await session.release();
  return { dims: y.dims, data };
}

const layers: readonly (readonly [string, Layer])[] = [
  ["one tap", { taps: 1 }],
  ["padded", { taps: 3, pads: [1, 1] }],
  ["dilated", { taps: 5, dilation: 3, pads: [6, 6] }],
  ["padded at one end only", { taps: 4, dilation: 2, pads: [3, 0] }],
  ["not padded", { taps: 7 }],
];

for (const [what, layer] of layers) {
  test(`a convolution of bytes as a product is the same, ${what}`, async () => {
    const files = fileOf(layer);
    const before = await run(await files.read(""), CHANNELS);
    const signs = await exactSigned() ? [true, false] : [false];
    for (const signed of signs) {
      const faster = await withoutIntegerConvolutions(files, "onnx/model.onnx", signed);
      assert.ok(faster);
      assert.ok(!new TextDecoder("latin1").decode(faster.bytes).includes("ConvInteger"));
      assert.deepEqual(await run(faster.bytes, CHANNELS), before, `signed: ${signed}`);
    }
  });
}

test("other convolutions stay as they are", async () => {
  for (const layer of [{ taps: 3, stride: 2 }, { taps: 3, channels: 8 }]) {
    assert.equal(await withoutIntegerConvolutions(fileOf(layer), "onnx/model.onnx", false), undefined);
  }
});
