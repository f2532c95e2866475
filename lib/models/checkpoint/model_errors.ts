/**
 * What is invalid about the files of a model.
 *
 * @module
 */
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
