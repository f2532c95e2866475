/**
 * Files of models that other programs keep on this machine.
 *
 * @module
 */

/** A model where another program keeps it. */
export interface FoundFiles {
  /** Whose it is, such as `ollama`. */
  readonly origin: "hub cache" | "ollama" | "lm studio";
  /** Its name there, such as `onnx-community/Qwen3-0.6B-ONNX` or `qwen3:0.6b`. */
  readonly name: string;
  /** What `svc model add` takes: a folder, or a file of weights. */
  readonly path: string;
}

/** More than a person has; a folder with more is none of these. */
export const MAX_FOUND = 1000;
