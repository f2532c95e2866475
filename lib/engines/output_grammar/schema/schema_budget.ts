/**
 * How much work a schema may cost.
 *
 * @module
 */
import { wrongSchema } from "./schema_error.ts";

/** Steps of a microsecond or so. The largest schemas of published tools take some ten thousand. */
export const MAX_STEPS = 500_000;

/** Counts the steps of one compilation: a small text may stand for a schema that is endless for all that matters. */
export class SchemaBudget {
  #left: number;

  constructor(steps: number = MAX_STEPS) {
    this.#left = steps;
  }

  /** Steps that are left. */
  get left(): number {
    return this.#left;
  }

  /**
   * Takes some steps.
   *
   * @param path Of the schema that they are for.
   * @throws {SvcError} when fewer are left.
   */
  spend(steps: number, path: string): void {
    this.#left -= steps;
    if (this.#left < 0) throw wrongSchema(path, "it takes too long to compile, expected a simpler schema");
  }
}
