/**
 * Texts as tokens, and requests as prompts: answered at once by the model's tokenizer and template.
 *
 * @module
 */
import * as v from "valibot";
import type { TextLook, TextSeen } from "../../../engines/contract/chat_engine.ts";
import type { Clock } from "../../../scheduling/mod.ts";
import { type ChatRequest, checkCapabilities, type DialectChat, readChatRequest } from "../../../protocol/mod.ts";
import { bodyRules, readFields } from "../../../errors/read_fields.ts";
import { listField } from "../../../json/bounded_fields.ts";
import { checkChatImages, type ReadImage, withoutImageData } from "../chat_images.ts";
import type { ApiRuntime } from "../api_runtime.ts";
import type { ModelDirectory } from "../model_directory.ts";

/** Options of {@linkcode PromptService}. */
interface PromptServiceOptions {
  readonly directory: ModelDirectory;
  readonly runtime: ApiRuntime;
  readonly clock: Clock;
  readonly defaultModel?: string | undefined;
  readonly readImage: ReadImage;
}

/** What a request answers with, and what it ignores. */
export interface PromptAnswer<T> {
  readonly value: T;
  readonly warnings: readonly string[];
}

/** A token with its text, or with its bytes where they are not whole characters. */
export interface TokenPiece {
  readonly id: number;
  readonly piece: string | readonly number[];
}

/** Most characters of a text: tokens are counted on the thread that generates. */
const MAX_TEXT = 2 * 2 ** 20;

/** Most tokens of a request. */
const MAX_TOKENS = 400_000;

const text = v.string("expected a string");
const flag = v.nullish(v.boolean("expected true or false"), false);
const MAX_ID = 2 ** 31 - 1;
const tokenExpected = `expected an integer from 0 to ${MAX_ID}`;
const token = v.pipe(
  v.number(tokenExpected),
  v.integer(tokenExpected),
  v.minValue(0, tokenExpected),
  v.maxValue(MAX_ID, tokenExpected),
);
const model = v.nullish(text);

const special = [{ field: "parse_special", neutral: [true], remedy: "expected true: special tokens are recognized" }];
const tokenizeRules = bodyRules("tokenize the text", {
  model,
  content: v.pipe(text, v.maxLength(MAX_TEXT, `expected at most ${MAX_TEXT} characters`)),
  add_special: flag,
  with_pieces: flag,
}, special);
const detokenizeRules = bodyRules("turn tokens into a text", {
  model,
  tokens: listField(token, { max: MAX_TOKENS, expected: `expected an array of at most ${MAX_TOKENS} tokens` }),
}, []);

/** Answers with tokens and prompts. */
export class PromptService {
  readonly #options: PromptServiceOptions;

  constructor(options: PromptServiceOptions) {
    this.#options = options;
  }

  /** The tokens of a text, as numbers or with their pieces. */
  async tokenize(
    body: unknown,
    signal: AbortSignal,
  ): Promise<PromptAnswer<{ readonly tokens: readonly number[] | readonly TokenPiece[] }>> {
    const { fields, warnings } = readFields(body, tokenizeRules);
    const look: TextLook = {
      kind: "encode",
      text: fields.content,
      marks: fields.add_special,
      pieces: fields.with_pieces,
    };
    const seen = await this.#look(fields.model, tokenizeRules.action, look, signal);
    const tokens = fields.with_pieces ? seen.tokens.map((id, i) => tokenPiece(id, seen.pieces[i])) : seen.tokens;
    return { value: { tokens }, warnings };
  }

  /** The text of tokens. */
  async detokenize(body: unknown, signal: AbortSignal): Promise<PromptAnswer<{ readonly content: string }>> {
    const { fields, warnings } = readFields(body, detokenizeRules);
    const look: TextLook = { kind: "decode", tokens: fields.tokens };
    const { text } = await this.#look(fields.model, detokenizeRules.action, look, signal);
    return { value: { content: text }, warnings };
  }

  /** The prompt of a chat request. */
  async applyTemplate(body: unknown, signal: AbortSignal): Promise<PromptAnswer<{ readonly prompt: string }>> {
    const request = readChatRequest(body);
    const { text } = await this.#render(request, signal);
    return { value: { prompt: text }, warnings: request.warnings };
  }

  /** Number of tokens of the prompt of a request of another API. */
  async count({ request, places }: DialectChat, signal: AbortSignal): Promise<PromptAnswer<number>> {
    try {
      return { value: (await this.#render(request, signal)).count, warnings: request.warnings };
    } catch (error) {
      throw places.reword(error);
    }
  }

  /** The text of tokens of a model. */
  async textOf(name: string, tokens: readonly number[], signal: AbortSignal): Promise<string> {
    return (await this.#look(name, "complete the prompt", { kind: "decode", tokens }, signal)).text;
  }

  async #render(asked: ChatRequest, signal: AbortSignal): Promise<TextSeen> {
    const { directory, runtime, clock, readImage } = this.#options;
    const { model, profile } = await directory.find(this.#named(asked.model), "chat", "render the prompt");
    const request = checkCapabilities(asked, profile.capabilities);
    const sources = await checkChatImages(request, readImage);
    const images = await Promise.all(sources.map((source) => source()));
    const look: TextLook = { kind: "render", request: withoutImageData(request), now: clock.now(), images };
    return await runtime.aside(model, signal, (engine) => engine.look(look, {}, signal));
  }

  async #look(name: string | null | undefined, action: string, look: TextLook, signal: AbortSignal): Promise<TextSeen> {
    const { directory, runtime } = this.#options;
    const { model } = await directory.find(this.#named(name), "chat", action);
    return await runtime.aside(model, signal, (engine) => engine.look(look, {}, signal));
  }

  #named(name: string | null | undefined): string {
    return name === undefined || name === null || name.trim() === "" ? this.#options.defaultModel ?? "" : name;
  }
}

function tokenPiece(id: number, bytes: Uint8Array): TokenPiece {
  try {
    return { id, piece: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { id, piece: [...bytes] };
  }
}
