/**
 * Chats: from the body of a request to its answer.
 *
 * @module
 */
import type { ChatListener, ChatOutcome } from "../../engines/contract/chat_engine.ts";
import { EngineEndedError } from "../../engines/process/engine_child.ts";
import type { ChatModelProfile } from "../../engines/contract/model_profile.ts";
import type { Clock } from "../../scheduling/mod.ts";
import {
  type ChatRequest,
  type ChatResponseHead,
  checkCapabilities,
  type DialectChat,
  outputBudget,
  readChatRequest,
  type SamplingSettings,
} from "../../protocol/mod.ts";
import type { BenchmarkStats } from "./benchmark_stats.ts";
import { checkChatImages, type ReadImage, withoutImageData } from "./chat_images.ts";
import type { ModelDirectory } from "./model_directory.ts";
import type { ApiRuntime } from "./api_runtime.ts";
import { SvcError } from "../../errors/svc_error.ts";
import type { InstalledModel, RuntimeSettings } from "../../store/catalog/installed_model.ts";
import { testWarnings } from "../../store/catalog/test_model.ts";

/** Options of {@linkcode ChatService}. */
interface ChatServiceOptions {
  readonly directory: ModelDirectory;
  readonly runtime: ApiRuntime;
  readonly stats: BenchmarkStats;
  readonly clock: Clock;
  /** A new UUID. */
  readonly newId: () => string;
  /** Id of the model that answers chats without a model name. */
  readonly defaultModel?: string | undefined;
  /** The server's limit of prompt and answer together, in tokens. */
  readonly contextSize: number;
  readonly readImage: ReadImage;
}

/** Callbacks of a running chat. */
export type ChatEvents = Pick<ChatListener, "onReasoning" | "onText" | "onDraft"> & {
  /** Called with the number of tokens of the prompt, before anything else. */
  readonly onPrompt?: (tokens: number) => void;
};

/** A completed chat. */
export interface ChatReply extends ChatOutcome {
  /** Seconds spent waiting for the model to load. */
  readonly loadSeconds: number;
}

/** A chat that has passed all validation that needs no model. */
export interface PreparedChat {
  readonly request: ChatRequest;
  readonly head: ChatResponseHead;
  readonly profile: ChatModelProfile;
  /**
   * Waits for a slot and for the model, and answers.
   *
   * @throws {SvcError} for every reason of the pool.
   * @throws {SvcError} a prompt that is too long, output that broke its schema.
   * @throws the reason of `signal` when it aborts.
   */
  run(events: ChatEvents, signal: AbortSignal): Promise<ChatReply>;
}

/** Validates and answers chats. */
export class ChatService {
  readonly #options: ChatServiceOptions;

  constructor(options: ChatServiceOptions) {
    this.#options = options;
  }

  /**
   * Performs all validation that needs no model.
   *
   * @param body The parsed JSON of the request.
   * @throws {SvcError} for a field that is wrong or that the model cannot honour.
   * @throws {SvcError} for a missing model or missing images.
   */
  prepare(body: unknown): Promise<PreparedChat> {
    return this.#prepare(readChatRequest(body));
  }

  /** As {@linkcode prepare}, for a request of another API, with its paths in errors. */
  async prepareDialect({ request, places }: DialectChat): Promise<PreparedChat> {
    const reword = (error: unknown): never => {
      throw places.reword(error);
    };
    const chat = await this.#prepare(request).catch(reword);
    return { ...chat, run: (events, signal) => chat.run(events, signal).catch(reword) };
  }

  async #prepare(asked: ChatRequest): Promise<PreparedChat> {
    const { directory, runtime, clock, newId, contextSize, readImage, defaultModel = "" } = this.#options;
    const name = asked.model.trim() === "" ? defaultModel : asked.model;
    const { model, profile, settings } = await directory.find(name, "chat", "complete the chat");
    const request = checkCapabilities(asked, profile.capabilities);
    const { context, presetMaxTokens } = chatLimits(profile, settings, contextSize);
    const max = profile.maxOutputTokens;
    const budget = {
      promptTokens: 0,
      context,
      requested: request.maxTokens,
      param: request.maxTokensField,
      preset: presetMaxTokens,
      max,
    };
    const info = {
      streaming: request.stream,
      requestedMaxTokens: outputBudget(budget),
      toolCount: request.tools.length,
    };
    const sources = await checkChatImages(request, readImage);
    const forEngine = sources.length === 0 ? request : withoutImageData(request);
    const now = clock.now();
    const options = { context, presetMaxTokens, defaults: chatDefaults(profile, settings), now };
    const run: PreparedChat["run"] = (events, signal) =>
      this.#counted(model.id, signal, async () => {
        const loaded = hasGrammar(request) ? await this.#prepareGrammar(model, request, now, signal) : 0;
        return await runtime.text(model, info, signal, async (engine, abort, admitted) => {
          const listener: ChatListener = {
            ...events,
            onPrefill: (done, total) => {
              if (done === 0) events.onPrompt?.(total);
              admitted.enter("prefill", `${done} of ${total} tokens`);
            },
            onTokens: () => admitted.generated(),
          };
          const images = await Promise.all(sources.map((source) => source()));
          const outcome = await engine.chat(forEngine, { ...options, images }, listener, abort);
          return { ...outcome, loadSeconds: loaded + admitted.loadSeconds };
        });
      });
    const head = { idSuffix: newId().slice(0, 8), created: Math.floor(now / 1000), model: model.id };
    const warnings = [...request.warnings, ...testWarnings(model)];
    return { request: { ...request, warnings }, profile, head, run };
  }

  /**
   * Has the grammar of a request compiled before it takes a slot.
   *
   * @returns Seconds that it took to load the model.
   */
  async #prepareGrammar(
    model: InstalledModel,
    request: ChatRequest,
    now: number,
    signal: AbortSignal,
  ): Promise<number> {
    const { runtime, clock } = this.#options;
    const began = clock.now();
    const isLoaded = runtime.chatEngines.has(model.id);
    if (!isLoaded) await runtime.load(model, signal);
    const seconds = isLoaded ? 0 : (clock.now() - began) / 1000;
    const engine = runtime.chatEngines.get(model.id);
    try {
      await engine?.prepare?.(withoutImageData(request), now, {}, signal);
    } catch (error) {
      // An engine that was unloaded meanwhile is started again, and prepares the request itself.
      if (!(error instanceof EngineEndedError)) throw error;
    }
    return seconds;
  }

  async #counted(model: string, signal: AbortSignal, answer: () => Promise<ChatReply>): Promise<ChatReply> {
    const { stats, clock } = this.#options;
    try {
      const reply = await answer();
      stats.complete(model, reply, reply.loadSeconds, clock.now());
      return reply;
    } catch (error) {
      const isClients = signal.aborted || error instanceof SvcError && error.type === "invalid_request_error";
      if (!isClients) stats.fail(model);
      throw error;
    }
  }
}

/** Whether the answer to a request is held to a grammar. */
function hasGrammar({ responseFormat, tools, toolChoice }: ChatRequest): boolean {
  return responseFormat.type !== "text" ||
    (tools.length > 0 && (toolChoice.mode !== "auto" || tools.some((t) => t.strict)));
}

/** Default number of tokens of an answer. */
const PRESET_MAX_TOKENS = 2048;

/** Limits in tokens. */
interface ChatLimits {
  /** Of prompt and answer together. */
  readonly context: number;
  /** Of an answer. */
  readonly output: number;
  /** Of an answer, by default. */
  readonly presetMaxTokens: number;
}

/**
 * The limits of a model with its settings.
 *
 * @param contextSize The server's own limit, which the model's settings can override.
 */
export function chatLimits(profile: ChatModelProfile, settings: RuntimeSettings, contextSize: number): ChatLimits {
  const context = Math.min(profile.context, settings.maxContextTokens ?? contextSize);
  const max = Math.min(profile.maxOutputTokens ?? context, context);
  return {
    context,
    output: Math.min(max, settings.maxTokens ?? max),
    presetMaxTokens: settings.maxTokens ?? PRESET_MAX_TOKENS,
  };
}

/** Default sampling: each setting overrides the model's own value. */
export function chatDefaults(profile: ChatModelProfile, settings: RuntimeSettings): SamplingSettings {
  return {
    ...profile.sampling,
    temperature: settings.temperature ?? profile.sampling.temperature,
    topP: settings.topP ?? profile.sampling.topP,
    minP: settings.minP ?? profile.sampling.minP,
  };
}
