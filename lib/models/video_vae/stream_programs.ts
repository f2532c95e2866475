/**
 * The two programs of a stream: for its start and for the rest.
 *
 * @module
 */
import { type Device, type Graph, nextTurn, type Program } from "../../compute/tensor/mod.ts";
import type { StreamPlace } from "./frame_history.ts";

/** Programs by their place in a stream; both are there, or they take turns. */
export class StreamPrograms {
  readonly #compile: (place: StreamPlace) => Promise<Program>;
  readonly #single: boolean;
  readonly #programs = new Map<StreamPlace, Program>();

  private constructor(compile: (place: StreamPlace) => Promise<Program>, single: boolean) {
    this.#compile = compile;
    this.#single = single;
  }

  /**
   * Compiles them.
   *
   * @param single Whether there is one at a time: each has a copy of the weights.
   */
  static async compile(
    device: Device,
    graph: (place: StreamPlace) => Graph,
    single: boolean,
  ): Promise<StreamPrograms> {
    const programs = new StreamPrograms((place) => device.compile(graph(place)), single);
    await programs.at("first");
    if (!single) await programs.at("later");
    return programs;
  }

  /** The program of a place. */
  async at(place: StreamPlace): Promise<Program> {
    const known = this.#programs.get(place);
    if (known) return known;
    if (this.#single) {
      this.dispose();
      await nextTurn(); // in which the program that has the weights goes, before another one reads them
    }
    const program = await this.#compile(place);
    this.#programs.set(place, program);
    return program;
  }

  /** Releases them; they are compiled again when they are asked for. */
  dispose(): void {
    for (const program of this.#programs.values()) program.dispose();
    this.#programs.clear();
  }
}
