/**
 * How large a schema may be, and how much work it may cost.
 *
 * @module
 */
import { wrongSchema } from "./schema_rules.ts";

/** Maximum nesting depth, and maximum total number of schemas and values. */
const DEEPEST_SCHEMA = 100;
const MAX_VALUES = 5_000;

/** UTF-16 code units of all names and texts. */
const MAX_TEXT = 262_144;

/** The limit that a schema exceeds, as text; undefined for none. Its time is bounded even for a hostile schema. */
export function tooLarge(schema: unknown): string | undefined {
  let [values, letters] = [0, 0];
  const open: [unknown, number][] = [[schema, 1]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [value, depth] = next;
    if (depth > DEEPEST_SCHEMA) return `it is deeper than ${DEEPEST_SCHEMA} levels`;
    if (++values > MAX_VALUES) return `it has more than ${MAX_VALUES} values`;
    if (typeof value === "string") letters += value.length;
    else if (Array.isArray(value)) { for (const item of value) open.push([item, depth + 1]); }
    else if (typeof value === "object" && value !== null) {
      for (const [key, item] of Object.entries(value)) {
        letters += key.length;
        open.push([item, depth + 1]);
      }
    }
    if (letters > MAX_TEXT) return `its names and texts have more than ${MAX_TEXT} letters`;
  }
  return undefined;
}

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
