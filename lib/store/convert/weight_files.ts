/**
 * Names of files with weights.
 *
 * @module
 */

/** Files that a checkpoint may consist of. */
export const WEIGHTS: RegExp = /\.(safetensors|pt|pth|ckpt|bin|gguf)$/i;
