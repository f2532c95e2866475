/**
 * A first run on a device whose driver nobody has tried.
 *
 * @module
 */
import { attention, conv2d, type Device, f32, Graph, linear, type Tensor } from "../tensor/mod.ts";

const filled = (shape: readonly number[], value: number): Tensor =>
  f32(shape, new Float32Array(shape.reduce((a, b) => a * b)).fill(value));

/** Feeds, from which every result is one. */
const feeds = {
  rows: filled([512, 1024], 1 / 32),
  weight: filled([1024, 1024], 1 / 32),
  tokens: filled([48, 2, 64], 1),
  image: filled([1, 32, 12, 12], 0.25),
  kernel: filled([72, 32, 3, 3], 1 / 72),
};

/** Operations of the product that is timed. */
const TIMED = 2 * 512 * 1024 * 1024;

/** 16-bit floats round every product a little. */
const TOLERANCE = 0.02;

/**
 * Runs the kernels that a model needs most, and checks what they give.
 *
 * @returns floating-point operations a second of a matrix product.
 * @throws {Error} when the device gives something else, or fails.
 */
export async function probeDevice(device: Device, now: () => number = () => performance.now()): Promise<number> {
  await runChecked(device, ["tokens", "image", "kernel"], (graph, x) => {
    graph.output("attention", attention(x("tokens"), x("tokens"), x("tokens")));
    graph.output("convolution", conv2d(x("image"), x("kernel")));
  });
  let seconds = 0;
  await runChecked(
    device,
    ["rows", "weight"],
    (graph, x) => {
      graph.output("product", linear(x("rows"), x("weight")));
    },
    (time) => seconds = time,
    now,
  );
  return TIMED / Math.max(seconds, 1e-6);
}

type FeedName = keyof typeof feeds;

async function runChecked(
  device: Device,
  names: readonly FeedName[],
  build: (graph: Graph, input: (name: FeedName) => ReturnType<Graph["input"]>) => void,
  timed?: (seconds: number) => void,
  now: () => number = () => 0,
): Promise<void> {
  const graph = new Graph();
  const inputs = new Map(names.map((name) => [name, graph.input(name, feeds[name].shape)]));
  build(graph, (name) => inputs.get(name)!);
  const program = await device.compile(graph);
  const given = Object.fromEntries(names.map((name) => [name, device.upload(feeds[name])]));
  try {
    // The first run includes what drivers put off until then.
    for (let run = 0; run < (timed ? 2 : 1); run++) {
      const begin = now();
      const outputs = await program.run(given);
      try {
        for (const [name, output] of Object.entries(outputs)) {
          const wrong = (await output.read()).data.find((value) => !(Math.abs(value - 1) <= TOLERANCE));
          if (wrong !== undefined) throw new Error(`its ${name} gives ${wrong} where 1 is right`);
        }
      } finally {
        for (const output of Object.values(outputs)) output.release();
      }
      timed?.((now() - begin) / 1000);
    }
  } finally {
    for (const tensor of Object.values(given)) tensor.release();
    program.dispose();
  }
}
