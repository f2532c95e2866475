/**
 * Requests and their answers as calls, so that a handler in a worker can be asked like a server. Bodies of answers
 * arrive piece by piece, a few ahead of their reader: streams cannot be moved between threads in every browser.
 *
 * @module
 */
import { RpcClient, type RpcClientOptions } from "../../lib/platform/rpc/rpc_client.ts";
import type { RpcPort } from "../../lib/platform/rpc/rpc_port.ts";
import type { Method } from "../../lib/platform/rpc/rpc_service.ts";
import { serveCalls } from "../../lib/platform/rpc/serve_calls.ts";

type Headers = readonly (readonly [string, string])[];

/** A request as plain data. */
interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: ArrayBuffer | undefined;
}

/** What comes of an answer: status and headers, then the body in pieces; the end of the call is its end. */
type Part =
  | { readonly kind: "head"; readonly status: number; readonly headers: Headers }
  | { readonly kind: "piece"; readonly bytes: Uint8Array<ArrayBuffer> };

type RequestService = { readonly fetch: Method<readonly [Asked], void, Part> };

/** Answers that the platform gives no body. */
const EMPTY = new Set([101, 204, 205, 304]);

/** Pieces of a body that wait for their reader: a short answer has ended when nobody reads it. */
const AHEAD = 16;

/** A `fetch` that asks the handler at the other end of a port. */
export function fetchThrough(port: RpcPort, options: RpcClientOptions = {}): (request: Request) => Promise<Response> {
  const client = new RpcClient<RequestService>(port, options);
  return async (request) => {
    const { method, url, signal } = request;
    const body = request.body === null ? undefined : await request.arrayBuffer();
    signal.throwIfAborted();
    const asked = { method, url, headers: [...request.headers], body };
    const unread = new AbortController();
    const leave = (): void => unread.abort(signal.reason);
    signal.addEventListener("abort", leave);
    let read = (): void => {};
    let to!: ReadableStreamDefaultController<Uint8Array>;
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => void (to = controller),
      pull: () => read(),
      cancel: (reason) => unread.abort(reason),
    }, { highWaterMark: AHEAD });
    return await new Promise<Response>((resolve, reject) => {
      const onEvent = (part: Part): Promise<void> | void => {
        if (part.kind === "piece") {
          to.enqueue(part.bytes);
          return new Promise((taken) => to.desiredSize! > 0 ? taken() : read = taken);
        }
        const { status, headers } = part;
        resolve(new Response(EMPTY.has(status) ? null : stream, { status, headers: pairs(headers) }));
      };
      const transfer = body === undefined ? [] : [body];
      client.call("fetch", [asked], { signal: unread.signal, leaves: true, onEvent, transfer }).then(
        () => to.close(),
        (cause) => {
          const error = unread.signal.aborted ? cause : new TypeError(cause.message, { cause });
          reject(error);
          to.error(error);
        },
      ).finally(() => signal.removeEventListener("abort", leave));
    });
  };
}

/** Answers what arrives at a port by a handler. */
export function answerThrough(port: RpcPort, handler: (request: Request) => Promise<Response>): void {
  serveCalls<RequestService>(port, {
    fetch: async (call, { method, url, headers, body }) => {
      const { signal } = call;
      const request = new Request(url, {
        method,
        headers: pairs(headers),
        signal,
        ...(body !== undefined && { body }),
      });
      const response = await handler(request);
      await call.tell({ kind: "head", status: response.status, headers: [...response.headers] });
      const reader = response.body?.getReader();
      if (!reader) return;
      const leave = (): void => void reader.cancel(signal.reason).catch(() => {});
      if (signal.aborted) return leave();
      signal.addEventListener("abort", leave, { once: true });
      while (true) {
        const { done, value } = await reader.read();
        if (done || signal.aborted) return;
        const bytes = value.slice();
        await call.hand({ kind: "piece", bytes }, [bytes.buffer]);
      }
    },
  });
}

function pairs(headers: Headers): [string, string][] {
  return headers.map(([name, value]) => [name, value]);
}
