import { listen } from "../../../lib/platform/sockets/listen.ts";
import type { Chats } from "../../../lib/engines/contract/chat_engine.ts";
import { ChatModel } from "../../../lib/engines/text/chat_model.ts";
import type { ChatRequest } from "../../../lib/protocol/mod.ts";
import { tinyTemplate } from "../../fixtures/tiny_models/tiny_template.ts";
import { ApiHarness } from "../../support/api_harness.ts";
import { chatProfile, installed } from "../../support/fake_catalog.ts";
import { FakeLanguageModel } from "../../support/fake_language_model.ts";

/** A call of a function. */
export interface ScriptedCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** A server whose model follows a script. */
export interface ScriptedAgent {
  readonly url: string;
  /** Id of the model. */
  readonly model: string;
  /** The requests with functions. */
  readonly requests: readonly ChatRequest[];
  close(): Promise<void>;
}

const CONTEXT = 1_000_000;

/** The last answer. */
export const DONE = "The colour is blue now.";

/**
 * Serves a model that makes the calls of a script, one a turn, and then says {@linkcode DONE}. Its template, the reading of
 * its calls and everything above are those of real models; its tokens are bytes. A request without functions, such as one
 * for the title of a session, is answered by a title.
 */
export async function serveScript(calls: readonly ScriptedCall[]): Promise<ScriptedAgent> {
  const requests: ChatRequest[] = [];
  const profile = chatProfile({ context: CONTEXT });
  const template = tinyTemplate([{ answer: { when: "", say: "" }, token: "", plain: "" }]);
  const chatsSaying = (say: string): Chats =>
    new ChatModel(new FakeLanguageModel({ answer: () => say, profile, template }), {
      id: () => crypto.randomUUID().replaceAll("-", ""),
      seed: () => 7,
    });
  const say = (request: ChatRequest): string => {
    if (request.tools.length === 0) return "A colour";
    requests.push(request);
    const call = calls[request.messages.filter(({ role }) => role === "tool").length];
    return call === undefined ? DONE : `<tool_call>\n${JSON.stringify(call)}\n</tool_call>`;
  };
  const chats: Chats = {
    chat: (request, ...more) => chatsSaying(say(request)).chat(request, ...more),
    look: (look, ...more) => chatsSaying("").look(look, ...more),
  };
  const model = "scripted";
  const harness = new ApiHarness({
    models: [installed(model, "chat.completions", profile)],
    defaultModel: model,
    contextSize: CONTEXT,
    maxActiveRequests: 4,
    chats,
  });
  const server = await listen(harness.app, { host: "127.0.0.1", port: 0 });
  const close = async () => {
    await server.close(0);
    await harness.close();
  };
  return { url: server.url, model, requests, close };
}
