/**
 * Texts without chats: completions, tokens and prompts.
 *
 * @module
 */
import type { ChatReply, ModelApi, PreparedChat, PreparedCompletion, PromptAnswer } from "../service/mod.ts";
import {
  completion,
  type CompletionChoice,
  completionChoice,
  DONE_FRAME,
  totalUsage,
  type WireUsage,
  wireUsage,
} from "../../protocol/mod.ts";
import type { Route, RouteCall } from "../../http/router.ts";
import type { RateLimit } from "../../http/rate_limit.ts";
import type { ChatRoutesOptions } from "./chat_routes.ts";
import { inferenceRoute, timingHeaders, warn } from "./inference_route.ts";
import { type ReplyFrames, streamReply } from "./reply_stream.ts";

/** The route of completions. */
export function completionRoutes(api: ModelApi, { limit, clock, onError }: ChatRoutesOptions): Route[] {
  return [inferenceRoute("/v1/completions", limit, async (body, call) => {
    const { signal } = call.request;
    const asked = await api.completion(body);
    warn(call.headers, asked.warnings);
    if (!asked.chats[0].request.stream) return await wholeCompletion(asked, signal);
    const options = { clock, signal, onError: (error: unknown, gone: boolean) => onError(error, call, gone) };
    const [chat, frames] = inTurn(asked);
    return await streamReply(chat, frames, options, call.headers);
  })];
}

async function wholeCompletion({ chats, beginning }: PreparedCompletion, signal: AbortSignal): Promise<Response> {
  const choices: CompletionChoice[] = [];
  const usages: WireUsage[] = [];
  let headers: Record<string, string> = {};
  for (const [index, chat] of chats.entries()) {
    const start = await beginning(index, signal);
    const reply = await chat.run({ onText: () => {}, onDraft: () => {} }, signal);
    const { message, finishReason } = reply.answer;
    choices.push(completionChoice(index, start + message.content, finishReason, reply.logprobs));
    usages.push(usageOf(reply));
    headers = timingHeaders(reply);
  }
  return Response.json(completion(chats[0].head, choices, totalUsage(usages)), { headers });
}

/** The chats of several prompts, one after another, as one; and its frames. */
function inTurn({ chats, beginning }: PreparedCompletion): [PreparedChat, ReplyFrames] {
  const [{ head, request: { includeUsage } }] = chats;
  const usages: WireUsage[] = [];
  let index = 0;
  let ended = ""; // the last chunks of prompts before this one
  const frame = (choices: readonly CompletionChoice[], usage?: WireUsage): string => {
    const chunk = completion(head, choices, usage ?? (includeUsage ? null : undefined));
    return `data: ${JSON.stringify(chunk)}\n\n`;
  };
  const text = (text: string): string => {
    const before = ended;
    ended = "";
    return before + frame([completionChoice(index, text)]);
  };
  const end = ({ answer }: ChatReply): string =>
    (answer.rest === "" ? "" : text(answer.rest)) + frame([completionChoice(index, "", answer.finishReason)]);
  const run: PreparedChat["run"] = async (events, signal) => {
    for (const chat of chats) {
      let start = await beginning(index, signal);
      const onText = (text: string): void => {
        if (start + text !== "") events.onText(start + text);
        start = "";
      };
      const reply = await chat.run({ ...events, onText }, signal);
      if (start !== "") onText("");
      usages.push(usageOf(reply));
      if (index === chats.length - 1) return reply;
      ended += end(reply);
      index++;
    }
    throw new Error("Cannot complete the prompt: there is none");
  };
  const frames: ReplyFrames = {
    start: () => "",
    reasoning: () => "",
    text,
    end: (reply) => {
      const last = end(reply);
      return ended + last + (includeUsage ? frame([], totalUsage(usages)) : "") + DONE_FRAME;
    },
  };
  return [{ ...chats[0], run }, frames];
}

function usageOf({ promptTokens, cachedTokens, completionTokens }: ChatReply): WireUsage {
  return wireUsage(promptTokens, cachedTokens, completionTokens);
}

/** The routes of tokens and prompts, which take no slot. */
export function promptRoutes(api: ModelApi, limit: RateLimit | undefined): Route[] {
  const route = (path: string, answer: (body: unknown, signal: AbortSignal) => Promise<PromptAnswer<object>>): Route =>
    inferenceRoute(path, limit, async (body, { request, headers }: RouteCall) => {
      const { value, warnings } = await answer(body, request.signal);
      warn(headers, warnings);
      return Response.json(value);
    });
  return [
    route("/tokenize", (body, signal) => api.prompts.tokenize(body, signal)),
    route("/detokenize", (body, signal) => api.prompts.detokenize(body, signal)),
    route("/apply-template", (body, signal) => api.prompts.applyTemplate(body, signal)),
  ];
}
