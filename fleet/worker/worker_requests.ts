/**
 * The requests that a worker of a fleet gets from its gateways.
 *
 * @module
 */
import type { AccessPolicy } from "../../lib/http/access_policy.ts";
import { errorResponse } from "../../lib/http/router.ts";
import { readBody } from "../../lib/http/request_body.ts";
import { MAX_IMAGE_BYTES } from "../../lib/media/images/image_format.ts";
import { asSvcError, conflict, SvcError } from "../../lib/errors/svc_error.ts";
import { sha256 } from "../../lib/world/session/journal/chain_node.ts";
import type { FleetAnswer, FleetRequest } from "./fleet_entries.ts";
import type { FleetWorld } from "./fleet_world.ts";

/** Bytes of a body that a worker takes. */
const MAX_BODY = MAX_IMAGE_BYTES;

/** Bytes of an answer that is kept to be given again. */
const MAX_ANSWER = 64 * 1024;

/** What the requests are for. */
export interface WorkerRequestsOptions {
  /** The world server of this worker. */
  readonly fetch: (request: Request, peer: string) => Promise<Response>;
  readonly access: AccessPolicy;
  /** The world with an id, where this worker has it. */
  readonly find: (id: string) => FleetWorld | undefined;
  /** Whether no other process can consider this worker dead. */
  readonly isSound: () => boolean;
  /** Ends a world permanently. */
  readonly remove: (id: string) => Promise<void>;
}

/** Answers the requests of gateways: those for worlds that this worker has, each with a key at most once. */
export class WorkerRequests {
  readonly #options: WorkerRequestsOptions;

  constructor(options: WorkerRequestsOptions) {
    this.#options = options;
  }

  /** Answers a request. */
  async answer(request: Request, peer: string): Promise<Response> {
    const { access, fetch } = this.#options;
    const path = new URL(request.url).pathname;
    const [, id, rest] = /^\/(?:v1\/)?worlds\/([^/]+)(\/.*)?$/.exec(path) ?? [];
    if (id === undefined) return await fetch(request, peer);
    try {
      access.checkSource(request, peer);
      await access.checkToken(request, peer);
      const world = this.#options.find(id);
      if (!world || world.left.aborted || world.log.isFenced) throw moved();
      world.use.last = performance.now();
      if (path.startsWith("/v1/")) {
        const response = await fetch(new Request(request.url, { headers: request.headers }), peer);
        if (request.method === "DELETE" && response.ok) await this.#options.remove(id);
        return response;
      }
      if (request.method === "GET" || request.method === "HEAD") {
        const response = await fetch(request, peer);
        if (!world.left.aborted && !world.log.isFenced) return ended(response, world);
        // It may tell of a job that was cancelled here, and that the next owner makes to its end.
        await response.body?.cancel();
        throw moved();
      }
      if (!this.#options.isSound()) throw moved();
      return await this.#change(world, request, peer, rest ?? "/");
    } catch (error) {
      return errorResponse(asSvcError(error));
    }
  }

  /** Makes a move again whose worker was lost; its job has the same id. */
  async resume(id: string, world: FleetWorld): Promise<void> {
    const request = world.unfinished;
    if (!request?.move) return;
    const [method, path] = request.target.split(" ");
    const url = `http://127.0.0.1/worlds/${id}${path}`;
    const headers = { "content-type": "application/json", host: "127.0.0.1" };
    const call = (): Request => new Request(url, { method, body: request.move!.body, headers });
    await world.run(request, () => this.#options.fetch(call(), "127.0.0.1"));
  }

  async #change(world: FleetWorld, given: Request, peer: string, path: string): Promise<Response> {
    const body = await readBody(given, MAX_BODY);
    const key = given.headers.get("idempotency-key") ?? crypto.randomUUID();
    const target = `${given.method} ${path}`;
    const digest = await sha256(body);
    const known = world.journal.answer(key) ?? world.journal.unanswered(key);
    if (known && (known.target !== target || known.digest !== digest)) {
      const message = "Cannot take this Idempotency-Key: it came with another request before, use a new one";
      throw conflict("idempotency_key_reused", message);
    }
    if (known && "status" in known) {
      const headers = { ...Object.fromEntries(known.headers), "idempotency-replayed": "true" };
      return new Response(known.body, { status: known.status, headers });
    }
    const { method, headers } = given;
    const isMove = method === "POST" && /\/(transition|rollout)s?$/.test(path);
    const fresh: FleetRequest = {
      key,
      target,
      digest,
      ...(isMove && { move: { job: crypto.randomUUID(), body: new TextDecoder().decode(body) } }),
    };
    const call = (): Request =>
      new Request(given.url, { method, headers, signal: given.signal, ...(body.length > 0 && { body }) });
    const response = known
      ? await this.#again(known, given, peer)
      : await world.run(fresh, () => this.#options.fetch(call(), peer));
    if (world.log.isFenced || world.left.aborted && !response.ok) throw moved();
    if (!response.ok) return response;
    const text = await response.text();
    const kept = ["content-type", "location"].flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    const answer: FleetAnswer = { key, target, digest, status: response.status, headers: kept, body: text };
    if (text.length <= MAX_ANSWER) {
      await world.journal.answered(answer).catch((error) => {
        if (world.log.isFenced) throw moved();
        throw error;
      });
    }
    return new Response(text, { status: response.status, headers: response.headers });
  }

  /** What the request has changed is known, its answer is not: what there is now is the answer. */
  async #again({ move }: FleetRequest, given: Request, peer: string): Promise<Response> {
    const base = new URL(given.url);
    const at = base.pathname.replace(/^(\/worlds\/[^/]+)\/.*$/, "$1");
    const headers = new Headers(given.headers);
    headers.delete("content-type");
    headers.delete("content-length");
    const get = (path: string): Promise<Response> =>
      this.#options.fetch(new Request(new URL(at + path, base), { headers }), peer);
    if (!move) return await get("/v1/world/session");
    const path = `/v1/world/jobs/${move.job}`;
    const found = await get(path);
    if (!found.ok) return found;
    const location = { "content-type": "application/json", location: at + path };
    return new Response(found.body, { status: 202, headers: location });
  }
}

/** A stream of events ends when its world is left: the client asks again, elsewhere. */
function ended(response: Response, world: FleetWorld): Response {
  if (!response.body || !response.headers.get("content-type")?.startsWith("text/event-stream")) return response;
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const stop = new AbortController();
  world.use.streams++;
  const left = (): void => stop.abort();
  world.left.addEventListener("abort", left, { once: true });
  if (world.left.aborted) left();
  void response.body.pipeTo(writable, { signal: stop.signal, preventAbort: true }).catch(() => {}).finally(() => {
    world.left.removeEventListener("abort", left);
    world.use.streams--;
    world.use.last = performance.now();
    void writable.close().catch(() => {});
  });
  return new Response(readable, { status: response.status, headers: response.headers });
}

function moved(): SvcError {
  return new SvcError("world_moved", "Cannot answer here: another worker has this world, ask a gateway");
}
