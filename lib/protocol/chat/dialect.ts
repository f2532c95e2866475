/**
 * Chats that come in another API's words.
 *
 * @module
 */
import type { FieldErrorCode } from "../../errors/error_table.ts";
import { SvcError } from "../../errors/svc_error.ts";
import type { ChatRequest } from "./chat_request.ts";
import { readChatRequest } from "./read_chat_request.ts";

/** Where the client of another API has what a chat request has at a path. */
export class Places {
  readonly #own = new Map<string, string>();

  /** Notes that a path of the chat request, and all below it, is a path of the client's request. */
  set(chat: string, own: string): void {
    this.#own.set(chat, own);
  }

  /** The client's path for one of the chat request. */
  own(chat: string): string {
    for (
      let end = chat.length;
      end > 0;
      end = Math.max(chat.lastIndexOf(".", end - 1), chat.lastIndexOf("[", end - 1))
    ) {
      const own = this.#own.get(chat.slice(0, end));
      if (own !== undefined) return own + chat.slice(end);
    }
    return chat;
  }

  /** An error about the chat request as one about the client's. */
  reword(error: unknown): unknown {
    if (!(error instanceof SvcError)) return error;
    let { message, code, param } = error;
    const own = param === undefined ? undefined : this.own(param);
    if (param !== undefined && own !== param) {
      message = message.replaceAll(`"${param}"`, `"${own}"`);
      if (code === `invalid_${rootOf(param)}`) code = `invalid_${rootOf(own!)}` as FieldErrorCode;
      param = own;
    }
    for (const [chat, place] of this.#own) {
      if (/^\w+$/.test(chat)) message = message.replaceAll(`"${chat}"`, `"${place}"`);
    }
    if (message === error.message && param === error.param) return error;
    const { type, cause, headers, problems } = error;
    return new SvcError(code, message, { param, type, cause, headers, problems });
  }
}

function rootOf(path: string): string {
  return path.split(/[.[]/)[0];
}

/** A chat request of another API. */
export interface DialectChat {
  readonly request: ChatRequest;
  readonly places: Places;
}

/**
 * Reads a chat request that was translated.
 *
 * @param warnings What the translation has to say.
 * @throws {SvcError} as {@linkcode readChatRequest}, with the client's paths.
 */
export function readDialectChat(
  body: Readonly<Record<string, unknown>>,
  places: Places,
  warnings: readonly string[],
): DialectChat {
  try {
    const request = readChatRequest(body);
    const named = request.warnings.map((text) => text.replace(/"([^"]+)"/, (_, path) => `"${places.own(path)}"`));
    return { places, request: { ...request, warnings: [...warnings, ...named] } };
  } catch (error) {
    throw places.reword(error);
  }
}

/** Members of an object that are given. */
export function given(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null));
}
