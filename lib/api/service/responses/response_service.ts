/**
 * OpenAI's Responses: chats that are kept to be continued.
 *
 * @module
 */
import type { Clock } from "../../../scheduling/mod.ts";
import {
  outputItems,
  readResponsesRequest,
  type ResponseItem,
  type ResponseObject,
  responseObject,
  ResponseStream,
} from "../../../protocol/mod.ts";
import { notFound } from "../../../errors/svc_error.ts";
import type { ChatReply, ChatService, PreparedChat } from "../chat_service.ts";
import { type KeptResponse, ResponseStore } from "./response_store.ts";

/** A response that has passed all validation that needs no model. */
export interface PreparedResponse {
  readonly chat: PreparedChat;
  /** Makes its events. */
  readonly stream: ResponseStream;
  /** The response of an answer, which is kept if it is to be. */
  finish(reply: ChatReply): ResponseObject;
}

/** Answers responses and keeps them. */
export class ResponseService {
  readonly #chats: ChatService;
  readonly #newId: () => string;
  readonly #store: ResponseStore;

  constructor(chats: ChatService, newId: () => string, clock: Clock) {
    this.#chats = chats;
    this.#newId = newId;
    this.#store = new ResponseStore(clock);
  }

  /**
   * Performs all validation that needs no model.
   *
   * @throws {SvcError} as {@linkcode ChatService.prepare}, with the fields of responses; `previous_response_not_found`.
   */
  async prepare(body: unknown): Promise<PreparedResponse> {
    const { fields, input, history, ...dialect } = readResponsesRequest(body, this.#store);
    const chat = await this.#chats.prepareDialect(dialect);
    const key = this.#newId().replaceAll("-", "");
    const { created, model } = chat.head;
    const head = { key, created, model, fields };
    const store = fields.store ?? true;
    const named = input.map((item, i) => withId(item, `${key}i${i}`));
    const keep = (response: ResponseObject): ResponseObject => {
      if (!store) return response;
      return this.#store.put({ response, input: named, history }) ? response : { ...response, store: false };
    };
    return {
      chat,
      stream: new ResponseStream(head, { store, onEnd: keep }),
      finish: (reply) => keep(responseObject(head, outputItems(head, reply), { store, reply })),
    };
  }

  /**
   * A response that is kept.
   *
   * @throws {SvcError} `response_not_found`.
   */
  find(id: string): KeptResponse {
    const kept = this.#store.get(id);
    if (kept === undefined) throw gone(id);
    return kept;
  }

  /** Removes a response. Throws as {@linkcode find}. */
  delete(id: string): void {
    if (!this.#store.delete(id)) throw gone(id);
  }
}

const PREFIXES = {
  message: "msg",
  function_call: "fc",
  function_call_output: "fco",
  reasoning: "rs",
  item_reference: "ref",
};

/** An item as it is listed: with an id, and texts as parts. */
function withId(item: ResponseItem, key: string): ResponseItem {
  const { type = "message", id = `${PREFIXES[type]}_${key}` } = item;
  if (!("role" in item) || typeof item.content !== "string") return { ...item, type, id } as ResponseItem;
  const part = { type: item.role === "assistant" ? "output_text" : "input_text", text: item.content };
  return { ...item, type: "message", id, content: [part] };
}

function gone(id: string): Error {
  const message = `Cannot find the response ${
    JSON.stringify(id)
  }: it is not kept here or no longer, read responses soon`;
  return notFound("response_not_found", message, "response_id");
}
