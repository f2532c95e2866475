import type { GenerationJob, GenerationResult, LanguageModel } from "../../lib/engines/contract/language_model.ts";
import type { ChatModelProfile } from "../../lib/engines/contract/model_profile.ts";
import { TEXT_FEATURES } from "../../lib/engines/text/text_capabilities.ts";
import { NEUTRAL_SAMPLING, type TextFeature } from "../../lib/protocol/mod.ts";

/** Ends an answer of {@link FakeLanguageModel}. */
export const END = 256;

const TEMPLATE = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}<assistant>";

export interface FakeModelOptions {
  readonly profile?: Partial<ChatModelProfile>;
  readonly features?: readonly TextFeature[];
  readonly template?: string;
  /** What it answers to a prompt. */
  readonly answer?: (prompt: string) => string;
  /** Awaited before each token, with its index. */
  readonly beforeToken?: (index: number, signal: AbortSignal) => Promise<void>;
}

/** A model whose tokens are bytes and whose answers are given. Its clock stands still. */
export class FakeLanguageModel implements LanguageModel {
  readonly profile: ChatModelProfile;
  readonly template: LanguageModel["template"];
  readonly device = "cpu";
  readonly tried = [{ device: "webgpu", reason: "its first run failed" }];
  readonly jobs: GenerationJob[] = [];
  trims = 0;
  closed = false;
  readonly #options: FakeModelOptions;

  constructor(options: FakeModelOptions = {}) {
    this.#options = options;
    this.template = { chat: options.template ?? TEMPLATE, toolUse: undefined, tokens: {} };
    this.profile = {
      kind: "chat",
      engine: "onnx-text",
      context: 4096,
      maxOutputTokens: undefined,
      capabilities: { features: new Set(options.features ?? TEXT_FEATURES), reasoning: undefined },
      sampling: NEUTRAL_SAMPLING,
      kvCacheModes: [],
      ...options.profile,
    };
  }

  encode(text: string): readonly number[] {
    return [...new TextEncoder().encode(text)];
  }

  decode(ids: readonly number[]): string {
    return new TextDecoder().decode(new Uint8Array(ids.filter((id) => id !== END)));
  }

  bytesOf(id: number): Uint8Array {
    return id >= END ? new Uint8Array() : Uint8Array.of(id);
  }

  async generate(job: GenerationJob, signal: AbortSignal): Promise<GenerationResult> {
    this.jobs.push(job);
    const { answer = () => "Hello.", beforeToken = () => Promise.resolve() } = this.#options;
    job.onPrefill(job.prompt.length, job.prompt.length);
    const tokens = [...this.encode(answer(this.decode(job.prompt))), END];
    let reason: "stop" | "length" = "length";
    for (const [index, id] of tokens.entries()) {
      await beforeToken(index, signal);
      signal.throwIfAborted();
      if (id === END) reason = "stop";
      if (id === END || index === job.maxTokens) break;
      const one = { id, raw: -0.5, policy: -0.25 };
      const logprobs = job.topLogprobs === undefined
        ? undefined
        : { ...one, top: [one], rawEntropy: 1, policyEntropy: 1, rawMargin: 2, policyMargin: 2 };
      if (job.onToken(id, logprobs)) continue;
      reason = "stop";
      break;
    }
    return {
      reason,
      cachedTokens: 3,
      prefillSeconds: 1,
      decodeSeconds: 2,
      firstTokenSeconds: 1.5,
      captureSeconds: 0.125,
    };
  }

  counters(): ReturnType<LanguageModel["counters"]> {
    return { mtp: { ...NO_SPECULATION, rounds: this.jobs.length } };
  }

  trim(): Promise<void> {
    this.trims++;
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.closed = true;
    return Promise.resolve();
  }
}

const NO_SPECULATION = {
  available: true,
  enabled: true,
  active: false,
  blockSize: 8,
  threshold: 0.5,
  rounds: 0,
  draftedTokens: 0,
  acceptedTokens: 0,
  rejectedTokens: 0,
};
