/**
 * Requests and their answers as messages, so that a handler in a worker can be asked like a server. Bodies of answers
 * arrive piece by piece: streams cannot be moved between threads in every browser.
 *
 * @module
 */
import type { WorkerPort } from "../../lib/platform/workers/worker_port.ts";

/** What the asking side sends: a request under a new id, or that nobody reads its answer any more. */
export type Asked =
  | {
    readonly id: number;
    readonly kind: "request";
    readonly method: string;
    readonly url: string;
    readonly headers: readonly (readonly [string, string])[];
    readonly body: ArrayBuffer | undefined;
  }
  | { readonly id: number; readonly kind: "abort" };

/** What the answering side sends: status and headers, then the body in pieces, then its end. */
export type Answered =
  | {
    readonly id: number;
    readonly kind: "head";
    readonly status: number;
    readonly headers: readonly (readonly [string, string])[];
  }
  | { readonly id: number; readonly kind: "piece"; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly id: number; readonly kind: "end"; readonly failure: string | undefined };

/** Answers that the platform gives no body. */
const EMPTY = new Set([101, 204, 205, 304]);

interface Waiting {
  readonly head: (response: Response) => void;
  readonly fail: (error: Error) => void;
  readonly body: ReadableStreamDefaultController<Uint8Array>;
  readonly stream: ReadableStream<Uint8Array>;
}

/** A `fetch` that asks the handler at the other end of a port. */
export function fetchThrough(port: WorkerPort<Asked, Answered>): (request: Request) => Promise<Response> {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  port.onMessage((message) => {
    const asked = waiting.get(message.id);
    if (!asked) return;
    if (message.kind === "piece") return asked.body.enqueue(message.bytes);
    if (message.kind === "head") {
      const { status, headers } = message;
      const body = EMPTY.has(status) ? null : asked.stream;
      return asked.head(new Response(body, { status, headers: pairs(headers) }));
    }
    waiting.delete(message.id);
    if (message.failure === undefined) return asked.body.close();
    const error = new TypeError(message.failure);
    asked.fail(error);
    asked.body.error(error);
  });
  return async (request) => {
    const { method, url, signal } = request;
    signal.throwIfAborted();
    const body = request.body === null ? undefined : await request.arrayBuffer();
    const id = ++lastId;
    return await new Promise<Response>((resolve, reject) => {
      const forget = (): void => {
        if (waiting.delete(id)) port.postMessage({ id, kind: "abort" });
      };
      let controller!: ReadableStreamDefaultController<Uint8Array>;
      const stream = new ReadableStream<Uint8Array>({ start: (made) => void (controller = made), cancel: forget });
      waiting.set(id, { head: resolve, fail: reject, body: controller, stream });
      signal.addEventListener("abort", () => {
        if (!waiting.has(id)) return;
        forget();
        controller.error(signal.reason);
        reject(signal.reason);
      }, { once: true });
      const asked = { id, kind: "request", method, url, headers: [...request.headers], body } as const;
      port.postMessage(asked, body === undefined ? [] : [body]);
    });
  };
}

/** Answers what arrives at a port by a handler. */
export function answerThrough(
  port: WorkerPort<Answered, Asked>,
  handler: (request: Request) => Promise<Response>,
): void {
  const running = new Map<number, AbortController>();
  port.onMessage((message) => {
    if (message.kind === "abort") running.get(message.id)?.abort();
    else void answer(message);
  });

  async function answer({ id, method, url, headers, body }: Extract<Asked, { kind: "request" }>): Promise<void> {
    const abort = new AbortController();
    running.set(id, abort);
    let failure: string | undefined;
    try {
      const { signal } = abort;
      const request = new Request(url, {
        method,
        headers: pairs(headers),
        signal,
        ...(body !== undefined && { body }),
      });
      const response = await handler(request);
      port.postMessage({ id, kind: "head", status: response.status, headers: [...response.headers] });
      if (response.body) await sendBody(id, response.body, signal);
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
    }
    running.delete(id);
    port.postMessage({ id, kind: "end", failure });
  }

  async function sendBody(id: number, body: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<void> {
    const reader = body.getReader();
    signal.addEventListener("abort", () => void reader.cancel(signal.reason).catch(() => {}), { once: true });
    while (true) {
      const { done, value } = await reader.read();
      if (done || signal.aborted) return;
      port.postMessage({ id, kind: "piece", bytes: value.slice() });
    }
  }
}

function pairs(headers: readonly (readonly [string, string])[]): [string, string][] {
  return headers.map(([name, value]) => [name, value]);
}
