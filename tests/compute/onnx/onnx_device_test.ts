import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { HostTensor, MemoryLedger } from "../../../lib/compute/onnx/host_tensor.ts";
import { openOnnxDevice } from "../../../lib/compute/onnx/onnx_device.ts";
import type { Device, DeviceTensor } from "../../../lib/compute/tensor/device.ts";
import { Graph } from "../../../lib/compute/tensor/graph.ts";
import { add, cast, mul } from "../../../lib/compute/tensor/ops/elementwise.ts";
import { concat, gather, reshape, slice } from "../../../lib/compute/tensor/ops/layout.ts";
import { linear } from "../../../lib/compute/tensor/ops/matmul.ts";
import { ShapeError } from "../../../lib/compute/tensor/shape.ts";
import { f32, i32, tensor } from "../../../lib/compute/tensor/tensor.ts";
import { assertClose } from "../../support/assert_close.ts";

async function withDevice(use: (device: Device) => Promise<void>): Promise<void> {
  const device = await openOnnxDevice({ threads: 1 });
  try {
    await use(device);
  } finally {
    device.dispose();
  }
}

async function numbers(t: DeviceTensor): Promise<number[]> {
  return [...(await t.read()).data];
}

function doubling(): Graph {
  const graph = new Graph();
  graph.output("y", mul(graph.input("x", [2]), 2));
  return graph;
}

test("openOnnxDevice() names its threads", async () => {
  const one = await openOnnxDevice({ threads: 1 });
  const two = await openOnnxDevice({ threads: 2 });
  const all = await openOnnxDevice();
  assert.deepEqual([one.label, two.label, all.label], ["cpu (1 thread)", "cpu (2 threads)", "cpu (all cores)"]);
  assert.deepEqual([one.kind, one.precision], ["cpu", "f32"]);
});

test("openOnnxDevice() refuses threads that are not positive integers", async () => {
  for (const threads of [0, -1, 1.5, NaN]) {
    await assert.rejects(openOnnxDevice({ threads }), {
      name: "RangeError",
      message: `Cannot open the CPU device: threads is ${threads}, expected a positive integer`,
    });
  }
});

test("DeviceTensor.read() copies to given memory, of the tensor's length, and stays as it is", () =>
  withDevice(async (device) => {
    const x = device.upload(f32([3], [0.5, -2, 7]));
    const into = new Float32Array(3);
    const read = await x.read(into);
    assert.equal(read.data, into);
    assert.deepEqual([read.dtype, read.shape, ...into], ["f32", [3], 0.5, -2, 7]);
    into.fill(0);
    assert.deepEqual(await numbers(x), [0.5, -2, 7]);
    await assert.rejects(x.read(new Float32Array(2)), ShapeError);
    const whole = device.upload(i32([2], [3, 4]));
    assert.deepEqual([...(await whole.read(new Float32Array(2))).data], [3, 4]);
  }));

test("openOnnxDevice() gives the same result on one thread and on several", async () => {
  const graph = new Graph();
  const weight = f32([64, 48], Float32Array.from({ length: 64 * 48 }, (_, i) => Math.sin(i)));
  graph.output("y", linear(graph.input("x", [40, 48]), graph.constant(weight)));
  const x = f32([40, 48], Float32Array.from({ length: 40 * 48 }, (_, i) => Math.cos(i)));
  const results: number[][] = [];
  for (const threads of [1, 3]) {
    const device = await openOnnxDevice({ threads });
    const program = await device.compile(graph);
    results.push(await numbers((await program.run({ x })).y));
    device.dispose();
  }
  assertClose(results[1], results[0], 1e-6);
});

test("Device.compile() refuses a graph without outputs", () =>
  withDevice(async (device) => {
    await assert.rejects(device.compile(new Graph()), {
      name: "ShapeError",
      message: "Cannot compile a graph: it has no outputs, name one with output",
    });
  }));

test("Device.compile() computes only what outputs depend on, but every input must be fed", () =>
  withDevice(async (device) => {
    const graph = doubling();
    add(graph.input("unused", [3]), graph.constant(f32([3], [1, 2, 3])));
    const program = await device.compile(graph);
    assert.deepEqual([...program.inputs.keys()], ["x", "unused"]);
    const { y } = await program.run({ x: f32([2], [1, 2]), unused: f32([3], [0, 0, 0]) });
    assert.deepEqual(await numbers(y), [2, 4]);
    await assert.rejects(program.run({ x: f32([2], [1, 2]) }), /input "unused" is missing/);
  }));

test("Device.compile() makes a program that does not follow later changes of the graph or its weights", () =>
  withDevice(async (device) => {
    const weight = f32([1024, 2], new Float32Array(2048).fill(1));
    const graph = new Graph();
    graph.output("y", linear(graph.input("x", [1, 2]), graph.constant(weight)));
    const program = await device.compile(graph);
    weight.data.fill(7);
    graph.output("z", graph.inputs.get("x")!);
    const outputs = await program.run({ x: f32([1, 2], [1, 2]) });
    assert.deepEqual(Object.keys(outputs), ["y"]);
    assert.equal((await outputs.y.read()).data[1023], 3);
  }));

test("Device.compile() widens weights of all stored types", () =>
  withDevice(async (device) => {
    const graph = new Graph();
    const stored = [
      tensor("f16", [2], Uint16Array.of(0x3c00, 0xc000)),
      tensor("bf16", [2], Uint16Array.of(0x3f80, 0xc000)),
      tensor("i8", [2], Int8Array.of(1, -2)),
      tensor("u8", [2], Uint8Array.of(1, 254)),
      f32([2], [1, -2]),
    ];
    graph.output("y", concat(stored.map((t) => graph.constant(t)), 0));
    const { y } = await (await device.compile(graph)).run({});
    assert.deepEqual(await numbers(y), [1, -2, 1, -2, 1, -2, 1, 254, 1, -2]);
  }));

test("Program.run() takes and gives integers", () =>
  withDevice(async (device) => {
    const graph = new Graph();
    const ids = graph.input("ids", [3], "int");
    const table = graph.constant(i32([4], [10, 11, 12, 13]));
    graph.output("picked", gather(table, ids));
    graph.output("as float", mul(cast(ids, "float"), 0.5));
    const program = await device.compile(graph);
    assert.deepEqual(program.outputs.get("picked"), { shape: [3], type: "int" });
    const outputs = await program.run({ ids: i32([3], [3, 0, 1]) });
    assert.equal((await outputs.picked.read()).dtype, "i32");
    assert.deepEqual(await numbers(outputs.picked), [13, 10, 11]);
    assert.deepEqual(await numbers(outputs["as float"]), [1.5, 0, 0.5]);
  }));

test("Program.run() gives one value under several names, also under that of an input", () =>
  withDevice(async (device) => {
    const graph = new Graph();
    const x = graph.input("x", []);
    const y = mul(x, 3);
    graph.output("x", y);
    graph.output("same", y);
    graph.output("given", x);
    const outputs = await (await device.compile(graph)).run({ x: f32([], [2]) });
    assert.deepEqual(
      [await numbers(outputs.x), await numbers(outputs.same), await numbers(outputs.given)],
      [[6], [6], [2]],
    );
    assert.deepEqual(outputs.x.shape, []);
  }));

test("Program.run() names the feed that does not fit", () =>
  withDevice(async (device) => {
    const program = await device.compile(doubling());
    await assert.rejects(program.run({}), ShapeError);
    await assert.rejects(program.run({ x: f32([3], [1, 2, 3]) }), {
      name: "ShapeError",
      message: 'Cannot run program: input "x" is float [3], expected float [2]',
    });
    await assert.rejects(program.run({ x: device.upload(i32([2], [1, 2])) }), {
      message: 'Cannot run program: input "x" is int [2], expected float [2]',
    });
  }));

test("Program.run() refuses a tensor of another kind of device", () =>
  withDevice(async (device) => {
    const program = await device.compile(doubling());
    const foreign = { shape: [2], type: "float" } as unknown as DeviceTensor;
    await assert.rejects(program.run({ x: foreign }), /input "x" belongs to another device/);
  }));

test("Program.run() feeds state back without changing what was kept", () =>
  withDevice(async (device) => {
    const graph = new Graph();
    const state = graph.input("state", [4]);
    const x = graph.input("x", [1]);
    graph.output("state", concat([slice(state, { axis: 0, start: 1 }), x], 0));
    const program = await device.compile(graph);
    let held = device.upload(f32([4], [0, 0, 0, 0]));
    const kept: DeviceTensor[] = [];
    for (let i = 1; i <= 5; i++) {
      const next = (await program.run({ state: held, x: f32([1], [i]) })).state;
      if (i === 3) kept.push(held.retain());
      held.release();
      held = next;
    }
    assert.deepEqual(await numbers(held), [2, 3, 4, 5]);
    assert.deepEqual(await numbers(kept[0]), [0, 0, 1, 2]);
    const again = (await program.run({ state: kept[0], x: f32([1], [3]) })).state;
    assert.deepEqual(await numbers(again), [0, 1, 2, 3]);
  }));

test("Program.run() runs in the order of the calls, and a feed may be released at once", () =>
  withDevice(async (device) => {
    const program = await device.compile(doubling());
    const finished: number[] = [];
    const runs = [5, 6, 7].map(async (value, i) => {
      const x = device.upload(f32([2], [value, 0]));
      const run = program.run({ x });
      x.release();
      const { y } = await run;
      finished.push(i);
      return numbers(y);
    });
    assert.deepEqual(await Promise.all(runs), [[10, 0], [12, 0], [14, 0]]);
    assert.deepEqual(finished, [0, 1, 2]);
  }));

test("Program.run() runs on after a run that failed", () =>
  withDevice(async (device) => {
    const graph = new Graph();
    graph.output("y", gather(graph.constant(f32([2], [1, 2])), graph.input("at", [1], "int")));
    const program = await device.compile(graph);
    const failing = assert.rejects(program.run({ at: i32([1], [99]) }));
    const { y } = await program.run({ at: i32([1], [1]) });
    await failing;
    assert.deepEqual(await numbers(y), [2]);
  }));

test("DeviceTensor.read() gives a copy", () =>
  withDevice(async (device) => {
    const source = f32([2], [1, 2]);
    const held = device.upload(source);
    source.data[0] = 9;
    (await held.read()).data[1] = 9;
    assert.deepEqual(await numbers(held), [1, 2]);
  }));

test("DeviceTensor.release() frees with the last owner, and later use is an error", () =>
  withDevice(async (device) => {
    const program = await device.compile(doubling());
    const before = device.memory().allocated;
    const x = device.upload(f32([2], [1, 2]));
    assert.equal(device.memory().allocated, before + 8);
    x.retain();
    x.release();
    assert.deepEqual(await numbers(x), [1, 2]);
    x.release();
    x.release();
    assert.equal(device.memory().allocated, before);
    assert.equal(device.memory().peak, before + 8);
    await assert.rejects(x.read(), /Cannot use a tensor of shape \[2\]: it was released/);
    await assert.rejects(program.run({ x }), /it was released/);
    assert.throws(() => x.retain(), /it was released/);
  }));

test("DeviceTensor.release() gives its memory to later results, and not below a run", () => {
  const ledger = new MemoryLedger();
  const { spare } = ledger;
  const data = new Float32Array([1, 2]);
  const tensor = new HostTensor(ledger, [2], data);
  const read = tensor.borrow();
  tensor.release();
  assert.deepEqual([...read], [1, 2]);
  assert.throws(() => tensor.data, /it was released/);
  assert.notEqual(spare.take("float", 2), data);
  tensor.giveBack();
  assert.notEqual(spare.take("int", 2), data);
  assert.notEqual(spare.take("float", 3), data);
  assert.equal(spare.take("float", 2), data);
  assert.notEqual(spare.take("float", 2), data);
});

test("Program.run() writes its results into memory that nothing reads any more", () =>
  withDevice(async (device) => {
    const program = await device.compile(doubling());
    const run = async (x: number) => (await program.run({ x: f32([2], [x, -x]) })).y as HostTensor;
    const [one, two] = [await run(1), await run(2)];
    assert.deepEqual([...one.data, ...two.data], [2, -2, 4, -4]);
    const { data } = one;
    one.release();
    const three = await run(3);
    assert.equal(three.data, data);
    assert.deepEqual([...three.data, ...two.data], [6, -6, 4, -4]);
  }));

test(
  "Program.run() leaves no copy of its results to the garbage collector",
  () =>
    withDevice(async (device) => {
      const graph = new Graph();
      graph.output("y", mul(graph.input("x", [2 ** 18]), 2));
      const program = await device.compile(graph);
      const x = f32([2 ** 18], new Float32Array(2 ** 18));
      const run = async () => (await program.run({ x })).y.release();
      await run();
      const before = process.memoryUsage().external;
      for (let i = 0; i < 16; i++) await run();
      assert.ok(process.memoryUsage().external - before < 4 * 2 ** 20);
    }),
);

test("memory is freed at once where it is large, where others need the room, and at the end", () => {
  const { spare } = new MemoryLedger();
  const isFreed = (array: Float32Array) => array.byteLength === 0;
  const arrays = Array.from({ length: 6 }, () => new Float32Array(2 ** 21 - 1)); // not quite 8 MiB
  for (const array of arrays) spare.give(array);
  assert.deepEqual(arrays.map(isFreed), arrays.map((_, i) => i < 2));
  const large = new Float32Array(2 ** 21 + 1);
  spare.give(large);
  assert.ok(isFreed(large));
  spare.close();
  assert.ok(arrays.every(isFreed));
  const late = new Float32Array(1);
  spare.give(late);
  assert.ok(isFreed(late));
});

test("Program.dispose() gives its weights back and lets runs in the queue end", () =>
  withDevice(async (device) => {
    const graph = new Graph();
    graph.output("y", linear(graph.input("x", [1, 16]), graph.constant(f32([32, 16], new Float32Array(512).fill(1)))));
    const program = await device.compile(graph);
    assert.ok(device.memory().allocated >= 2048);
    const run = program.run({ x: f32([1, 16], new Float32Array(16).fill(1)) });
    program.dispose();
    program.dispose();
    const { y } = await run;
    assert.equal((await y.read()).data[31], 16);
    y.release();
    assert.equal(device.memory().allocated, 0);
    await assert.rejects(program.run({ x: f32([1, 16], new Float32Array(16)) }), /Cannot run program: it was disposed/);
  }));

test("Device.dispose() ends its programs and refuses further work", async () => {
  const device = await openOnnxDevice({ threads: 1 });
  const program = await device.compile(doubling());
  device.dispose();
  device.dispose();
  await assert.rejects(program.run({ x: f32([2], [1, 2]) }), /it was disposed/);
  await assert.rejects(device.compile(doubling()), /Cannot compile a graph: the CPU device was disposed/);
  assert.throws(() => device.upload(f32([1], [1])), /Cannot upload a tensor: the CPU device was disposed/);
});

test("Program.run() takes what a chain of reshapes gives", () =>
  withDevice(async (device) => {
    const graph = new Graph();
    const x = graph.input("x", [2, 3]);
    const wide = reshape(reshape(x, [6]), [3, 2]);
    graph.output("there", wide);
    graph.output("and back", reshape(wide, [2, 3]));
    const outputs = await (await device.compile(graph)).run({ x: f32([2, 3], [1, 2, 3, 4, 5, 6]) });
    assert.deepEqual([outputs.there.shape, outputs["and back"].shape], [[3, 2], [2, 3]]);
    assert.deepEqual(await numbers(outputs["and back"]), [1, 2, 3, 4, 5, 6]);
  }));
