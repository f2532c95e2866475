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

  /**
   * Compiles nothing yet.
   *
   * @param single Whether there is one at a time: each has a copy of the weights.
   */
  constructor(device: Device, graph: (place: StreamPlace) => Graph, single: boolean) {
    this.#compile = (place) => device.compile(graph(place));
    this.#single = single;
  }

  /** Compiles those that may be there together. */
  async prepare(): Promise<void> {
    await this.at("first");
    if (!this.#single) await this.at("later");
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
