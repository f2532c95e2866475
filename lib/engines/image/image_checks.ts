/**
 * What a server checks of an image before the model is loaded.
 *
 * @module
 */
export {
  checkReference,
  checkSecondPass,
  checkTakesReferences,
  MAX_REFERENCES,
} from "../../models/image_pipeline/image_request.ts";
export { checkPromptLength } from "../../models/qwen3/prompt_length.ts";
