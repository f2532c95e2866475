/**
 * The interface of all text engines: a model that turns tokens into tokens, and the constraints on what it writes.
 *
 * @module
 */
import type { TriedDevice } from "./engine_settings.ts";
import type {
  SamplingSettings,
  TemplateSources,
  TokenLogprobs,
  ToolConstraint,
  WireDiffusion,
} from "../../protocol/mod.ts";
import type { ChatModelProfile } from "./model_profile.ts";

/** The constraint on the tokens of an answer. */
export type OutputConstraint =
  | { readonly kind: "json_object" }
  | {
    readonly kind: "json_schema";
    readonly schema: Readonly<Record<string, unknown>>;
    readonly strict: boolean;
    /** The path of the schema in the client's request, for errors. */
    readonly path?: string | undefined;
  }
  /** Only calls when `forced`; else text, in which every call must follow its schema. */
  | {
    readonly kind: "tool_calls";
    readonly calls: ToolConstraint;
    readonly forced: boolean;
    /** Schemas that must be fully enforced, with their paths in the request. */
    readonly strict?: readonly { readonly schema: Readonly<Record<string, unknown>>; readonly path: string }[];
  };

/** An undecoded image of a prompt. */
export interface PromptImage {
  /** The file's bytes: PNG, JPEG or WebP. */
  readonly bytes: Uint8Array;
  readonly detail: "auto" | "low" | "high";
}

/** A prompt to continue, and how. */
export interface GenerationJob {
  readonly prompt: readonly number[];
  /** Number of tokens that stay the same when the chat continues: those before its last message. */
  readonly stablePrefix: number;
  /** Images in the order of their positions in the prompt; empty for models without image input. */
  readonly images: readonly PromptImage[];
  /** Maximum number of tokens to generate, at least 1; prompt and answer fit into the model's context. */
  readonly maxTokens: number;
  readonly sampling: SamplingSettings;
  readonly seed: number;
  readonly constraint: OutputConstraint | undefined;
  /** Number of alternatives for each token's log probabilities; undefined for no log probabilities. */
  readonly topLogprobs: number | undefined;
  /** Called on prefill progress, including cached tokens. */
  readonly onPrefill: (done: number, total: number) => void;
  /**
   * Called on each token of the answer, in order, except an end token; returning false ends the answer, as a stop
   * string does.
   */
  readonly onToken: (id: number, logprobs: TokenLogprobs | undefined) => boolean;
  /** Called on drafts of a diffusion model: the whole answer so far; undefined when drafts are not requested. */
  readonly onDraft: ((ids: readonly number[], draft: DraftStep) => void) | undefined;
}

/** The progress of denoising. */
export interface DraftStep {
  /** Counted from 1. */
  readonly step: number;
  readonly totalSteps: number;
  readonly canvasIndex: number;
  readonly blockComplete: boolean;
}

/** Statistics of an answer. */
export interface GenerationResult {
  /** `stop` when the model or `onToken` ended it, `length` when the token limit was reached. */
  readonly reason: "stop" | "length";
  /** Prompt tokens taken from the prefix cache. */
  readonly cachedTokens: number;
  readonly prefillSeconds: number;
  readonly decodeSeconds: number;
  /** From the start of the job to its first token. */
  readonly firstTokenSeconds: number;
  /** Seconds spent on log probabilities. */
  readonly captureSeconds?: number;
  readonly diffusion?: WireDiffusion;
}

/** Counters of an engine for `GET /runtime/status`; unsupported parts are absent. */
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
  /** Keys and values that stay on a GPU; absent on the CPU, and where the engine does not choose. */
  readonly deviceKVCache?: {
    readonly enabled: boolean;
    /** Why they do not stay. */
    readonly reason?: string;
    /** Of the active sequences. */
    readonly bytes: number;
    readonly steps: number;
    /** How often they were copied to the GPU, and from it. */
    readonly uploads: number;
    readonly downloads: number;
  };
  /** Speculative decoding: `assistant` is the source of its drafts. */
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
 * A loaded language model, in its engine's process. Several jobs may run concurrently.
 * Anything it throws besides an abort is unexpected; unsupported requests are refused earlier, by its {@linkcode
 * ChatModelProfile}.
 */
export interface LanguageModel {
  readonly profile: ChatModelProfile;
  readonly template: TemplateSources;
  /** Such as `cpu` or `cuda`. */
  readonly device: string;
  /** Better devices on which it failed, and why. */
  readonly tried?: readonly TriedDevice[] | undefined;
  /**
   * Compiles the grammar of a constraint ahead of {@linkcode generate}.
   *
   * @throws {SvcError} for a schema that cannot be kept to.
   */
  prepareConstraint?(constraint: OutputConstraint, signal: AbortSignal): Promise<void>;
  /**
   * Tokens of a rendered prompt: special tokens in it are recognized, and none is added that the template did not
   * write.
   */
  encode(text: string): readonly number[];
  /**
   * Tokens of a prompt in which each image mark is replaced by as many negative ids as the image takes. Only models
   * with the feature `images` have it. The result is used in a job unchanged.
   *
   * @param images In the order of their marks.
   * @throws {SvcError} `invalid_image`, or `images_not_placed` when the prompt has no mark for each.
   */
  placeImages?(
    prompt: readonly number[],
    images: readonly PromptImage[],
    signal: AbortSignal,
  ): Promise<readonly number[]>;
  /**
   * Stands for an image in a prompt where the template does not write its own mark; nobody can guess it. Undefined where
   * the template does.
   */
  readonly imageMark?: string | undefined;
  /** Number of tokens of a prompt where images take more than their ids; exact once the prompt was evaluated. */
  promptTokens?(prompt: readonly number[]): number;
  /** Text of tokens; end tokens are omitted, other special tokens are written literally. */
  decode(ids: readonly number[]): string;
  /** The bytes of a token, which may begin or end within a character; used with log probabilities. */
  bytesOf(id: number): Uint8Array;
  /** @throws the reason of `signal` when it aborts, at the latest after the current step. */
  generate(job: GenerationJob, signal: AbortSignal): Promise<GenerationResult>;
  counters(): EngineCounters;
  /** Frees what can be rebuilt, such as the prefix cache. */
  trim(): Promise<void>;
  /** Frees everything; no job may be running. */
  close(): Promise<void>;
}

/** What a grammar needs of a model's tokens. */
export interface TokenVocabulary {
  /** Number of logits; ids beyond the tokenizer's are never allowed. */
  readonly size: number;
  /** Tokens that end an answer. */
  readonly endTokens: readonly number[];
  /** The bytes of a token; undefined for an unused id. */
  bytesOf(id: number): Uint8Array;
  /** Whether a token is a control token, such as the start of a message, rather than text. */
  isSpecial(id: number): boolean;
}

/** The constraint on one answer. */
export interface TokenConstraint {
  /**
   * The allowed next tokens, one bit each, the lowest bit of the first word first. End tokens are included where the
   * answer may end, and are the only ones where it must. Other tokens may still be rejected by {@linkcode accept}.
   */
  mask(): Promise<Int32Array>;
  /**
   * Accepts the chosen token, unless it ends the answer. Returns false when it is rejected: the state is then
   * unchanged, except that the mask excludes it, and another token must be chosen from the same logits.
   */
  accept(id: number): boolean | Promise<boolean>;
  /** Call once, when the answer ends for any reason. */
  close(): void;
}

/** Creates constraints on the tokens of one model. */
export interface Constrainer {
  /** @throws {SvcError} `unsupported_parameter` for a schema that cannot be kept to, with the keyword. */
  constrain(constraint: OutputConstraint, signal: AbortSignal): Promise<TokenConstraint>;
  /** Compiles the grammar ahead of {@linkcode constrain}, which then is fast. Throws what that throws. */
  prepare(constraint: OutputConstraint, signal: AbortSignal): Promise<void>;
  /** Frees compiled grammars. */
  close(): void;
}

/** Does nothing until the first constraint is created. */
export type OpenConstrainer = (vocabulary: TokenVocabulary) => Constrainer;
