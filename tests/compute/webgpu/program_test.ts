import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Graph } from "../../../lib/compute/tensor/graph.ts";
import { add, mul } from "../../../lib/compute/tensor/ops/elementwise.ts";
import { concat, gather, reshape, slice } from "../../../lib/compute/tensor/ops/layout.ts";
import { linear } from "../../../lib/compute/tensor/ops/matmul.ts";
import { softmax } from "../../../lib/compute/tensor/ops/norm.ts";
import { ShapeError } from "../../../lib/compute/tensor/shape.ts";
import { f32, i32, tensor } from "../../../lib/compute/tensor/tensor.ts";
import { Pace } from "../../../lib/compute/webgpu/pace.ts";
import { createWebGpuDevice } from "../../../lib/compute/webgpu/webgpu_device.ts";
import { assertClose } from "../../support/assert_close.ts";
import { seededRandom } from "../../support/random.ts";
import { openRawDevice, openTestDevice } from "../../support/webgpu_device.ts";

const opened = await openTestDevice();
const skip = typeof opened === "string" ? opened : false;
const device = () => {
  assert.ok(typeof opened !== "string");
  return opened;
};
after(() => {
  if (typeof opened !== "string") opened.dispose();
});

function randoms(length: number, seed = 1): Float32Array {
  const random = seededRandom(seed);
  return Float32Array.from({ length }, () => 2 * random() - 1);
}

/** x -> softmax(x) + 1, with the last value as state. */
function stepGraph(): Graph {
  const graph = new Graph();
  graph.output("state", add(softmax(graph.input("state", [4, 33])), 1));
  return graph;
}

test("Program.run() gives the same bits again when it is fed the same state", { skip }, async () => {
  const program = await device().compile(stepGraph());
  const first = await program.run({ state: f32([4, 33], randoms(132)) });
  const kept = first.state.retain();
  const second = await program.run(first);
  first.state.release();
  const third = await program.run({ state: kept });
  assert.deepEqual((await third.state.read()).data, (await second.state.read()).data);
  for (const tensor of [kept, second.state, third.state]) tensor.release();
  program.dispose();
});

test("Program.run() does not change its feeds", { skip }, async () => {
  const program = await device().compile(stepGraph());
  const data = randoms(132);
  const state = device().upload(f32([4, 33], data));
  const output = (await program.run({ state })).state;
  assert.deepEqual((await state.read()).data, data);
  state.release();
  output.release();
  program.dispose();
});

test("Program.run() in a long loop does not take more memory", { skip }, async () => {
  const program = await device().compile(stepGraph());
  let { state } = await program.run({ state: f32([4, 33], randoms(132)) });
  const run = async () => {
    const next = await program.run({ state });
    state.release();
    state = next.state;
  };
  await run();
  const { allocated } = device().memory();
  for (let i = 0; i < 30; i++) await run();
  assert.equal(device().memory().allocated, allocated);
  state.release();
  program.dispose();
});

test("Device.compile() uploads a weight once for all programs and frees it with the last", { skip }, async () => {
  const weight = f32([256, 256], randoms(65536));
  const layer = (rows: number) => {
    const graph = new Graph();
    graph.output("y", linear(graph.input("x", [rows, 256]), graph.constant(weight)));
    return device().compile(graph);
  };
  const before = device().memory().allocated;
  const first = await layer(1);
  const one = device().memory().allocated - before;
  const second = await layer(2);
  assert.ok(one >= weight.data.byteLength);
  assert.ok(device().memory().allocated - before - one < 8192);
  first.dispose();
  const { y } = await second.run({ x: f32([2, 256], new Float32Array(512)) });
  assert.ok((await y.read()).data.every((v) => v === 0));
  y.release();
  second.dispose();
  second.dispose();
});

test("Device.compile() lets programs share scratch memory", { skip }, async () => {
  const chain = (rows: number) => {
    const graph = new Graph();
    graph.output("y", softmax(softmax(softmax(graph.input("x", [rows, 64])))));
    return device().compile(graph);
  };
  const large = await chain(256);
  const { allocated } = device().memory();
  const small = await chain(128);
  assert.ok(device().memory().allocated - allocated < 8192);
  const x = f32([128, 64], randoms(8192));
  const [alone, crowded] = [(await small.run({ x })).y, (await large.run({ x: f32([256, 64], randoms(16384)) })).y];
  const again = (await small.run({ x })).y;
  assert.deepEqual((await again.read()).data, (await alone.read()).data);
  for (const y of [alone, crowded, again]) y.release();
  large.dispose();
  small.dispose();
});

test("Program.run() gives the same bits in one submission and in one for each step", { skip }, async () => {
  const graph = new Graph();
  const x = graph.input("x", [5, 32]);
  graph.output("y", softmax(linear(softmax(x), graph.constant(f32([24, 32], randoms(768, 2))))));
  const feeds = { x: f32([5, 32], randoms(160)) };
  const results = await Promise.all([new Pace(0), new Pace()].map(async (pace) => {
    const gpu = await openRawDevice();
    assert.ok(typeof gpu !== "string");
    const submit = gpu.queue.submit.bind(gpu.queue);
    let submissions = 0;
    gpu.queue.submit = (buffers) => {
      submissions++;
      return submit(buffers);
    };
    const own = createWebGpuDevice(gpu, "own", "f32", gpu.limits, pace);
    const program = await own.compile(graph);
    const { y } = await program.run(feeds);
    const counted = submissions;
    const { data } = await y.read();
    own.dispose();
    return { counted, data };
  }));
  assert.deepEqual(results.map(({ counted }) => counted), [3, 1]);
  assert.deepEqual(results[0].data, results[1].data);
});

test(
  "Program.run() hands nothing more to the device once it is cancelled, and mixes with no other run",
  { skip },
  async () => {
    const graph = new Graph();
    let y = graph.input("x", [5, 32]);
    for (let i = 0; i < 12; i++) y = softmax(mul(y, 3));
    graph.output("y", y);
    const gpu = await openRawDevice();
    assert.ok(typeof gpu !== "string");
    const submit = gpu.queue.submit.bind(gpu.queue);
    let submissions = 0;
    let onSubmission = (_: number): void => {};
    gpu.queue.submit = (buffers) => {
      onSubmission(++submissions);
      return submit(buffers);
    };
    const own = createWebGpuDevice(gpu, "own", "f32", gpu.limits, new Pace(0));
    const program = await own.compile(graph);
    const fed = own.upload(f32([5, 32], randoms(160)));
    const whole = (await program.run({ x: fed })).y;
    const { data } = await whole.read();
    whole.release();
    const parts = submissions - 1;
    assert.ok(parts >= 12);
    const { allocated } = own.memory();
    // At the first, in the middle, and by an event that arrives while the device works.
    for (const at of [1, 5]) {
      submissions = 0;
      const abort = new AbortController();
      onSubmission = (n) => n === at && abort.abort(new Error("enough"));
      await assert.rejects(program.run({ x: fed }, { signal: abort.signal }), /enough/);
      assert.equal(submissions, at);
    }
    submissions = 0;
    const abort = new AbortController();
    onSubmission = (n) => n === 1 && void setTimeout(() => abort.abort(new Error("an event")), 0);
    await assert.rejects(program.run({ x: fed }, { signal: abort.signal }), /an event/);
    assert.ok(submissions < parts);
    onSubmission = () => {};
    await assert.rejects(program.run({ x: fed }, { signal: AbortSignal.abort(new Error("before")) }), /before/);
    assert.equal(own.memory().allocated, allocated);
    // Feeds and programs that are given up while their runs wait for a turn.
    const runs = [0, 1].map(() => program.run({ x: fed }));
    fed.release();
    program.dispose();
    for (const { y } of await Promise.all(runs)) assert.deepEqual((await y.read()).data, data);
    own.dispose();
  },
);

test("Device.memory() counts up and remembers the peak", { skip }, async () => {
  const gpu = await openRawDevice();
  assert.ok(typeof gpu !== "string");
  const own = createWebGpuDevice(gpu, "own", "f32");
  assert.deepEqual(own.memory(), { allocated: 0, peak: 0 });
  own.upload(f32([1024], new Float32Array(1024)));
  assert.deepEqual(own.memory(), { allocated: 4096, peak: 4096 });
  own.dispose();
});

test("Program.run() finds its bind groups again", { skip }, async () => {
  const gpu = await openRawDevice();
  assert.ok(typeof gpu !== "string");
  const create = gpu.createBindGroup.bind(gpu);
  let created = 0;
  gpu.createBindGroup = (descriptor) => {
    created++;
    return create(descriptor);
  };
  const own = createWebGpuDevice(gpu, "own", "f32");
  const graph = new Graph();
  const x = graph.input("x", [4, 33]);
  graph.output("a", softmax(x));
  graph.output("b", softmax(mul(softmax(x), 2)));
  const program = await own.compile(graph);
  const fed = own.upload(f32([4, 33], randoms(132)));
  const run = async (order: readonly ("a" | "b")[]) => {
    const outputs = await program.run({ x: fed });
    const { data } = await outputs.b.read();
    for (const name of order) outputs[name].release();
    return data;
  };
  const first = await run(["a", "b"]);
  const once = created;
  assert.ok(once > 0);
  for (let i = 0; i < 6; i++) assert.deepEqual(await run(i % 2 ? ["a", "b"] : ["b", "a"]), first);
  assert.equal(created, once);
  // A state that each run replaces has two buffers in turn.
  const stepping = await own.compile(stepGraph());
  let { state } = await stepping.run({ state: f32([4, 33], randoms(132)) });
  for (let i = 0; i < 12; i++) {
    if (i === 6) created = 0;
    const next = await stepping.run({ state });
    state.release();
    state = next.state;
  }
  assert.equal(created, 0);
  own.dispose();
});

test("Device.idle() waits for what was asked before, and says when the device is lost", { skip }, async () => {
  const gpu = await openRawDevice();
  assert.ok(typeof gpu !== "string");
  const events: string[] = [];
  const submit = gpu.queue.submit.bind(gpu.queue);
  gpu.queue.submit = (buffers) => {
    events.push("submitted");
    return submit(buffers);
  };
  const own = createWebGpuDevice(gpu, "own", "f32", gpu.limits, new Pace(0));
  await own.idle();
  const program = await own.compile(stepGraph());
  const runs = [0, 1].map(() => program.run({ state: f32([4, 33], randoms(132)) }));
  events.length = 0;
  await own.idle();
  assert.equal(events.length, 4, "two runs of two steps");
  for (const { state } of await Promise.all(runs)) state.release();
  const pending = own.idle();
  own.dispose();
  await assert.rejects(pending, /disposed/);
  await assert.rejects(own.idle(), /disposed/);
});

test("Program.run() shares memory between an output and the input or constant that it is", { skip }, async () => {
  const graph = new Graph();
  const x = graph.input("x", [2, 3]);
  graph.output("x", reshape(x, [6]));
  graph.output("part", slice(x, { axis: 1, start: 1 }));
  graph.output("indices", graph.constant(i32([2], [7, 9])));
  const program = await device().compile(graph);
  const fed = device().upload(f32([2, 3], [1, 2, 3, 4, 5, 6]));
  const outputs = await program.run({ x: fed });
  fed.release();
  program.dispose();
  assert.deepEqual([...(await outputs.x.read()).data], [1, 2, 3, 4, 5, 6]);
  assert.deepEqual([...(await outputs.part.read()).data], [2, 3, 5, 6]);
  const indices = await outputs.indices.read();
  assert.equal(indices.dtype, "i32");
  assert.deepEqual([...indices.data], [7, 9]);
  for (const output of Object.values(outputs)) output.release();
});

test("Program.run() names a feed that is missing, unknown or of the wrong shape", { skip }, async () => {
  const program = await device().compile(stepGraph());
  const wrong = f32([3], [1, 2, 3]);
  await assert.rejects(program.run({}), (e) => e instanceof ShapeError && /"state" is missing/.test(e.message));
  await assert.rejects(program.run({ state: wrong, z: wrong }), /input "z" is unknown/);
  await assert.rejects(program.run({ state: wrong }), /"state" is float \[3\], expected float \[4,33\]/);
  program.dispose();
  await assert.rejects(program.run({ state: f32([4, 33], randoms(132)) }), /it was disposed/);
});

test("DeviceTensor.read() fails after the last owner released it", { skip }, async () => {
  const x = device().upload(f32([2], [1, 2]));
  x.retain().release();
  x.release();
  await assert.rejects(x.read(), /it was released/);
});

test("Device.upload() widens 16-bit floats and keeps integers", { skip }, async () => {
  const bf16 = device().upload(tensor("bf16", [3], Uint16Array.of(0x3f80, 0xc000, 0x3f00)));
  const ints = device().upload(i32([3], [-1, 0, 2 ** 30]));
  assert.deepEqual([...(await bf16.read()).data], [1, -2, 0.5]);
  assert.deepEqual([...(await ints.read()).data], [-1, 0, 2 ** 30]);
  bf16.release();
  ints.release();
});

test("Program.run() computes the same within small limits of the device", { skip }, async () => {
  const gpu = await openRawDevice();
  assert.ok(typeof gpu !== "string");
  const graph = new Graph();
  const x = graph.input("x", [700, 16]);
  const table = graph.constant(f32([1200, 16], randoms(19200)));
  const rows = gather(table, graph.input("rows", [5], "int"));
  const scores = linear(concat([rows, slice(x, { axis: 0, start: 696 })], 0), table);
  graph.output("y", scores);
  graph.output("few", linear(rows, table));
  graph.output("z", mul(x, 3));
  const feeds = { x: f32([700, 16], randoms(11200, 2)), rows: i32([5], [0, 1199, 511, 512, 1024]) };
  const small = createWebGpuDevice(gpu, "small", "f32", {
    maxStorageBuffersPerShaderStage: 8,
    minStorageBufferOffsetAlignment: 256,
    minUniformBufferOffsetAlignment: 256,
    // As many bytes as x has but fewer than the table, and fewer workgroups on an axis than most steps need.
    maxStorageBufferBindingSize: 44800,
    maxComputeWorkgroupsPerDimension: 3,
  });
  const results = await Promise.all([small, device()].map(async (d) => {
    const program = await d.compile(graph);
    const outputs = await program.run(feeds);
    return await Promise.all([outputs.y, outputs.few, outputs.z].map(async (output) => (await output.read()).data));
  }));
  results[0].forEach((data, i) => assertClose(data, results[1][i], 1e-6));
  small.dispose();
});
