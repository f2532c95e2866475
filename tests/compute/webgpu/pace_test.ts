import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers";
import { Graph } from "../../../lib/compute/tensor/graph.ts";
import { graphCost } from "../../../lib/compute/tensor/graph_cost.ts";
import { attention } from "../../../lib/compute/tensor/ops/attention.ts";
import { conv2d, conv3d } from "../../../lib/compute/tensor/ops/conv.ts";
import { linear, matmul, quantizedLinear } from "../../../lib/compute/tensor/ops/matmul.ts";
import { quantize } from "../../../lib/compute/tensor/quantized_matrix.ts";
import { f32 } from "../../../lib/compute/tensor/tensor.ts";
import { lowerGraph } from "../../../lib/compute/webgpu/lowering/lower_graph.ts";
import { Pace, type PartQueue, ProgramPace, runParts } from "../../../lib/compute/webgpu/pace.ts";
import { DESKTOP_LIMITS } from "../../../lib/compute/webgpu/plan_program.ts";

/** Steps of so many teraflops that bind nothing: two estimated seconds each. */
const steps = (...teraflops: number[]) => teraflops.map((t) => ({ flops: t * 1e12, bindings: [] }));

/** Where the parts of a run end. */
function ends(pace: ProgramPace): number[] {
  const found: number[] = [];
  for (let begin = 0; begin < pace.steps; begin = found.at(-1)!) found.push(pace.end(begin));
  return found;
}

test("ProgramPace.end() ends a part before it takes too long, and never splits a step", () => {
  const split = (seconds: number, ...teraflops: number[]) =>
    ends(new ProgramPace(new Pace(seconds), steps(...teraflops)));
  assert.deepEqual(split(1), []);
  assert.deepEqual(split(1, 0.1), [1]);
  assert.deepEqual(split(1, 0.25, 0.25, 0.01, 5, 0.01, 0.2), [2, 3, 4, 6]);
  assert.deepEqual(split(0, 1, 1, 1), [1, 2, 3]);
});

test("ProgramPace counts what steps read and write", () => {
  const region = { source: { kind: "scratch" }, type: "float", bytes: 25e9 } as const;
  const step = { flops: 0, bindings: [{ region, offset: 0, bytes: 25e9 }] };
  assert.deepEqual(ends(new ProgramPace(new Pace(1), [step, step, step])), [2, 3]);
});

test("ProgramPace.learn() believes the last measure and ignores invalid ones", () => {
  const pace = new ProgramPace(new Pace(1), steps(0.25, 0.25));
  assert.deepEqual([pace.seconds(), pace.measured], [1, false]);
  for (const nonsense of [0, -1, NaN, Infinity]) pace.learn(0, 2, nonsense);
  pace.learn(1, 1, 5);
  assert.deepEqual([pace.seconds(), pace.measured], [1, false]);
  pace.learn(0, 1, 4);
  assert.deepEqual([pace.seconds(), pace.measured], [8, true]);
  pace.learn(0, 2, 2);
  assert.equal(pace.seconds(), 2);
});

test("A device that was slow is slow for new programs, one that was fast is measured again for each", () => {
  const device = new Pace(1);
  const first = new ProgramPace(device, steps(0.5));
  first.learn(0, 1, 3);
  assert.equal(new ProgramPace(device, steps(0.5)).seconds(), 3);
  first.learn(0, 1, 0.01);
  assert.equal(new ProgramPace(device, steps(0.5)).seconds(), 1);
});

/** A device that works in virtual time: what is handed to it waits for what it has. */
class VirtualDevice implements PartQueue {
  readonly pace: Pace = new Pace();
  /** When the last submission ends, in virtual milliseconds. */
  free = 0;
  /** Seconds of each part since the last run began. */
  parts: number[] = [];
  onSubmit: () => void = () => {};
  #now = 0;
  readonly #cost: (step: number) => number;

  /** @param cost Seconds of a step. */
  constructor(cost: (step: number) => number) {
    this.#cost = cost;
  }

  submit(begin: number, end: number): Promise<number> {
    let seconds = 0;
    for (let i = begin; i < end; i++) seconds += this.#cost(i);
    this.parts.push(seconds);
    this.onSubmit();
    this.free = Math.max(this.free, this.#now) + 1000 * seconds;
    return Promise.resolve(this.#now);
  }

  /** Time advances to the end of what was submitted once nothing else is left to do. */
  async done(): Promise<void> {
    const until = this.free;
    await new Promise((resolve) => setImmediate(resolve));
    this.#now = Math.max(this.#now, until);
  }

  now(): number {
    return this.#now;
  }

  /** Runs a program, and gives the number of its parts. */
  async run(program: ProgramPace, signal?: AbortSignal): Promise<number> {
    this.parts = [];
    await runParts(this, this.pace, program, signal);
    return this.parts.length;
  }
}

/** A pass of a published world of 5 billion weights over a full window: 1,358 dispatches, 4.89 TFLOP. */
const pass = steps(...new Array<number>(1358).fill(4.89 / 1358));

test("A fast device is measured within its first run, and has the next ones in one part", async () => {
  const device = new VirtualDevice(() => 0.05 / 1358);
  const program = new ProgramPace(device.pace, pass);
  assert.ok(ends(program).length > 60);
  assert.ok(await device.run(program) <= 4);
  for (let i = 0; i < 3; i++) {
    await device.done();
    assert.equal(await device.run(program), 1);
  }
});

test("A program is not measured together with what was queued before it", async () => {
  const device = new VirtualDevice(() => 0.05 / 1358);
  const program = new ProgramPace(device.pace, pass);
  await device.run(program);
  await device.done();
  for (let i = 0; i < 5; i++) assert.equal(await device.run(program), 1, "five passes without a wait");
  await device.done();
  await device.done();
  assert.ok(program.seconds() < 0.06, `measured ${program.seconds()}`);
  assert.equal(await device.run(program), 1);
  // Nor is the first run of another program.
  const other = new ProgramPace(device.pace, pass);
  await device.run(other);
  await device.done();
  assert.ok(other.seconds() < 0.06, `measured ${other.seconds()}`);
});

test("A slow device never has a part that a watchdog could notice, from the second on", async () => {
  const device = new VirtualDevice(() => 100 / 1358);
  const program = new ProgramPace(device.pace, pass);
  await device.run(program);
  assert.ok(device.parts.slice(0, 1).every((seconds) => seconds < 1.6));
  assert.ok(device.parts.slice(1).every((seconds) => seconds <= 0.15));
  await device.done();
  await device.run(program);
  assert.ok(device.parts.every((seconds) => seconds <= 0.15));
});

test("Steps that are slower than those before them do not take a watchdog's time", async () => {
  // A tenth of a run computes at 100 TFLOP/s, the rest at a fifteenth of it.
  const device = new VirtualDevice((i) => (i < 136 ? 1 : 15) * 4.89 / 1358 / 100);
  const program = new ProgramPace(device.pace, pass);
  await device.run(program);
  assert.ok(Math.max(...device.parts) < 1, `${device.parts}`);
});

test("A run is stopped between its parts, in its first and in later runs, and short runs are not measured", async () => {
  const device = new VirtualDevice(() => 1 / 1358);
  const program = new ProgramPace(device.pace, pass);
  for (const measured of [false, true]) {
    assert.equal(program.measured, measured);
    const abort = new AbortController();
    device.onSubmit = () => void setTimeout(() => abort.abort(new Error("enough")), 0);
    await assert.rejects(device.run(program, abort.signal), /enough/);
    device.onSubmit = () => {};
    assert.equal(device.parts.length, 1);
    await device.done();
  }
  const short = new ProgramPace(device.pace, steps(1e-4, 1e-4));
  await device.run(short);
  await device.done();
  assert.ok(!short.measured);
  assert.equal(await device.run(new ProgramPace(device.pace, [])), 1, "outputs that are inputs need a submission");
});

test("lowerGraph() says of each product what it costs", () => {
  const graph = new Graph();
  const numbers = (...shape: number[]) => f32(shape, new Float32Array(shape.reduce((a, b) => a * b)));
  const x = (name: string, ...shape: number[]) => graph.input(name, shape);
  const q = x("q", 40, 2, 8);
  graph.output("attention", attention(q, q, q));
  graph.output("batched attention", attention(x("b", 3, 5, 2, 4), x("c", 3, 7, 2, 4), x("d", 3, 7, 2, 6)));
  graph.output(
    "conv2d",
    conv2d(x("i", 2, 3, 9, 8), graph.constant(numbers(5, 3, 3, 3)), undefined, { stride: [2, 1] }),
  );
  graph.output("conv3d", conv3d(x("j", 4, 3, 9, 8), graph.constant(numbers(5, 3, 2, 3, 3))));
  graph.output("rows", linear(x("r", 3, 16), graph.constant(numbers(20, 16))));
  graph.output("blocks", linear(x("s", 2, 30, 16), graph.constant(numbers(20, 16))));
  graph.output("batch", matmul(x("t", 2, 30, 16), x("u", 2, 16, 7)));
  graph.output("quantised", quantizedLinear(x("v", 9, 32), quantize(numbers(12, 32), { bits: 8, groupSize: 16 })));
  // A binding so small that weights are multiplied in parts.
  for (const maxStorageBufferBindingSize of [DESKTOP_LIMITS.maxStorageBufferBindingSize, 8192]) {
    const { steps } = lowerGraph(graph, { ...DESKTOP_LIMITS, maxStorageBufferBindingSize }, "f32");
    assert.equal(steps.reduce((sum, { flops }) => sum + flops, 0), graphCost(graph).flops);
  }
});
