/**
 * Requests that may be sent again: the header `Idempotency-Key`.
 *
 * @module
 */
import { joinBytes } from "../../media/images/bytes.ts";
import { conflict, invalidRequest } from "../../errors/svc_error.ts";
import {
  type AnswerStore,
  type Fingerprint,
  type GivenAnswer,
  IDEMPOTENCY_KEY,
  type KeptRequest,
} from "../session/journal/answer_file.ts";
import { discardRest } from "../../http/request_body.ts";
import { requestPath } from "../../http/access_policy.ts";
import type { Route, RouteCall } from "../../http/router.ts";

/** Answers that are kept, all together. */
const MAX_ANSWERS = 1000;
/** Bytes of their bodies. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Milliseconds that an answer is kept. */
const MAX_AGE = 24 * 60 * 60 * 1000;

/** Headers of an answer that are sent again. */
const KEPT_HEADERS = ["content-type", "location"];

interface Answered extends KeptRequest {
  readonly answer: GivenAnswer;
}

/** Answers by the keys of their requests. */
export class IdempotentAnswers {
  readonly #now: () => number;
  readonly #store: AnswerStore | undefined;
  readonly #kept = new Map<string, Answered>();
  /** What a process that was killed had begun, and perhaps done. */
  readonly #begun = new Map<string, KeptRequest>();
  readonly #running = new Map<string, Promise<void>>();
  #bytes = 0;

  /**
   * @param now Milliseconds since 1970.
   * @param store Where they outlive this process; nowhere by default.
   */
  constructor(now: () => number, store?: AnswerStore) {
    this.#now = now;
    this.#store = store;
    for (const request of store?.found ?? []) {
      if (request.answer) this.#keep({ ...request, answer: request.answer });
      else this.#begin(request);
    }
  }

  /**
   * Answers a request, or gives the answer again that another request with the same key was given. Only what has been
   * done is kept: a request that was refused may be sent again with its key, and is processed again. One that arrives
   * while the first is being answered waits for it.
   *
   * @throws {SvcError} `idempotency_key_reused` when the first request was another one, and what `handle` throws.
   */
  async answer(key: string, call: RouteCall, handle: (call: RouteCall) => Promise<Response>): Promise<Response> {
    for (let running = this.#running.get(key); running; running = this.#running.get(key)) await running;
    this.#expire();
    const known = this.#kept.get(key);
    if (known) return await replay(known, call.request);
    const work = this.#first(key, call, handle);
    this.#running.set(key, work.then(() => {}, () => {}).finally(() => this.#running.delete(key)));
    return await work;
  }

  async #first(key: string, call: RouteCall, handle: (call: RouteCall) => Promise<Response>): Promise<Response> {
    const { request, read } = tapped(call.request);
    let isNew = false;
    const newId = async (): Promise<string> => {
      const print = await fingerprint(call.request, read());
      const begun = this.#begun.get(key);
      if (begun?.id !== undefined) {
        checkSame(begun, print);
        return begun.id;
      }
      const id = await call.newId();
      isNew = true;
      this.#begin({ key, ...print, at: this.#now(), id });
      await this.#write(this.#begun.get(key)!);
      return id;
    };
    let response: Response | undefined;
    try {
      response = await handle({ ...call, request, newId });
    } finally {
      if (isNew && !response?.ok) this.#begun.delete(key); // refused: nothing was made
    }
    if (!response.ok) return response;
    const body = new Uint8Array(await response.arrayBuffer());
    const { status } = response;
    const headers = KEPT_HEADERS.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    const print = await fingerprint(call.request, read());
    const answered: Answered = { key, ...print, at: this.#now(), answer: { status, headers, body } };
    this.#keep(answered);
    await this.#write(answered);
    return new Response(body, { status, headers: response.headers });
  }

  /** What was done stays done on a disk that is full: its answer then ends with this process. */
  async #write(request: KeptRequest): Promise<void> {
    await this.#store?.keep(request, () => [...this.#begun.values(), ...this.#kept.values()]).catch(() => {});
  }

  #expire(): void {
    for (const [old, { at }] of this.#kept) {
      if (this.#now() - at < MAX_AGE) break;
      this.#drop(old);
    }
  }

  #begin(request: KeptRequest): void {
    this.#begun.set(request.key, request);
    const [oldest] = this.#begun.keys();
    if (this.#begun.size > MAX_ANSWERS) this.#begun.delete(oldest);
  }

  #keep(request: Answered): void {
    this.#begun.delete(request.key);
    this.#drop(request.key);
    this.#kept.set(request.key, request);
    this.#bytes += request.answer.body.length;
    for (const old of this.#kept.keys()) {
      if (this.#kept.size <= MAX_ANSWERS && this.#bytes <= MAX_BYTES) break;
      this.#drop(old);
    }
  }

  #drop(key: string): void {
    this.#bytes -= this.#kept.get(key)?.answer.body.length ?? 0;
    this.#kept.delete(key);
  }
}

/**
 * Routes of which those that change something can be asked again with the same key.
 *
 * @param find Where the answers to a request are kept.
 */
export function idempotent(routes: readonly Route[], find: (call: RouteCall) => IdempotentAnswers): Route[] {
  return routes.map((route) => {
    if (route.method === "GET") return route;
    const handle = async (call: RouteCall): Promise<Response> => await route.handle(call);
    return {
      ...route,
      handle: (call) => {
        const key = idempotencyKey(call.request);
        return key === null ? handle(call) : find(call).answer(key, call, handle);
      },
    };
  });
}

/**
 * The key of a request; null without one.
 *
 * @throws {SvcError} `invalid_idempotency_key`.
 */
export function idempotencyKey({ headers }: Request): string | null {
  const key = headers.get("idempotency-key");
  if (key === null || IDEMPOTENCY_KEY.test(key)) return key;
  const message = "Cannot take the Idempotency-Key: expected 1 to 255 visible ASCII characters";
  throw invalidRequest("invalid_idempotency_key", message);
}

async function replay({ answer, ...known }: Answered, request: Request): Promise<Response> {
  // No more is read than the first one had: a longer one is another one.
  const bytes = known.length === undefined ? undefined : await readUpTo(request, known.length + 1);
  checkSame(known, await fingerprint(request, bytes));
  const headers = new Headers(answer.headers.map(([name, value]): [string, string] => [name, value]));
  headers.set("idempotency-replayed", "true");
  return new Response(answer.body.slice(), { status: answer.status, headers });
}

function checkSame(known: Fingerprint, { target, digest }: Fingerprint): void {
  if (target === known.target && digest === known.digest) return;
  const message = "Cannot take this Idempotency-Key: it was used with another request, use a new one";
  throw conflict("idempotency_key_reused", message);
}

async function fingerprint(request: Request, bytes: Uint8Array<ArrayBuffer> | undefined): Promise<Fingerprint> {
  const target = `${request.method} ${requestPath(request)}`;
  if (bytes === undefined) return { target, digest: "" };
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return { target, length: bytes.length, digest: Array.from(digest, (byte) => byte.toString(16)).join(" ") };
}

/** A request whose body can be looked at once its handler has read it. */
function tapped(request: Request): { request: Request; read: () => Uint8Array<ArrayBuffer> | undefined } {
  if (request.body === null) return { request, read: () => new Uint8Array() };
  const parts: Uint8Array[] = [];
  let isRead = false;
  const tap = new TransformStream<Uint8Array, Uint8Array>(
    {
      transform: (part, controller) => {
        isRead = true;
        parts.push(part);
        controller.enqueue(part);
      },
    },
    undefined,
    { highWaterMark: 0 },
  );
  const body = request.body.pipeThrough(tap);
  const { method, headers, signal } = request;
  const init = { method, headers, signal, body, duplex: "half" } as RequestInit;
  return { request: new Request(request.url, init), read: () => isRead ? joinBytes(parts) : undefined };
}

async function readUpTo(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = request.body?.getReader();
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    parts.push(next.value);
    length += next.value.length;
    if (length >= limit) break;
  }
  void discardRest(reader);
  return joinBytes(parts);
}
