/**
 * Chats with a language model: requests become prompts, tokens become answers.
 *
 * @module
 */
import {
  ChatAnswer,
  type ChatRequest,
  ChatTemplate,
  checkCapabilities,
  IncrementalDecoder,
  outputBudget,
  promptTooLong,
  type RenderedPrompt,
  type ReportedToken,
  samplingSettings,
  type TemplateRequest,
  type TokenLogprobs,
  tokenRegions,
  type WireLogprobs,
  wireLogprobs,
} from "../../protocol/mod.ts";
import { minTokens, stablePrefix, withImageMarks } from "./chat_prompt.ts";
import type { ChatRandom, EngineOptions, OpenedEngine } from "../contract/engine_entry.ts";
import { checkTokens, renderRaw, withoutStart, withStart } from "./raw_prompt.ts";
import { answerConstraint, checkAnswer, readingOf } from "./answer_constraint.ts";
import type {
  ChatListener,
  ChatOptions,
  ChatOutcome,
  Chats,
  PrepareListener,
  TextLook,
  TextSeen,
} from "../contract/chat_engine.ts";
import type { GenerationResult, LanguageModel, OutputConstraint, PromptImage } from "../contract/language_model.ts";
import { outputGrammar } from "../output_grammar/output_grammar.ts";
import { invalidField, SvcError } from "../../errors/svc_error.ts";

/**
 * The chat layer of a language model: requests become prompts, tokens become answers.
 *
 * @example
 * ```ts ignore
 * const chats = new ChatModel(model, random);
 * const { answer } = await chats.chat(request, options, listener, AbortSignal.timeout(60_000));
 * console.log(answer.message.content);
 * ```
 */
export class ChatModel implements Chats {
  readonly #model: LanguageModel;
  readonly #template: ChatTemplate;
  readonly #random: ChatRandom;

  /** @throws {SvcError} `template_invalid` when the model has no template or a broken one. */
  constructor(model: LanguageModel, random: ChatRandom) {
    this.#model = model;
    this.#template = new ChatTemplate(model.template);
    this.#random = random;
  }

  /**
   * Answers a chat. Several may run concurrently.
   *
   * @throws {SvcError} what the model cannot do, messages that its template refuses, a prompt that is too long, a schema
   * that cannot be kept to, an answer that broke its schema.
   * @throws the reason of `signal` when it aborts.
   */
  async chat(
    given: ChatRequest,
    options: ChatOptions,
    listener: ChatListener,
    signal: AbortSignal,
  ): Promise<ChatOutcome> {
    const model = this.#model;
    const { capabilities, maxOutputTokens } = model.profile;
    const checked = checkCapabilities(given, capabilities);
    const now = new Date(options.now);
    await listener.onPreparing?.();
    const constrained = answerConstraint(checked, capabilities, (request) => this.#render(request, now));
    const { request, rendered, constraint } = constrained;
    const { rawPrompt } = request;
    const images = promptImages(request, options.images);
    const source = rawPrompt === undefined ? "messages" : "prompt";
    const min = minTokens((text) => model.encode(text).length, rendered.text, options.context);
    if (min !== undefined) throw promptTooLong(`at least ${min}`, options.context, source);
    const written = rawPrompt !== undefined && "tokens" in rawPrompt ? rawPrompt.tokens : model.encode(rendered.text);
    if (written.length === 0) throw emptyPrompt(rawPrompt !== undefined);
    const encode = (text: string): readonly number[] => model.encode(text);
    const stable = rawPrompt === undefined
      ? stablePrefix(this.#template, this.#marked(request), now, rendered, written, encode)
      : written.length - 1;
    if (constraint !== undefined) await this.#prepareConstraint(constraint, signal);
    listener.onPrefill(0, written.length);
    const prompt = images.length === 0 ? written : await model.placeImages?.(written, images, signal) ?? written;
    const promptTokens = (): number => model.promptTokens?.(prompt) ?? prompt.length;
    const maxTokens = outputBudget({
      promptTokens: promptTokens(),
      context: options.context,
      requested: request.maxTokens,
      param: request.maxTokensField,
      source,
      preset: options.presetMaxTokens,
      max: maxOutputTokens,
    });
    if (prompt.length !== written.length) listener.onPrefill(0, prompt.length);
    const decode = (ids: readonly number[]) => model.decode(ids);
    const answer = new ChatAnswer({
      request,
      prompt: readingOf(constrained),
      decode,
      newId: () => this.#random.id(),
    });
    const report = request.topLogprobs === undefined ? undefined : new LogprobReport(decode);
    const result = await model.generate({
      prompt,
      stablePrefix: stable,
      images,
      maxTokens,
      sampling: samplingSettings(request.sampling, options.defaults),
      seed: request.seed ?? this.#random.seed(),
      constraint,
      topLogprobs: request.topLogprobs,
      onPrefill: listener.onPrefill,
      onToken: (id, logprobs) => {
        const text = answer.push(id);
        if (logprobs !== undefined) report?.add(id, logprobs);
        listener.onTokens(1);
        if (request.includeReasoning) reportReasoning(answer, listener);
        if (text !== "") listener.onText(text);
        return !answer.stopped;
      },
      onDraft: request.showUnmasking
        ? (ids, { step, totalSteps, canvasIndex, blockComplete }) =>
          listener.onDraft({
            text: decode(ids),
            step,
            total_steps: totalSteps,
            canvas_index: canvasIndex,
            block_complete: blockComplete,
          })
        : undefined,
    }, signal);
    const finished = answer.finish(result.reason);
    if (request.includeReasoning) reportReasoning(answer, listener);
    // A truncated answer is not a complete value, as its finish reason says.
    const isWhole = result.reason === "stop" && !answer.stopped;
    if (constraint !== undefined && isWhole) checkAnswer(constraint, finished);
    return {
      answer: finished,
      promptTokens: promptTokens(),
      cachedTokens: result.cachedTokens,
      completionTokens: answer.tokens,
      prefillSeconds: result.prefillSeconds,
      decodeSeconds: result.decodeSeconds,
      firstTokenSeconds: result.firstTokenSeconds,
      ...report === undefined ? {} : { logprobs: report.toWire(request, rendered, result, model) },
      ...result.diffusion === undefined ? {} : { diffusion: result.diffusion },
    };
  }

  async prepare(given: ChatRequest, now: number, listener: PrepareListener, signal: AbortSignal): Promise<void> {
    const { capabilities } = this.#model.profile;
    const checked = checkCapabilities(given, capabilities);
    await listener.onPreparing?.();
    const { constraint } = answerConstraint(checked, capabilities, (request) => this.#render(request, new Date(now)));
    await listener.onPrepared?.();
    if (constraint !== undefined) await this.#prepareConstraint(constraint, signal);
  }

  async look(look: TextLook, listener: PrepareListener, signal: AbortSignal): Promise<TextSeen> {
    await listener.onPreparing?.();
    const { text, tokens, images = [] } = this.#look(look);
    await listener.onPrepared?.();
    const placed = images.length === 0 ? tokens : await this.#model.placeImages?.(tokens, images, signal) ?? tokens;
    const pieces = look.kind === "encode" && look.pieces ? tokens.map((id) => this.#model.bytesOf(id)) : [];
    return { text, tokens, pieces, count: this.#model.promptTokens?.(placed) ?? placed.length };
  }

  #look(look: TextLook): Pick<TextSeen, "text" | "tokens"> & { readonly images?: readonly PromptImage[] } {
    const model = this.#model;
    if (look.kind === "decode") {
      checkTokens(model, look.tokens, "tokens", "turn tokens into a text");
      return { text: model.decode(look.tokens), tokens: look.tokens };
    }
    if (look.kind === "encode") {
      const { text, marks } = look;
      const tokens = marks
        ? model.encode(withStart(model, this.#template, text))
        : withoutStart(model, model.encode(text));
      return { text, tokens };
    }
    const request = checkCapabilities(look.request, model.profile.capabilities);
    const { text } = this.#render(request, new Date(look.now));
    const { context } = model.profile;
    const min = minTokens((text) => model.encode(text).length, text, context);
    if (min !== undefined) throw promptTooLong(`at least ${min}`, context);
    return { text, tokens: model.encode(text), images: promptImages(request, look.images) };
  }

  #render(request: ChatRequest, now: Date): RenderedPrompt {
    const { rawPrompt } = request;
    if (rawPrompt === undefined) return this.#template.render(this.#marked(request), now);
    if ("tokens" in rawPrompt) checkTokens(this.#model, rawPrompt.tokens, "prompt", "complete the prompt");
    return renderRaw(this.#model, this.#template, rawPrompt);
  }

  /** A model that cannot be constrained still has no schema that nobody could keep to. */
  async #prepareConstraint(constraint: OutputConstraint, signal: AbortSignal): Promise<void> {
    if (this.#model.prepareConstraint) await this.#model.prepareConstraint(constraint, signal);
    else outputGrammar(constraint);
  }

  /** A request as the template gets it. */
  #marked<R extends TemplateRequest>(request: R): R {
    const { imageMark, template } = this.#model;
    return imageMark === undefined ? request : withImageMarks(request, imageMark, template);
  }
}

/** @throws {SvcError} `template_invalid` when the model has no template or a broken one. */
export function openChats(model: LanguageModel, { random }: EngineOptions): OpenedEngine {
  return { kind: "chat", model, chats: new ChatModel(model, random) };
}

function reportReasoning(answer: ChatAnswer, { onReasoning }: ChatListener): void {
  const thought = answer.takeReasoning();
  if (thought !== "") onReasoning?.(thought);
}

function emptyPrompt(isRaw: boolean): SvcError {
  if (isRaw) return invalidField("prompt", 'Cannot complete the prompt: "prompt" is empty, expected a text or tokens');
  const message = "Cannot complete the chat: the model's template renders an empty prompt";
  return new SvcError("template_failed", message);
}

function promptImages({ messages }: ChatRequest, images: readonly Uint8Array[]): PromptImage[] {
  const references = messages.flatMap(({ content }) =>
    typeof content === "string" ? [] : content.flatMap((part) => part.type === "image" ? [part.image] : [])
  );
  return references.map(({ detail }, i) => ({ bytes: images[i], detail }));
}

/** Collects the log probabilities of an answer. */
class LogprobReport {
  readonly #decoder: IncrementalDecoder;
  readonly #tokens: TokenLogprobs[] = [];
  readonly #texts: string[] = [];

  constructor(decode: (ids: readonly number[]) => string) {
    this.#decoder = new IncrementalDecoder(decode);
  }

  add(id: number, logprobs: TokenLogprobs): void {
    this.#tokens.push(logprobs);
    this.#texts.push(this.#decoder.push(id));
  }

  toWire(
    { tools }: ChatRequest,
    rendered: RenderedPrompt,
    { captureSeconds }: GenerationResult,
    model: LanguageModel,
  ): WireLogprobs {
    if (this.#texts.length > 0) this.#texts[this.#texts.length - 1] += this.#decoder.flush();
    const regions = tokenRegions(this.#texts, rendered, tools.length > 0);
    const reported = this.#tokens.map((logprobs, i): ReportedToken => ({ logprobs, region: regions[i] }));
    return wireLogprobs(reported, (id) => model.bytesOf(id), captureSeconds ?? 0);
  }
}
