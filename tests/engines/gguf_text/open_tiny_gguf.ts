import { ggufChatModel, type GgufChatModelOptions } from "../../fixtures/tiny_models/gguf_chat_model.ts";
import type { EngineOptions } from "../../../lib/engines/contract/engine_entry.ts";
import { openGgufTextModel } from "../../../lib/engines/gguf_text/open_gguf_text_model.ts";
import type {
  Constrainer,
  GenerationJob,
  GenerationResult,
  LanguageModel,
} from "../../../lib/engines/contract/language_model.ts";
import { NEUTRAL_SAMPLING, type SamplingSettings, type TokenLogprobs } from "../../../lib/protocol/mod.ts";
import { withModelFiles } from "../../support/model_files.ts";

/** Constrains nothing. */
export const noConstrainer: Constrainer = {
  constrain: () => Promise.reject(new Error("no constraint is expected")),
  prepare: () => Promise.reject(new Error("no constraint is expected")),
  close: () => {},
};

export const settings: EngineOptions = {
  device: "cpu",
  // More of them would wait for one another on a busy machine.
  threads: 1,
  context: 512,
  concurrency: 1,
  kvCacheMode: "default",
  lora: undefined,
  prefixCache: true,
  missing: [],
  random: { id: () => "0a1b2c3d", seed: () => 7 },
  openConstrainer: () => noConstrainer,
  onProgress: () => {},
};

/** Which tiny model, and how it is opened. */
export type TinyOptions = Partial<EngineOptions> & { readonly make?: GgufChatModelOptions };

/** Opens a tiny model. Its file is gone by then, its memory is not. */
export async function openTiny({ make, ...others }: TinyOptions): Promise<LanguageModel> {
  let model: LanguageModel | undefined;
  await withModelFiles(ggufChatModel(make), async (files) => {
    model = await openGgufTextModel(files, { ...settings, ...others });
  });
  return model!;
}

/** Runs work with a tiny model, which is closed afterwards. */
export async function withTiny(options: TinyOptions, work: (model: LanguageModel) => Promise<void>): Promise<void> {
  const model = await openTiny(options);
  try {
    await work(model);
  } finally {
    await model.close();
  }
}

export interface Said extends GenerationResult {
  readonly ids: number[];
  readonly text: string;
  readonly logprobs: (TokenLogprobs | undefined)[];
  /** What `onPrefill` heard. */
  readonly prefill: number[];
}

/** What a job leaves out. */
export type JobOptions = Partial<Omit<GenerationJob, "sampling" | "prompt">> & {
  readonly sampling?: Partial<SamplingSettings>;
  readonly signal?: AbortSignal;
};

/** Answers a prompt, greedily unless something else is asked for. */
export async function say(
  model: LanguageModel,
  prompt: string | readonly number[],
  { sampling, signal = new AbortController().signal, onToken, ...job }: JobOptions = {},
): Promise<Said> {
  const ids: number[] = [];
  const logprobs: (TokenLogprobs | undefined)[] = [];
  const prefill: number[] = [];
  const result = await model.generate({
    prompt: typeof prompt === "string" ? model.encode(prompt) : prompt,
    stablePrefix: 0,
    images: [],
    maxTokens: 300,
    sampling: { ...NEUTRAL_SAMPLING, temperature: 0, ...sampling },
    seed: 7,
    constraint: undefined,
    topLogprobs: undefined,
    onPrefill: (done) => prefill.push(done),
    onDraft: undefined,
    onToken: (id, logprob) => {
      ids.push(id);
      logprobs.push(logprob);
      return onToken?.(id, logprob) ?? true;
    },
    ...job,
  }, signal);
  return { ...result, ids, text: model.decode(ids), logprobs, prefill };
}
