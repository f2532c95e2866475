/**
 * How fast a device runs the three kinds of kernels that take a world's time.
 *
 * @module
 */
import {
  attention,
  conv3d,
  type Device,
  f32,
  Graph,
  type GraphFlops,
  graphFlops,
  linear,
  sizeOf,
  type Value,
} from "../../lib/compute/tensor/mod.ts";

/** Floating-point operations a second, by kind of kernel. */
export type DeviceSpeed = GraphFlops;

/** How long each kind is measured, in milliseconds; the three together and their compilation take about ten seconds. */
const TIME = 2500;

/** Runs each kind with shapes of a large world's inner layers, but few rows, again and again. */
export async function measureDevice(
  device: Device,
  milliseconds: number = TIME,
  now: () => number = () => performance.now(),
): Promise<DeviceSpeed> {
  const measure = async (kind: keyof GraphFlops, shapes: readonly number[][], build: (x: Value[]) => Value) => {
    const graph = new Graph();
    graph.output("y", build(shapes.map((shape, i) => graph.input(`x${i}`, shape))));
    const program = await device.compile(graph);
    const feeds = Object.fromEntries(
      shapes.map((shape, i) => [`x${i}`, device.upload(f32(shape, new Float32Array(sizeOf(shape)).fill(0.01)))]),
    );
    const run = async () => {
      const { y } = await program.run(feeds);
      await y.read();
      y.release();
    };
    try {
      await run();
      const start = now();
      let runs = 0;
      do {
        await run();
        runs++;
      } while (now() - start < milliseconds);
      return graphFlops(graph)[kind] * runs / (now() - start) * 1000;
    } finally {
      for (const feed of Object.values(feeds)) feed.release();
      program.dispose();
    }
  };
  return {
    matmul: await measure("matmul", [[480, 2048], [2048, 2048]], ([x, w]) => linear(x, w)),
    conv: await measure(
      "conv",
      [[4, 128, 48, 64], [128, 128, 3, 3, 3]],
      ([x, w]) => conv3d(x, w, undefined, { pad: [1, 1, 1, 1] }),
    ),
    attention: await measure(
      "attention",
      [[480, 8, 128], [1920, 8, 128], [1920, 8, 128]],
      ([q, k, v]) => attention(q, k, v),
    ),
  };
}

/** Seconds that operations take at a speed. */
export function secondsOf(flops: GraphFlops, speed: DeviceSpeed): number {
  return flops.matmul / speed.matmul + flops.conv / speed.conv + flops.attention / speed.attention;
}
