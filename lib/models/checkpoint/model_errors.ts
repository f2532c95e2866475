/**
 * What is wrong with the files of a model.
 *
 * @module
 */

/** A configuration says something that no model of its kind can have; lists every wrong field. */
export class ModelConfigError extends Error {
  override name = "ModelConfigError";
  /** For clients of a server. */
  readonly code = "model_invalid";
  /** One sentence a wrong field. */
  readonly problems: readonly string[];

  /** From the wrong fields; `what` is the kind of model for the sentence. */
  constructor(problems: readonly string[], what = "world model") {
    super(`Cannot read the configuration of the ${what}: ${problems.join("; ")}`);
    this.problems = problems;
  }
}

/** A model root lacks files or tensors, or holds wrong ones; lists all of them. */
export class ModelFilesError extends Error {
  override name = "ModelFilesError";
  /** For clients of a server. */
  readonly code = "model_invalid";
  /** One sentence a file or tensor. */
  readonly problems: readonly string[];

  /** From everything that is wrong; `what` is the kind of model for the sentence. */
  constructor(problems: readonly string[], what = "world model") {
    super(
      `Cannot load the ${what}: ${problems.join("; ")}; ` +
        `put complete files there or name the folders of another model`,
    );
    this.problems = problems;
  }
}
