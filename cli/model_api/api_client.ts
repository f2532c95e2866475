/**
 * Requests of the commands to a model API server.
 *
 * @module
 */
import { printable } from "../../lib/platform/terminal/terminal_text.ts";
import { isRefused } from "../../lib/platform/sockets/is_refused.ts";
import { readServerSentEvents } from "../../lib/world/client/read_stream.ts";
import type { ChatChunk } from "../../lib/protocol/mod.ts";

/** The default address of `svc api serve`. */
export const DEFAULT_API_URL = "http://127.0.0.1:8080";

/** Reasoning is sent while it is generated: a model that reasons for minutes is not silent. */
const STREAM_OPTIONS = { include_usage: true, include_reasoning: true };

/** Options of an {@linkcode ApiClient}. */
export interface ApiClientOptions {
  readonly apiKey?: string | undefined;
  /** Sends the requests; the platform's `fetch` by default. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
}

/** A failed request. */
export class ApiError extends Error {
  override name = "ApiError";
  /** The HTTP status; 0 when there was no response. */
  readonly status: number;
  /** The server's error code, or `unreachable` or `unexpected_response`. */
  readonly code: string;

  constructor(status: number, code: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.code = code;
  }
}

/** A client of one server. */
export class ApiClient {
  readonly url: string;
  readonly #options: ApiClientOptions;

  constructor(url: string, options: ApiClientOptions = {}) {
    this.url = url.replace(/(?<!\/)\/+$/, "");
    this.#options = options;
  }

  /**
   * The JSON answer of a path.
   *
   * @throws {ApiError}
   */
  async get(path: string, signal: AbortSignal): Promise<unknown> {
    const response = await this.#send(path, { signal });
    try {
      return await response.json();
    } catch (cause) {
      signal.throwIfAborted();
      throw unexpected(response, path, cause);
    }
  }

  /**
   * Yields the chunks of an answer as they arrive.
   *
   * @param request A chat request without `stream`.
   * @throws {ApiError} also for an error after the first chunks, and for an interrupted answer.
   */
  async *chat(request: Readonly<Record<string, unknown>>, signal: AbortSignal): AsyncGenerator<ChatChunk, void, void> {
    const path = "/v1/chat/completions";
    const response = await this.#send(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...request, stream: true, stream_options: STREAM_OPTIONS }),
      signal,
    });
    if (!response.body) throw unexpected(response, path);
    for await (const { data } of readServerSentEvents(response.body, signal)) {
      if (data === "[DONE]") return;
      const chunk = JSON.parse(data) as ChatChunk & { error?: { code?: string; message?: string } };
      if (chunk.error) {
        throw new ApiError(response.status, chunk.error.code ?? "", printable(chunk.error.message ?? ""));
      }
      yield chunk;
    }
    signal.throwIfAborted();
    throw new ApiError(0, "unreachable", `Cannot read the answer of ${this.url}: the connection closed before its end`);
  }

  /**
   * Posts JSON.
   *
   * @throws {ApiError} for any answer but a success.
   */
  async post(path: string, body: unknown, signal: AbortSignal): Promise<Response> {
    const headers = { "content-type": "application/json" };
    return await this.#send(path, { method: "POST", headers, body: JSON.stringify(body), signal });
  }

  /**
   * Posts a form with files.
   *
   * @throws {ApiError} for any answer but a success.
   */
  async postForm(path: string, form: FormData, signal: AbortSignal): Promise<Response> {
    return await this.#send(path, { method: "POST", body: form, signal });
  }

  async #send(path: string, init: RequestInit & { signal: AbortSignal }): Promise<Response> {
    const { apiKey, fetch: given } = this.#options;
    const unreachable = (cause?: unknown): ApiError =>
      new ApiError(0, "unreachable", `Cannot reach ${this.url}: the connection failed`, cause);
    if (given === undefined && await isRefused(this.url)) throw unreachable();
    const send = given ?? fetch;
    const headers = new Headers(init.headers);
    if (apiKey !== undefined) headers.set("authorization", `Bearer ${apiKey}`);
    let response: Response;
    try {
      response = await send(new Request(this.url + path, { ...init, headers }));
    } catch (cause) {
      init.signal.throwIfAborted();
      throw unreachable(cause);
    }
    if (response.ok) return response;
    const error = errorObject(await response.text().catch(() => ""));
    if (!error) throw unexpected(response, path);
    throw new ApiError(response.status, error.code, printable(error.message));
  }
}

function unexpected({ status }: Response, path: string, cause?: unknown): ApiError {
  const message =
    `Cannot read the answer to ${path}: it has status ${status}, expected the answer of a model API server`;
  return new ApiError(status, "unexpected_response", message, cause);
}

function errorObject(text: string): { code: string; message: string } | undefined {
  try {
    const { error } = JSON.parse(text) as { error?: { code?: unknown; message?: unknown } };
    if (typeof error?.message !== "string") return undefined;
    return { code: String(error.code ?? ""), message: error.message };
  } catch {
    return undefined;
  }
}
