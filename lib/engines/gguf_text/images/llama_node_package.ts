/**
 * The package that reads images for GGUF models and that is not installed from the start.
 *
 * @module
 */

/** Name and version, as `npm install` takes them; states of other versions cannot be read. */
export const LLAMA_NODE_PACKAGE = "@fugood/llama.node@1.7.15";
