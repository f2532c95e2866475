import assert from "node:assert/strict";
import { test } from "node:test";
import { openOnnxDevice } from "../../../lib/compute/onnx/onnx_device.ts";
import { lowerGraph } from "../../../lib/compute/onnx/lower_graph.ts";
import { splitGraph } from "../../../lib/compute/onnx/split_graph.ts";
import {
  concat,
  conv2d,
  conv3d,
  f32,
  Graph,
  sizeOf,
  slice,
  type Tensor,
  upsample,
  type Value,
} from "../../../lib/compute/tensor/mod.ts";
import { seededRandom } from "../../support/random.ts";

const random = seededRandom(11);
const numbers = (shape: readonly number[]): Tensor<"f32"> =>
  f32(shape, Float32Array.from({ length: sizeOf(shape) }, () => random() - 0.5));

for (const [name, channels, stride] of [["alone", 32, 1], ["two by two", 3, 1], ["in steps of two", 32, 2]] as const) {
  test(`large frames are convolved one after another and give what each gives alone: ${name}`, async () => {
    const [kernel, bias] = [numbers([channels, 2, 3, 3, 3]), numbers([channels])];
    const video = numbers([6 + 2 * (stride - 1), 2, 480, 640]);
    const options = { stride: [stride, 1, 1], pad: [1, 1, 1, 1] } as const;
    const whole = new Graph();
    const x = whole.input("x", video.shape);
    const all = conv3d(x, whole.constant(kernel), whole.constant(bias), options);
    whole.output("y", all);
    const { bytes } = lowerGraph(splitGraph(whole)[0]);
    assert.ok(!new TextDecoder("latin1").decode(bytes).includes("Gather"), "its frames are copied at once");
    const apart = new Graph();
    const frames = [...new Array(all.shape[0]).keys()];
    const near = apart.input("x", video.shape);
    for (const i of frames) {
      const three = slice(near, { axis: 0, start: i * stride, end: i * stride + 3 });
      apart.output(`${i}`, conv3d(three, apart.constant(kernel), apart.constant(bias), options));
    }
    const device = await openOnnxDevice({ threads: 2 });
    try {
      const [together, alone] = [await device.compile(whole), await device.compile(apart)];
      const data = (await (await together.run({ x: video })).y.read()).data as Float32Array;
      const parts = await alone.run({ x: video });
      const length = data.length / frames.length;
      for (const i of frames) {
        const expected = (await parts[i].read()).data as Float32Array;
        const most = expected.reduce((worst, value, j) => Math.max(worst, Math.abs(value - data[i * length + j])), 0);
        assert.ok(most < 1e-5, `frame ${i} differs by ${most}`);
      }
    } finally {
      device.dispose();
    }
  });
}

test("large frames after a past are convolved without being joined, and give what they give joined", async () => {
  const kernel = numbers([32, 2, 3, 3, 3]);
  const [past, video] = [numbers([2, 2, 480, 640]), numbers([3, 2, 480, 640])];
  const all = f32([5, 2, 480, 640], new Float32Array(sizeOf(past.shape) + sizeOf(video.shape)));
  all.data.set(past.data);
  all.data.set(video.data, past.data.length);
  const graph = (input: (g: Graph) => Value): Graph => {
    const g = new Graph();
    g.output("y", conv3d(input(g), g.constant(kernel), undefined, { pad: [1, 1, 1, 1] }));
    return g;
  };
  const [apart, joined] = [
    graph((g) => concat([g.input("past", past.shape), g.input("x", video.shape)], 0)),
    graph((g) => g.input("all", all.shape)),
  ];
  // Its three images, of which the first two are in both, and the result: nothing of all five frames.
  const { bytes } = lowerGraph(splitGraph(apart)[0]);
  assert.equal(new TextDecoder("latin1").decode(bytes).split("Concat").length - 1, 3);
  const device = await openOnnxDevice({ threads: 2 });
  try {
    const [found, expected] = [await device.compile(apart), await device.compile(joined)];
    const { data } = await (await found.run({ past, x: video })).y.read();
    assert.deepEqual(data, (await (await expected.run({ all })).y.read()).data);
  } finally {
    device.dispose();
  }
});

for (const [n, c, h, w, o] of [[1, 3, 5, 7, 2], [4, 24, 6, 4, 24], [2, 16, 1, 1, 5], [1, 2, 2, 3, 40]]) {
  test(`a kernel over doubled pixels gives what it gives over an image of them: ${[n, c, h, w, o]}`, async () => {
    const [kernel, bias, x] = [numbers([o, c, 3, 3]), numbers([o]), numbers([n, c, h, w])];
    const around = { pad: [1, 1, 1, 1] } as const;
    const doubled = new Graph();
    doubled.output(
      "y",
      conv2d(upsample(doubled.input("x", x.shape), 2), doubled.constant(kernel), doubled.constant(bias), around),
    );
    assert.ok(!new TextDecoder("latin1").decode(lowerGraph(splitGraph(doubled)[0]).bytes).includes("Resize"));
    const apart = new Graph();
    const image = upsample(apart.input("x", x.shape), 2);
    apart.output("image", image);
    const device = await openOnnxDevice({ threads: 2 });
    try {
      const large = await (await (await device.compile(apart)).run({ x })).image.read();
      const plain = new Graph();
      plain.output("y", conv2d(plain.input("x", large.shape), plain.constant(kernel), plain.constant(bias), around));
      const expected = (await (await (await device.compile(plain)).run({ x: large })).y.read()).data as Float32Array;
      const { data } = await (await (await device.compile(doubled)).run({ x })).y.read();
      const most = expected.reduce(
        (worst, value, i) => Math.max(worst, Math.abs(value - (data as Float32Array)[i])),
        0,
      );
      assert.ok(most < 1e-5, `they differ by ${most}`);
    } finally {
      device.dispose();
    }
  });
}
