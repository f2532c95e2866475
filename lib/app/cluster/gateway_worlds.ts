/**
 * The worlds of a fleet, as a gateway tells of them.
 *
 * @module
 */
import { type ClusterClock, EngineRefusal, type Entry } from "../../cluster/protocol/engine.ts";
import type { FleetView } from "../../cluster/protocol/fleet_view.ts";
import type { SessionRecord } from "../../cluster/protocol/records.ts";
import { pageOf, readPage } from "../../http/list_page.ts";
import { readOptionalJson } from "../../http/json_body.ts";
import type { Route, RouteCall } from "../../http/router.ts";
import { conflict, invalidRequest } from "../../errors/make_error.ts";
import { SvcError } from "../../errors/svc_error.ts";
import { readWorldRequest, type WorldRequest } from "../../world/protocol/world_request.ts";
import { sha256 } from "../../world/session/journal/chain_node.ts";
import { type GatewayProxy, retryAfter } from "./gateway_proxy.ts";

/** The world that paths without an id mean. */
export const DEFAULT_WORLD = "00000000-0000-4000-8000-000000000000";

/** Milliseconds that a client waits for its new world; then it gets a 202 with its place in the line. */
const PLACED_WITHIN = 10_000;

/** What the routes work with. */
export interface GatewayWorldsOptions {
  readonly view: FleetView;
  readonly clock: ClusterClock;
  readonly proxy: GatewayProxy;
  /** Where worlds go that name no pool. */
  readonly pool: string;
  /** Worlds of the fleet at the same time. */
  readonly maxWorlds: number;
  /** Worlds that may wait at the same time. */
  readonly lineLength: number;
}

/** Opens, lists and deletes worlds. */
export class GatewayWorlds {
  readonly #options: GatewayWorldsOptions;

  constructor(options: GatewayWorldsOptions) {
    this.#options = options;
  }

  /** Routes below `/v1/worlds`. */
  routes(): Route[] {
    const at = "/v1/worlds";
    return [
      { method: "GET", path: at, handle: ({ request }) => this.#list(new URL(request.url)) },
      { method: "POST", path: at, handle: (call) => this.#open(call) },
      { method: "GET", path: `${at}/:id`, handle: (call) => this.#show(call) },
      { method: "DELETE", path: `${at}/:id`, handle: (call) => this.#remove(call) },
    ];
  }

  /** The id of a world in a path. */
  idOf(text: string): string {
    const id = text.toLowerCase();
    if (id === "default") return DEFAULT_WORLD;
    if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return id;
    throw invalidRequest("invalid_world_id", "Cannot find this world: expected a UUID or default");
  }

  /** Makes the world that paths without an id mean, if it is not there. */
  async ensureDefault(): Promise<void> {
    const { view, pool } = this.#options;
    if (await view.find(DEFAULT_WORLD)) return;
    await view.create(DEFAULT_WORLD, this.#record({ pool })).catch((error) => {
      if (!(error instanceof EngineRefusal && error.reason === "conflict")) throw lineFull(error);
    });
  }

  async #open(call: RouteCall): Promise<Response> {
    const { view, clock, maxWorlds, lineLength, pool } = this.#options;
    const key = call.request.headers.get("idempotency-key");
    if (key !== null && !/^[\x21-\x7e]{1,255}$/.test(key)) {
      const message = "Cannot take the Idempotency-Key: expected 1 to 255 visible ASCII characters";
      throw invalidRequest("invalid_idempotency_key", message);
    }
    const request = readWorldRequest(await readOptionalJson(call.request));
    const digest = await sha256(new TextEncoder().encode(JSON.stringify([request.name, request.pool])));
    const id = key === null ? crypto.randomUUID() : await idFrom(key);
    const known = key === null ? undefined : await view.find(id);
    if (known && known.value.request !== digest) throw reused();
    if (!known) {
      if (view.sessions.size >= maxWorlds) {
        const message = `Cannot open a world: the fleet has ${maxWorlds} already, delete one or raise --max-worlds`;
        throw new SvcError("too_many_worlds", message);
      }
      if (view.waiting(request.pool ?? pool) >= lineLength) throw lineFull();
      const record = { ...this.#record({ pool, ...request }), request: digest };
      try {
        await view.create(id, record);
      } catch (error) {
        if (!(error instanceof EngineRefusal)) throw error;
        if (error.reason === "full") throw lineFull(error);
        if ((await view.find(id))?.value.request !== digest) throw reused();
      }
    }
    const end = clock.now() + PLACED_WITHIN;
    while (view.session(id)?.value.phase === "waiting" && clock.now() < end && !call.request.signal.aborted) {
      await view.changed(id, end - clock.now(), call.request.signal);
    }
    const replayed = known ? { "idempotency-replayed": "true" } : {};
    const headers = { location: `/v1/worlds/${id}`, ...replayed };
    if (view.session(id)?.value.phase === "ready") {
      return Response.json(await this.#full(call, id), { status: 201, headers });
    }
    const place = view.ahead(id) + 1;
    const waits = { ...headers, "retry-after": String(retryAfter(place)) };
    return Response.json({ ...this.#brief(id), queue_position: place }, { status: 202, headers: waits });
  }

  async #show(call: RouteCall): Promise<Response> {
    const { view } = this.#options;
    const id = this.idOf(call.part("id"));
    if (id === DEFAULT_WORLD) await this.ensureDefault();
    const phase = (await view.find(id))?.value.phase;
    if (phase === undefined || phase === "ready") return Response.json(await this.#full(call, id));
    const waits = phase === "waiting" ? { queue_position: view.ahead(id) + 1 } : {};
    return Response.json({ ...this.#brief(id), ...waits });
  }

  async #remove(call: RouteCall): Promise<Response> {
    const { view, proxy } = this.#options;
    const id = this.idOf(call.part("id"));
    if (id === DEFAULT_WORLD) {
      const message = "Cannot delete this world: a fleet always has it, reset its session instead";
      throw conflict("default_world", message);
    }
    const entry = await view.find(id);
    const record = entry && this.#brief(id);
    if (entry && entry.value.phase !== "ready" && await view.remove(id)) return Response.json(record);
    try {
      return await proxy.pass(call, { world: id, path: `/v1/worlds/${id}` });
    } catch (error) {
      // Its record may be gone before its worker has answered.
      if (record && error instanceof SvcError && error.code === "world_not_found") return Response.json(record);
      throw error;
    }
  }

  /** What the worker of a world says of it. */
  async #full(call: RouteCall, id: string): Promise<Record<string, unknown>> {
    const { proxy, view } = this.#options;
    const { url, signal } = call.request;
    const inner = { ...call, request: new Request(url, { signal }) };
    const response = await proxy.pass(inner, { world: id, path: `/v1/worlds/${id}` });
    const record = await response.json();
    const worker = view.session(id)?.value.owner?.worker;
    return { ...record, default: id === DEFAULT_WORLD, ...(worker !== undefined && { worker }) };
  }

  #list({ searchParams }: URL): Response {
    const { rows, next } = pageOf(this.#options.view.sessions, readPage(searchParams), worldPosition);
    const data = rows.map(([id]) => this.#brief(id));
    return Response.json({ object: "list", data, has_more: next !== undefined, ...(next && { next_after: next }) });
  }

  #brief(id: string): Record<string, unknown> {
    const { name, pool, created_at, phase, owner } = this.#options.view.session(id)!.value;
    return {
      object: "world",
      world_id: id,
      ...(name !== undefined && { name }),
      pool,
      created_at,
      phase,
      ...(owner && { worker: owner.worker }),
      default: id === DEFAULT_WORLD,
      path: `/worlds/${id}/`,
    };
  }

  #record({ name, pool }: WorldRequest & { readonly pool?: string | undefined }): SessionRecord {
    return {
      pool: pool ?? this.#options.pool,
      tenant: "default",
      ...(name !== undefined && { name }),
      created_at: new Date().toISOString(),
      phase: "waiting",
      generation: 1,
      since: this.#options.clock.now(),
    };
  }
}

/** Where a world stands in a list: the oldest first. */
export function worldPosition([id, { value }]: readonly [string, Entry<SessionRecord>]): string {
  return `${value.created_at}/${id}`;
}

/** The same id for the same key, so that two gateways make one world of it. */
async function idFrom(key: string): Promise<string> {
  const hash = await sha256(new TextEncoder().encode(`world ${key}`));
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

function lineFull(cause?: unknown): SvcError {
  const message = "Cannot open a world: too many wait for a worker already, try again later";
  return new SvcError("waiting_line_full", message, { cause });
}

function reused(): SvcError {
  const message = "Cannot take this Idempotency-Key: it came with another request before, use a new one";
  return conflict("idempotency_key_reused", message);
}
