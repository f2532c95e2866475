/**
 * The error of everything that reads or writes safetensors.
 *
 * @module
 */

/** A safetensors file is damaged, hostile or does not hold what was asked for; names the file and the tensor. */
export class SafetensorsError extends Error {
  override name = "SafetensorsError";
}
