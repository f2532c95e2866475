import { onnxChatModel, type OnnxChatModelOptions } from "../fixtures/tiny_models/onnx_chat_model.ts";
import type { EngineOptions } from "../../lib/engines/contract/engine_entry.ts";
import type { GenerationJob, GenerationResult, LanguageModel } from "../../lib/engines/contract/language_model.ts";
import { openOnnxTextModel } from "../../lib/engines/onnx_text/onnx_text_model.ts";
import { NEUTRAL_SAMPLING } from "../../lib/protocol/mod.ts";
import { withModelFiles } from "./model_files.ts";

/** Options for engines of tests: on the CPU, without a grammar. */
export const TINY_ENGINE: EngineOptions = {
  device: "cpu",
  threads: 1,
  context: 2048,
  concurrency: 4,
  kvCacheMode: "default",
  lora: undefined,
  prefixCache: true,
  missing: [],
  random: { id: () => "0a1b2c3d", seed: () => 7 },
  openConstrainer: () => ({
    constrain: () => Promise.reject(new Error("this test has no grammar")),
    prepare: () => Promise.reject(new Error("this test has no grammar")),
    close: () => {},
  }),
  onProgress: () => {},
};

/** Runs work with a tiny model on ONNX Runtime. */
export async function withTinyModel(
  model: OnnxChatModelOptions,
  work: (model: LanguageModel) => Promise<void>,
  options: Partial<EngineOptions> = {},
): Promise<void> {
  await withModelFiles(onnxChatModel(model), async (files) => {
    const opened = await openOnnxTextModel(files, { ...TINY_ENGINE, ...options });
    try {
      await work(opened);
    } finally {
      await opened.close();
    }
  });
}

/** A greedy job of 12 tokens without anything special. */
export function tinyJob(prompt: readonly number[], job: Partial<GenerationJob> = {}): GenerationJob {
  return {
    prompt,
    stablePrefix: 0,
    images: [],
    maxTokens: 12,
    sampling: { ...NEUTRAL_SAMPLING, temperature: 0 },
    seed: 1,
    constraint: undefined,
    topLogprobs: undefined,
    onPrefill: () => {},
    onToken: () => true,
    onDraft: undefined,
    ...job,
  };
}

/** What a model answers. */
export interface TinyAnswer extends GenerationResult {
  readonly ids: readonly number[];
}

/** Lets a model write. */
export async function write(
  model: LanguageModel,
  job: GenerationJob,
  signal: AbortSignal = new AbortController().signal,
): Promise<TinyAnswer> {
  const ids: number[] = [];
  const onToken: GenerationJob["onToken"] = (id, logprobs) => {
    ids.push(id);
    return job.onToken(id, logprobs);
  };
  return { ...await model.generate({ ...job, onToken }, signal), ids };
}

/** A prompt of tokens that have no meaning, the same for the same seed. */
export function tinyPrompt(length: number, seed: number): number[] {
  let state = seed * 2654435761 >>> 0;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return 40 + (state >>> 8) % 160;
  });
}
