/**
 * The package that the engine `transformers-js` needs and that is not installed from the start.
 *
 * @module
 */

/** Name and version, as `npm install` takes them. */
export const TRANSFORMERS_PACKAGE = "@huggingface/transformers@4.3.1";
