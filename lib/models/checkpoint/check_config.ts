/**
 * Validates configurations against schemas; errors are collected, not thrown.
 *
 * @module
 */
import * as v from "valibot";

/** A width, depth or count. */
export const size: v.GenericSchema<unknown, number> = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(1),
  v.maxValue(1_000_000),
);

/** A number of layers, each of which has weights to list. */
export const depth: v.GenericSchema<unknown, number> = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(1),
  v.maxValue(1000),
);

/** Any number but infinities and NaN. */
export const finite: v.GenericSchema<unknown, number> = v.pipe(v.number(), v.finite());

/** A finite number above 0. */
export const positive: v.GenericSchema<unknown, number> = v.pipe(v.number(), v.finite(), v.gtValue(0));

/** The parsed value; adds one sentence per invalid field to `problems` and returns undefined then. */
export function checkConfig<S extends v.GenericSchema>(
  file: string,
  schema: S,
  input: unknown,
  problems: string[],
): v.InferOutput<S> | undefined {
  const result = v.safeParse(schema, input);
  if (result.success) return result.output;
  for (const issue of result.issues) {
    const field = v.getDotPath(issue) ?? "the file";
    problems.push(`${file}: ${field} is ${issue.received}, expected ${issue.expected ?? issue.message}`);
  }
  return undefined;
}
