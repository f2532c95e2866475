/**
 * What a server checks of an image before the model is loaded.
 *
 * @module
 */
export { checkReference, checkSecondPass, MAX_REFERENCES } from "../../models/flux2/image_request.ts";
