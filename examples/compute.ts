// deno-lint-ignore-file no-console
// Writes a small network as a graph and runs it: deno run -A examples/compute.ts, or npx tsx examples/compute.ts
import { f32, Graph, openOnnxDevice, ops } from "../lib/compute/mod.ts";

// y = softmax(x W + b): 2 rows of 3 numbers to 2 rows of 4 probabilities.
const g = new Graph();
const weight = g.constant(f32([4, 3], Float32Array.from({ length: 12 }, (_, i) => Math.sin(i))));
const bias = g.constant(f32([4], new Float32Array(4).fill(0.1)));
const x = g.input("x", [2, 3]);
g.output("y", ops.softmax(ops.add(ops.linear(x, weight), bias)));

const device = await openOnnxDevice({ threads: 1 });
const program = await device.compile(g);
const { y } = await program.run({ x: f32([2, 3], Float32Array.of(1, 2, 3, 4, 5, 6)) });
const { data } = await y.read();
console.log(Array.from(data as Float32Array, (value) => value.toFixed(3)).join(" "));
y.release();
program.dispose();
device.dispose();
