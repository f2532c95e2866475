/**
 * Requests to a world server.
 *
 * @module
 */
import type { WorldClientOptions, WorldRequestOptions } from "./client_options.ts";
import { fromWire, toWire } from "../../json/wire_form.ts";
import { readWorldApiError, WorldApiError } from "./world_api_error.ts";

/** One request. */
export interface TransportRequest extends WorldRequestOptions {
  /** GET when omitted. */
  readonly method?: "GET" | "POST" | "DELETE";
  readonly body?: { readonly data: Blob | string; readonly type: string };
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends requests to one server and turns failures into {@linkcode WorldApiError}s. */
export class WorldTransport {
  /** Base URL of the server, without a trailing slash. */
  readonly baseUrl: string;
  readonly #options: WorldClientOptions;

  constructor(baseUrl: string | URL, options: WorldClientOptions) {
    this.baseUrl = new URL(baseUrl).href.replace(/(?<!\/)\/+$/, "");
    this.#options = options;
  }

  /** The record of an answer, trusted to have the server's schema. */
  async json<T>(path: string, request: TransportRequest = {}): Promise<T> {
    return await this.#read<T>(await this.send(path, request), path, request);
  }

  /** The same with the tag of the record, if it has one; no record where it is the one that the request has named. */
  async tagged<T>(
    path: string,
    request: TransportRequest,
  ): Promise<{ readonly value: T | undefined; readonly etag: string | undefined }> {
    const response = await this.send(path, request);
    const etag = response.headers.get("etag") ?? undefined;
    return { value: response.status === 304 ? undefined : await this.#read<T>(response, path, request), etag };
  }

  async #read<T>(response: Response, path: string, request: TransportRequest): Promise<T> {
    try {
      return fromWire<T>(await response.json());
    } catch (cause) {
      request.signal?.throwIfAborted();
      throw new WorldApiError(
        `Cannot read the answer to ${methodOf(request)} ${path}: it is not JSON, expected a world server`,
        { status: response.status, code: "unexpected_response" },
        { cause },
      );
    }
  }

  /** The bytes of a file. */
  async bytes(path: string, request: TransportRequest = {}): Promise<Uint8Array> {
    const response = await this.send(path, request);
    try {
      return new Uint8Array(await response.arrayBuffer());
    } catch (cause) {
      throw this.unreachable(cause, request);
    }
  }

  /** A successful answer. */
  async send(path: string, request: TransportRequest): Promise<Response> {
    const { method = methodOf(request), body, signal } = request;
    const headers = new Headers(request.headers);
    if (body !== undefined) headers.set("content-type", body.type);
    if (this.#options.apiKey !== undefined) headers.set("authorization", `Bearer ${this.#options.apiKey}`);
    const asked = new Request(this.baseUrl + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: body.data }),
      ...(signal === undefined ? {} : { signal }),
    });
    let response: Response;
    try {
      response = await (this.#options.fetch ?? fetch)(asked);
    } catch (cause) {
      throw this.unreachable(cause, request);
    }
    if (!response.ok && response.status !== 304) throw await readWorldApiError(response, `${method} ${path}`);
    return response;
  }

  /** The error of a failed connection; throws the signal's reason instead when the request was aborted. */
  unreachable(cause: unknown, { signal }: WorldRequestOptions): WorldApiError {
    signal?.throwIfAborted();
    return new WorldApiError(
      `Cannot reach a world server at ${this.baseUrl}: the connection failed, ` +
        "check the address or start a server with svc world serve",
      { status: 0, code: "unreachable" },
      { cause },
    );
  }
}

/** A request with a JSON body, in the wire's form. */
export function jsonBody(value: unknown): NonNullable<TransportRequest["body"]> {
  return { data: JSON.stringify(toWire(value)), type: "application/json" };
}

function methodOf({ method = "GET" }: TransportRequest): string {
  return method;
}
