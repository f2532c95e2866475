/**
 * What is invalid about the files and the configuration of a model; errors are collected, not thrown one by one.
 *
 * @module
 */
import * as v from "valibot";
import { SvcError } from "../../errors/svc_error.ts";

/**
 * A configuration says something that no model of its kind can have; `problems` has a sentence for each field.
 *
 * @param model What it is the configuration of.
 */
export function invalidModelConfig(problems: readonly string[], model = "world model"): SvcError {
  const message = `Cannot read the configuration of the ${model}: ${problems.join("; ")}`;
  return new SvcError("model_invalid", message, { problems });
}

/** Problems that a message has; all are in the error's `problems`. */
const SHOWN = 8;

/**
 * A model root lacks files or tensors, or has invalid ones; `problems` has a sentence for each.
 *
 * @param model What could not be loaded.
 */
export function invalidModelFiles(problems: readonly string[], model = "world model"): SvcError {
  const more = problems.length > SHOWN ? ` and ${problems.length - SHOWN} more problems` : "";
  const other = model === "world model" ? ", turn published ones into these with svc model convert," : "";
  const message = `Cannot load the ${model}: ${problems.slice(0, SHOWN).join("; ")}${more}; ` +
    `put complete files there${other} or name the folders of another model`;
  return new SvcError("model_invalid", message, { problems });
}

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
