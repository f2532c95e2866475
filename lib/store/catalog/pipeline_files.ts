/**
 * The files of a pipeline of diffusers: folders of components, with safetensors for weights.
 *
 * @module
 */

/** The file at the top of a pipeline. */
const INDEX = "model_index.json";

/** Components that image models read. */
const COMPONENTS = ["scheduler", "text_encoder", "tokenizer", "transformer", "vae"];

/**
 * The files that a pipeline is made of: configurations, templates, tokenizers and weights of its components; undefined for
 * other folders. What repositories hold besides, such as all weights in one file, is left out.
 */
export function pipelineFiles(paths: readonly string[]): string[] | undefined {
  if (!paths.includes(INDEX)) return undefined;
  return paths.filter((path) =>
    path === INDEX || /^(LICEN[CS]E|NOTICE|README)[^/]*$/i.test(path) || isPart(path.split("/"))
  ).sort();
}

function isPart([folder, name, ...more]: readonly string[]): boolean {
  if (!COMPONENTS.includes(folder) || name === undefined || more.length > 0) return false;
  // Variants such as model.fp16.safetensors would be a second set of weights.
  return /\.(json|jinja|txt|model)$/.test(name) || /^[^.]+\.safetensors$/.test(name);
}
