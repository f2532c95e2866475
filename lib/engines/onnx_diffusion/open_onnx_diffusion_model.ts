/**
 * Masked diffusion language models on ONNX Runtime.
 *
 * @module
 */
import type { Tokenizer } from "@huggingface/tokenizers";
import { readTokenizer } from "../files/tokenizer_files.ts";
import type { GenerationJob, GenerationResult, LanguageModel } from "../contract/language_model.ts";
import type { ModelFiles } from "../contract/engine_entry.ts";
import { readModelJson } from "../files/model_json.ts";
import { EncoderGraph, type GraphSettings } from "../onnx_encoder/encoder_graph.ts";
import { readEndTokens } from "../onnx_text/read_onnx_text_profile.ts";
import { readTokenTable } from "../constrained_decoding/token_table.ts";
import { denoise, type DenoisingJob, type SequenceLogits } from "./denoise.ts";
import { type DiffusionRecipe, MAX_ANSWER_TOKENS, readDiffusionRecipe } from "./diffusion_recipe.ts";

/** Shown in drafts for an unknown token. */
const UNKNOWN = "\u2591";

/**
 * Opens a masked diffusion model in Hugging Face layout, such as LLaDA and Dream: `input_ids` and, if the graph takes
 * it, `attention_mask` to the logits of all tokens, with bidirectional attention.
 *
 * @throws {Error} naming the file that is missing or unusable.
 */
export async function openOnnxDiffusionModel(files: ModelFiles, settings: GraphSettings): Promise<LanguageModel> {
  const recipe = await readDiffusionRecipe(files);
  if (recipe === undefined) {
    throw new Error("Cannot open the model: it is not a masked diffusion model, expected mask_token_id in config.json");
  }
  const tokenizer = await readTokenizer(files);
  const table = readTokenTable(await readModelJson(files, "tokenizer.json"));
  const endTokens = await readEndTokens(files, recipe.template, (token) => tokenizer.token_to_id(token));
  const graph = await EncoderGraph.open(files, recipe.config, settings);
  const judge = (ids: readonly number[]) => logitsOf(graph, ids);
  try {
    const { width } = await judge([0]);
    if (width <= recipe.maskToken) {
      throw new Error(`Cannot use config.json: mask_token_id is ${recipe.maskToken}, expected one of ${width} tokens`);
    }
  } catch (error) {
    await graph.close();
    throw error;
  }
  return {
    profile: recipe.profile,
    template: recipe.template,
    device: graph.device,
    encode: (text) => tokenizer.encode(text, { add_special_tokens: false }).ids,
    decode: (ids) => decode(tokenizer, endTokens, recipe.maskToken, ids),
    bytesOf: (id) => table.bytesOf(id),
    generate: (job, signal) => generate(recipe, endTokens, judge, job, signal),
    counters: () => ({}),
    trim: () => Promise.resolve(),
    close: () => graph.close(),
  };
}

async function logitsOf(graph: EncoderGraph, ids: readonly number[]): Promise<SequenceLogits> {
  const { data, shape } = await graph.run([{ ids, types: [] }], "logits");
  if (shape.length === 3 && shape[1] === ids.length) return { data, width: shape[2] };
  throw new Error(`Cannot write with ${graph.file}: its logits are [${shape}], expected those of ${ids.length} tokens`);
}

function decode(
  tokenizer: Tokenizer,
  endTokens: ReadonlySet<number>,
  maskToken: number,
  ids: readonly number[],
): string {
  const shown = ids.filter((id) => !endTokens.has(id) && tokenizer.id_to_token(id) !== undefined);
  // The library cannot decode an empty list.
  if (shown.length === 0) return "";
  const text = tokenizer.decode(shown, { clean_up_tokenization_spaces: false });
  const mask = tokenizer.id_to_token(maskToken);
  return mask === undefined ? text : text.replaceAll(mask, UNKNOWN);
}

async function generate(
  { maskToken, canvasTokens, steps, shifted }: DiffusionRecipe,
  endTokens: ReadonlySet<number>,
  judge: DenoisingJob["judge"],
  job: GenerationJob,
  signal: AbortSignal,
): Promise<GenerationResult> {
  const { prompt, sampling, seed } = job;
  const begin = performance.now();
  const seconds = () => (performance.now() - begin) / 1000;
  let firstDraftSeconds = 0;
  let firstTokenSeconds: number | undefined;
  const { reason, ...work } = await denoise({
    prompt,
    length: Math.min(job.maxTokens, MAX_ANSWER_TOKENS),
    sampling,
    seed,
    maskToken,
    endTokens,
    canvasTokens,
    steps,
    shifted,
    judge,
    onStep: (ids, draft) => {
      if (firstDraftSeconds === 0) {
        firstDraftSeconds = seconds();
        job.onPrefill(prompt.length, prompt.length);
      }
      job.onDraft?.(ids, draft);
    },
    onToken: (id) => {
      firstTokenSeconds ??= seconds();
      return job.onToken(id, undefined);
    },
  }, signal);
  const all = seconds();
  return {
    reason,
    cachedTokens: 0,
    // The first step includes the prefill.
    prefillSeconds: firstDraftSeconds,
    decodeSeconds: all - firstDraftSeconds,
    firstTokenSeconds: firstTokenSeconds ?? all,
    diffusion: {
      seed,
      canvasTokens: work.canvasTokens,
      denoisingSteps: work.steps,
      workTokens: work.workTokens,
      canvasTokensPerSecond: work.canvasTokens / all,
      workTokensPerSecond: work.workTokens / all,
      firstDraftSeconds,
    },
  };
}
