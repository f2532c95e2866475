/**
 * Runs a part of the streaming VAE call by call and keeps its state between them.
 *
 * @module
 */
import type { Device, Tensor, Value } from "../../lib/tensor/mod.ts";
import { FrameHistory } from "../../lib/models/arworld/vae/frame_history.ts";
import { runGraph } from "./run_graph.ts";

/** One stream. */
export class StreamRunner {
  /** What the last call left for the next, by name. */
  state: Map<string, Tensor<"f32">> = new Map();
  readonly #device: Device;
  #first = true;

  constructor(device: Device) {
    this.#device = device;
  }

  /** Runs the layer on the next frames [T,C,H,W]. */
  async run(
    frames: Tensor<"f32">,
    layer: (x: Value, history: FrameHistory) => Record<string, Value>,
  ): Promise<Record<string, Tensor<"f32">>> {
    let names: string[] = [];
    const first = this.#first;
    const past = Object.fromEntries(this.state);
    const got = await runGraph(this.#device, { frames }, ({ frames: x }, graph) => {
      const outputs = layer(x, new FrameHistory(graph, first ? "first" : "later"));
      names = [...graph.outputs.keys()];
      return outputs;
    }, past);
    this.state = new Map(names.map((name) => [name, got[name]]));
    this.#first = false;
    return got;
  }
}

/** Cuts [T,...] into consecutive parts of the given lengths. */
export function chunksOf(t: Tensor<"f32">, lengths: readonly number[]): Tensor<"f32">[] {
  let at = 0;
  return lengths.map((length) => frameRange(t, at, at += length));
}

/** The last frames of [T,...]. */
export function lastFrames(t: Tensor<"f32">, count: number): Tensor<"f32"> {
  return frameRange(t, t.shape[0] - count, t.shape[0]);
}

/** Joins parts along the first axis. */
export function joinFrames(parts: readonly Tensor<"f32">[]): Tensor<"f32"> {
  const data = new Float32Array(parts.reduce((n, t) => n + t.data.length, 0));
  let at = 0;
  for (const t of parts) {
    data.set(t.data, at);
    at += t.data.length;
  }
  return { dtype: "f32", shape: [parts.reduce((n, t) => n + t.shape[0], 0), ...parts[0].shape.slice(1)], data };
}

function frameRange(t: Tensor<"f32">, start: number, end: number): Tensor<"f32"> {
  const size = t.data.length / t.shape[0];
  return { dtype: "f32", shape: [end - start, ...t.shape.slice(1)], data: t.data.slice(start * size, end * size) };
}
