/**
 * The error of reading and writing safetensors.
 *
 * @module
 */

/** A safetensors file is damaged, hostile or lacks what was requested; names the file and the tensor. */
export class SafetensorsError extends Error {
  /** Name of the class. */
  override name = "SafetensorsError";
}
