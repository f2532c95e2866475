/**
 * Runs a part of the streaming VAE call by call and keeps its state between them.
 *
 * @module
 */
import type { Device, Tensor, Value } from "../../lib/compute/tensor/mod.ts";
import { FrameHistory } from "../../lib/models/video_vae/frame_history.ts";
import { GraphRunner } from "./run_graph.ts";

/** A part of the VAE: frames [T,C,H,W] to outputs. */
export type StreamLayer = (x: Value, history: FrameHistory) => Record<string, Value>;

/** A part of the VAE, compiled for the calls of any number of streams. */
export class StreamPrograms {
  readonly #first: GraphRunner;
  readonly #later: GraphRunner;

  constructor(device: Device, layer: StreamLayer) {
    const build = (place: "first" | "later") =>
      new GraphRunner(device, ({ frames }, graph) => {
        const outputs = layer(frames, new FrameHistory(graph, place));
        // The history has named its outputs already; under a second name they are distinct from the layer's own.
        return { ...outputs, ...Object.fromEntries([...graph.outputs].map(([name, v]) => [`state ${name}`, v])) };
      });
    this.#first = build("first");
    this.#later = build("later");
  }

  /** A stream at its start. */
  start(): StreamRunner {
    return new StreamRunner(this.#first, this.#later);
  }

  dispose(): void {
    this.#first.dispose();
    this.#later.dispose();
  }
}

/** One stream. */
export class StreamRunner {
  /** What the last call left for the next, by name. */
  state: Record<string, Tensor<"f32">> | undefined;
  readonly #first: GraphRunner;
  readonly #later: GraphRunner;

  constructor(first: GraphRunner, later: GraphRunner) {
    this.#first = first;
    this.#later = later;
  }

  /** Runs the layer on the next frames [T,C,H,W]. */
  async run(frames: Tensor<"f32">): Promise<Record<string, Tensor<"f32">>> {
    const got = await (this.state ? this.#later : this.#first).run({ frames }, this.state);
    const kept = Object.keys(got).filter((name) => name.startsWith("state "));
    this.state = Object.fromEntries(kept.map((name) => [name.slice("state ".length), got[name]]));
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
