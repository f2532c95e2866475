/**
 * A network over points, in batches of one size.
 *
 * @module
 */
import { type Device, f32, type Graph, type Program, type Value } from "../../compute/tensor/mod.ts";
import { stageGraph } from "../vision/run_stages.ts";
import type { Triplane } from "./triplane.ts";

/** Points of a batch. */
export const POINT_BATCH = 32768;

/** Samples a triplane and runs a small network over the features of the points. */
export class PointProgram {
  readonly #program: Program;
  readonly #planes: Triplane;
  readonly #batch: number;
  readonly #outputs: number;
  readonly #features: Float32Array;

  private constructor(program: Program, planes: Triplane, batch: number, outputs: number) {
    this.#program = program;
    this.#planes = planes;
    this.#batch = batch;
    this.#outputs = outputs;
    this.#features = new Float32Array(batch * planes.width);
  }

  /**
   * Compiles the network.
   *
   * @param network Features [batch,width] to numbers [batch,outputs].
   * @param batch Points that are looked at together; fewer are filled up.
   */
  static async compile(
    device: Device,
    planes: Triplane,
    network: (features: Value) => Value,
    batch: number = POINT_BATCH,
  ): Promise<PointProgram> {
    const program = await device.compile(stageGraph(pointStage(planes.width, network, batch)));
    return new PointProgram(program, planes, batch, program.outputs.get("values")!.shape[1]);
  }

  /** Numbers [N,outputs] of points [N,3]. */
  async evaluate(points: Float32Array): Promise<Float32Array> {
    const count = points.length / 3;
    const out = new Float32Array(count * this.#outputs);
    const width = this.#planes.width;
    for (let start = 0; start < count; start += this.#batch) {
      const batch = points.subarray(3 * start, 3 * (start + this.#batch));
      this.#planes.sample(batch, this.#features);
      const features = f32([this.#batch, width], this.#features);
      const { values } = await this.#program.run({ features });
      const { data } = await values.read();
      values.release();
      out.set((data as Float32Array).subarray(0, batch.length / 3 * this.#outputs), start * this.#outputs);
    }
    return out;
  }

  /** Releases the program. */
  dispose(): void {
    this.#program.dispose();
  }
}

/** The network as a stage: `features` [batch,width] -> `values` [batch,outputs]. */
export function pointStage(width: number, network: (features: Value) => Value, batch: number = POINT_BATCH) {
  return (graph: Graph): { readonly values: Value } => ({ values: network(graph.input("features", [batch, width])) });
}
