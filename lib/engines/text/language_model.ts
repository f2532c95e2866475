/**
 * What every text engine is to the chat protocol: a model that turns tokens into tokens.
 *
 * @module
 */
import type {
  SamplingSettings,
  TemplateSources,
  TokenLogprobs,
  ToolConstraint,
  WireDiffusion,
} from "../../api/protocol/mod.ts";
import type { ChatModelProfile } from "../files/model_profile.ts";

/** What the tokens of an answer have to spell. */
export type OutputConstraint =
  | { readonly kind: "json_object" }
  | { readonly kind: "json_schema"; readonly schema: Readonly<Record<string, unknown>>; readonly strict: boolean }
  /** Nothing but calls when they are `forced`; else text, in which every call that is begun has to follow its schema. */
  | { readonly kind: "tool_calls"; readonly calls: ToolConstraint; readonly forced: boolean };

/** An image of a prompt, decoded by nobody yet. */
export interface PromptImage {
  /** The file's bytes: PNG, JPEG or WebP. */
  readonly bytes: Uint8Array;
  readonly detail: "auto" | "low" | "high";
}

/** A prompt to go on from, and how. */
export interface GenerationJob {
  readonly prompt: readonly number[];
  /** How many of the first tokens stay the same when the chat goes on: those before its last message. */
  readonly stablePrefix: number;
  /** Images in the order of their places in the prompt; empty for models that see none. */
  readonly images: readonly PromptImage[];
  /** Tokens to generate at most, 1 or more; prompt and answer fit into the model's context. */
  readonly maxTokens: number;
  readonly sampling: SamplingSettings;
  readonly seed: number;
  readonly constraint: OutputConstraint | undefined;
  /** How many alternatives each token's log probabilities list; undefined for no log probabilities. */
  readonly topLogprobs: number | undefined;
  /** Hears of the tokens of the prompt that are done, those from a cache included. */
  readonly onPrefill: (done: number, total: number) => void;
  /** Gets each token of the answer, in order, an end token excluded; false ends the answer, as a stop string does. */
  readonly onToken: (id: number, logprobs: TokenLogprobs | undefined) => boolean;
  /** Gets the whole answer so far of a model that writes in no order; undefined when nobody wants drafts. */
  readonly onDraft: ((ids: readonly number[], draft: DraftStep) => void) | undefined;
}

/** Where the denoising of a draft stands. */
export interface DraftStep {
  /** Counted from 1. */
  readonly step: number;
  readonly totalSteps: number;
  readonly canvasIndex: number;
  readonly blockComplete: boolean;
}

/** How an answer came to be. */
export interface GenerationResult {
  /** `stop` when the model or `onToken` ended it, `length` when the tokens were used up. */
  readonly reason: "stop" | "length";
  /** Tokens of the prompt whose state was there already. */
  readonly cachedTokens: number;
  readonly prefillSeconds: number;
  readonly decodeSeconds: number;
  /** From the beginning of the job to its first token. */
  readonly firstTokenSeconds: number;
  /** What telling of log probabilities has cost. */
  readonly captureSeconds?: number;
  readonly diffusion?: WireDiffusion;
}

/** Counters of an engine for `GET /runtime/status`; absent parts are what it does not have. */
export interface EngineCounters {
  readonly prefixKVCache?: {
    readonly enabled: boolean;
    readonly entries: number;
    readonly maxEntries: number;
    readonly hits: number;
    readonly misses: number;
    readonly storedPrefixes: number;
    readonly reusedTokens: number;
    readonly storedTokens: number;
  };
  readonly continuousBatching?: {
    readonly enabled: boolean;
    readonly activeRows: number;
    readonly queuedRows: number;
    readonly batchedDecodeSteps: number;
    readonly samePositionBatchedSteps: number;
    readonly variablePositionBatchedSteps: number;
    readonly singleDecodeSteps: number;
    readonly totalBatchedRows: number;
    readonly maxBatchSize: number;
  };
  /** Speculation: `assistant` tells where its proposals come from. */
  readonly mtp?: {
    readonly available: boolean;
    readonly enabled: boolean;
    readonly active: boolean;
    readonly reason?: string;
    readonly blockSize: number;
    readonly threshold: number;
    readonly rounds: number;
    readonly draftedTokens: number;
    readonly acceptedTokens: number;
    readonly rejectedTokens: number;
  };
}

/**
 * A loaded language model, in the process of its engine. Several jobs may run at a time.
 *
 * Whatever it throws beside an abort is unexpected; what a request asks of it that it cannot do is refused before, by
 * its {@linkcode ChatModelProfile}.
 */
export interface LanguageModel {
  readonly profile: ChatModelProfile;
  readonly template: TemplateSources;
  /** Such as `cpu` or `cuda`. */
  readonly device: string;
  /** Tokens of a rendered prompt: special tokens in it are recognised, and none is added that the template wrote. */
  encode(text: string): readonly number[];
  /**
   * The tokens of a prompt with as many in place of each image's mark as the image takes: ids below 0 stand for what is
   * seen. Only models with the feature `images` have it. The result goes into a job as it is.
   *
   * @param images In the order of their marks.
   * @throws {SvcError} `invalid_image`, or `images_not_placed` when the prompt has no mark for each.
   */
  placeImages?(
    prompt: readonly number[],
    images: readonly PromptImage[],
    signal: AbortSignal,
  ): Promise<readonly number[]>;
  /** Text of tokens; special ones that end an answer are left out, others are written as they are. */
  decode(ids: readonly number[]): string;
  /** The bytes that a token stands for, which may begin or end within a character; asked for with log probabilities. */
  bytesOf(id: number): Uint8Array;
  /** @throws the reason of `signal` when it aborts, at the latest after the step under way. */
  generate(job: GenerationJob, signal: AbortSignal): Promise<GenerationResult>;
  counters(): EngineCounters;
  /** Gives back what can be made again, such as cached prefixes. */
  trim(): Promise<void>;
  /** Frees everything; no job is running. */
  close(): Promise<void>;
}
