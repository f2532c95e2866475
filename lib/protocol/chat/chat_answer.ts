/**
 * Turns tokens into an answer.
 *
 * @module
 */
import type { RenderedPrompt } from "../templates/chat_template.ts";
import type { ChatRequest } from "./chat_request.ts";
import type { FinishReason, WireMessage, WireToolCall } from "./chat_wire.ts";
import { IncrementalDecoder, StopMatcher } from "../decoding/streaming_text.ts";
import type { RawToolCall } from "../tools/raw_tool_call.ts";
import { readToolCalls } from "../tools/read_tool_calls.ts";
import { ReasoningSplitter, splitReasoning } from "../reasoning/reasoning_splitter.ts";

/** What reading an answer depends on. */
export interface ChatAnswerOptions {
  readonly request:
    & Pick<ChatRequest, "stop" | "tools" | "parallelToolCalls" | "includeReasoning">
    & Partial<Pick<ChatRequest, "toolChoice">>;
  readonly prompt: Omit<RenderedPrompt, "text">;
  /** Decodes tokens into text, without the special tokens that end the answer. */
  readonly decode: (ids: readonly number[]) => string;
  /** Eight random letters or digits, for the ids of calls. */
  readonly newId: () => string;
}

/** A finished answer. */
export interface FinishedAnswer {
  /** Text not shown yet; with tools the whole text of the answer. */
  readonly rest: string;
  /** Reasoning shown with it: all of it with tools, unless it was watched; none in a stream without tools. */
  readonly restReasoning: string | undefined;
  readonly message: WireMessage;
  /** `length` whenever the limit ended the text, whatever came before. */
  readonly finishReason: FinishReason;
  /** The stop string that has ended the text. */
  readonly stoppedBy?: string;
  /** How many tokens were reasoning, the mark after it included. */
  readonly reasoningTokens?: number;
  /** What of the answer was left out, one sentence each, in ASCII, for `x-svc-warning`. */
  readonly warnings?: readonly string[];
}

/**
 * An answer while it is generated: takes tokens and returns text to show. Reasoning is not shown, and with tools
 * nothing is until the end, since any text may turn out to be a call.
 * Call {@linkcode push} for each token until the model ends, `stopped` is true or the budget is used up, then
 * {@linkcode finish}.
 */
export class ChatAnswer {
  readonly #options: ChatAnswerOptions;
  readonly #decoder: IncrementalDecoder;
  readonly #stops: StopMatcher;
  readonly #splitter: ReasoningSplitter;
  /** Everything that the model has written, including reasoning, unmodified. */
  #text = "";
  #tokens = 0;
  #reasoningTokens = 0;

  constructor(options: ChatAnswerOptions) {
    const { request, prompt } = options;
    this.#options = options;
    this.#decoder = new IncrementalDecoder(options.decode);
    this.#stops = new StopMatcher(request.stop);
    this.#splitter = new ReasoningSplitter(prompt.reasoningTags, prompt.startsInReasoning);
  }

  /** Number of tokens so far. */
  get tokens(): number {
    return this.#tokens;
  }

  /** Whether a stop string has ended the answer. */
  get stopped(): boolean {
    return this.#stops.stopped;
  }

  /** Reasoning that was added by tokens since the last call, for those who watch. */
  takeReasoning(): string {
    return this.#splitter.takeReasoning();
  }

  /** Takes a token; returns text to show, which may be empty. */
  push(id: number): string {
    this.#tokens++;
    const wasReasoning = this.#splitter.unfinished;
    const shown = this.#show(this.#stops.push(this.#decoder.push(id)));
    if (wasReasoning || this.#splitter.unfinished) this.#reasoningTokens++;
    return shown;
  }

  /**
   * Ends the answer.
   *
   * @param reason `stop` when the model has ended, `length` when the budget is used up.
   */
  finish(reason: "stop" | "length"): FinishedAnswer {
    const rest = this.#show(this.#stops.push(this.#decoder.flush()) + this.#stops.flush());
    const { request, prompt } = this.#options;
    const { content, reasoning } = splitReasoning(this.#text, prompt.reasoningTags, prompt.startsInReasoning);
    const thoughts = reasoning === undefined ? {} : { reasoning_content: reasoning };
    const ended = this.stopped ? "stop" : reason;
    const last = this.#splitter.flush();
    const { stoppedBy } = this.#stops;
    const facts = {
      ...stoppedBy === undefined ? {} : { stoppedBy },
      ...this.#reasoningTokens === 0 ? {} : { reasoningTokens: this.#reasoningTokens },
    };
    if (request.tools.length === 0) {
      const message: WireMessage = { role: "assistant", content, ...thoughts };
      return { rest: rest + last, restReasoning: undefined, message, finishReason: ended, ...facts };
    }
    const { tools, parallelToolCalls, toolChoice } = request;
    const cut = reason === "length" || this.stopped;
    const answer = readToolCalls(content, prompt.toolCallFormat, tools, parallelToolCalls, { toolChoice, cut });
    const calls = answer.calls.map((call, i) => this.#wireCall(call, i));
    const said: WireMessage = { role: "assistant", content: answer.content, ...thoughts };
    return {
      rest: answer.content,
      // Reasoning that is watched was sent while it was generated.
      restReasoning: request.includeReasoning ? undefined : reasoning,
      message: calls.length === 0 ? said : { ...said, tool_calls: calls },
      finishReason: calls.length === 0 || ended === "length" ? ended : "tool_calls",
      ...facts,
      ...answer.warnings.length === 0 ? {} : { warnings: answer.warnings },
    };
  }

  #show(text: string): string {
    this.#text += text;
    const said = this.#splitter.push(text);
    return this.#options.request.tools.length > 0 ? "" : said;
  }

  #wireCall({ name, arguments: given }: RawToolCall, index: number): WireToolCall {
    return { id: `call_${index}_${this.#options.newId()}`, type: "function", function: { name, arguments: given } };
  }
}
