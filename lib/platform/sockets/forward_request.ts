/**
 * Sends a request on to another server, with less work for each than `fetch`: its head and body travel in one packet,
 * and a short answer is read without a stream.
 *
 * @module
 */
import { lookup } from "node:dns";
import { Agent, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as TlsAgent, request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { Readable } from "node:stream";

/** A request for another server. */
export interface ForwardedRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body?: Uint8Array | undefined;
  /** Breaks it off: the request while it waits, the answer while it is read. */
  readonly signal: AbortSignal;
  /** An answer whose length is known and at most this many bytes is read whole. */
  readonly whole: number;
  /** Whether the name of the server may stand for an address; asked for each connection. Any by default. */
  readonly mayConnect?: ((address: string) => boolean) | undefined;
}

/** The name of a server stands for no address that may be asked. */
export class AddressRefused extends Error {
  override name = "AddressRefused";
}

/** An answer; its body is whole, a stream, or null where it has none. */
export interface ForwardedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
}

/** Connections that are kept for the next request, for each server. */
const FREE = 64;

/** Milliseconds without a byte until a connection is given up, in a request and between two of them. */
const SILENCE = 300_000;
const IDLE = 15_000;

const settings = { keepAlive: true, maxFreeSockets: FREE, timeout: IDLE };
const agents = { http: new Agent(settings), https: new TlsAgent(settings) };

/**
 * Sends a request. One that finds its kept connection closed by the server is sent again once over a fresh one, so it
 * must be safe to repeat.
 *
 * @throws {AddressRefused}
 * @throws {Error} when the server cannot be reached, breaks off a short answer, or `signal` aborts.
 */
export async function forwardRequest(options: ForwardedRequest): Promise<ForwardedAnswer> {
  const incoming = await send(options, true);
  const { method, whole } = options;
  const status = incoming.statusCode ?? 0;
  const headers = new Headers();
  const { rawHeaders } = incoming;
  for (let i = 0; i < rawHeaders.length; i += 2) headers.append(rawHeaders[i], rawHeaders[i + 1]);
  if (method === "HEAD" || status === 204 || status === 304) {
    incoming.resume();
    return { status, headers, body: null };
  }
  const length = Number(headers.get("content-length") ?? Infinity);
  if (length > whole) return { status, headers, body: Readable.toWeb(incoming) as ReadableStream<Uint8Array> };
  return { status, headers, body: await readWhole(incoming, length) };
}

function send(options: ForwardedRequest, mayRepeat: boolean): Promise<IncomingMessage> {
  const { url, method, headers, body, signal } = options;
  const isTls = url.startsWith("https:");
  return new Promise((resolve, reject) => {
    const sent = (isTls ? requestHttps : requestHttp)(url, {
      method,
      headers: { ...Object.fromEntries(headers), ...(body && { "content-length": String(body.length) }) },
      agent: isTls ? agents.https : agents.http,
      timeout: SILENCE,
      ...(options.mayConnect && { lookup: allowed(options.mayConnect) }),
    });
    const stop = (): void => void sent.destroy(new Error("The request was interrupted"));
    sent.once("timeout", stop);
    sent.once("response", (incoming) => {
      incoming.once("close", () => signal.removeEventListener("abort", stop));
      resolve(incoming);
    });
    sent.once("error", (error) => {
      signal.removeEventListener("abort", stop);
      const wasClosed = mayRepeat && sent.reusedSocket && (error as { code?: string }).code === "ECONNRESET";
      if (wasClosed && !signal.aborted) send(options, false).then(resolve, reject);
      else reject(error);
    });
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    sent.end(body);
  });
}

/** Finds the addresses of a name, less those that may not be asked: what is checked is what is connected to. */
function allowed(mayConnect: (address: string) => boolean): LookupFunction {
  return (name, options, done) => {
    lookup(name, { ...options, all: true }, (error, found) => {
      if (error) return done(error, []);
      const left = found.filter(({ address }) => mayConnect(address));
      if (left.length === 0) return done(new AddressRefused(`${name} is at no address that may be asked`), []);
      if (options.all) done(null, left);
      else done(null, left[0].address, left[0].family);
    });
  };
}

function readWhole(incoming: IncomingMessage, length: number): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const bytes = new Uint8Array(length);
    let at = 0;
    incoming.on("data", (part: Uint8Array) => {
      bytes.set(part, at);
      at += part.length;
    });
    incoming.once("end", () => at === length ? resolve(bytes) : reject(new Error("The response was interrupted")));
    incoming.once("error", reject);
    incoming.once("close", () => reject(new Error("The response was interrupted"))); // a no-op after its end
  });
}
