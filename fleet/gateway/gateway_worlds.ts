/**
 * The worlds of a fleet, as a gateway presents them.
 *
 * @module
 */
import { BrokerRefusal, type ClusterClock, type Entry, type SessionRecord } from "../protocol/broker.ts";
import type { FleetView } from "../protocol/fleet_view.ts";
import { pageOf, readPage } from "../../lib/http/list_page.ts";
import { readOptionalJson } from "../../lib/http/request_body.ts";
import type { Route, RouteCall } from "../../lib/http/router.ts";
import { idempotencyKey } from "../../lib/world/http/idempotency.ts";
import { conflict, invalidRequest, SvcError } from "../../lib/errors/svc_error.ts";
import { readWorldRequest, type WorldRequest } from "../../lib/world/protocol/world_record.ts";
import { sha256 } from "../../lib/world/session/journal/chain_node.ts";
import { type GatewayProxy, retryAfter, worldNotFound } from "./gateway_proxy.ts";
import type { GatewayTenants } from "../tenants/gateway_tenants.ts";
import { defaultWorldOf, type Tenant, worldIdOf } from "../tenants/tenant.ts";

/** An id that no world has. */
const NOBODY = "ffffffff-ffff-4fff-bfff-ffffffffffff";

/** Milliseconds for which a deleted world may still be seen. */
const REMOVAL_TIMEOUT = 2000;

/** Milliseconds that a client waits for its new world; then it gets a 202 with its position in the queue. */
const PLACEMENT_TIMEOUT = 10_000;

/** What the routes work with. */
export interface GatewayWorldsOptions {
  readonly view: FleetView;
  readonly clock: ClusterClock;
  readonly proxy: GatewayProxy;
  readonly tenants: GatewayTenants;
  /** The pool of worlds that name none. */
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
      { method: "GET", path: at, handle: ({ request }) => this.#list(request) },
      { method: "POST", path: at, handle: (call) => this.#open(call) },
      { method: "GET", path: `${at}/:id`, handle: (call) => this.#show(call) },
      { method: "DELETE", path: `${at}/:id`, handle: (call) => this.#remove(call) },
    ];
  }

  /**
   * The id of the world that a path names.
   *
   * @param text The id in the path; the tenant's default world where there is none.
   * @throws {SvcError} `world_not_found` when the tenant has no such world.
   */
  async idOf(text: string | undefined, tenant: Tenant): Promise<string> {
    const given = text?.toLowerCase() ?? "default";
    if (given === "default") return await this.#ensureDefault(tenant);
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(given)) {
      throw invalidRequest("invalid_world_id", "Cannot find this world: expected a UUID or default");
    }
    if (given === await defaultWorldOf(tenant)) return await this.#ensureDefault(tenant);
    await this.#find(given, tenant);
    return given;
  }

  /** A world of a tenant. */
  async #find(id: string, tenant: Tenant): Promise<Entry<SessionRecord>> {
    const { view, tenants } = this.#options;
    const entry = await view.find(id);
    if (entry && tenants.owns(tenant, entry.value)) return entry;
    // Another tenant's world takes as long to refuse as one that does not exist.
    if (entry) await view.find(NOBODY);
    throw worldNotFound();
  }

  /** Opens the default world, which paths without an id refer to, unless it exists. */
  async #ensureDefault(tenant: Tenant): Promise<string> {
    const { view, pool, tenants } = this.#options;
    const id = await defaultWorldOf(tenant);
    if (await view.find(id)) return id;
    await tenants.openWorld(tenant, id);
    try {
      await view.create(id, this.#record(tenant, { pool }));
    } catch (error) {
      if (error instanceof BrokerRefusal && error.reason === "conflict") return id;
      await tenants.closeWorld(tenant, id);
      throw lineFull(error);
    }
    return id;
  }

  async #open(call: RouteCall): Promise<Response> {
    const { view, maxWorlds, lineLength, pool, tenants } = this.#options;
    const tenant = await tenants.of(call.request);
    const key = idempotencyKey(call.request);
    const request = readWorldRequest(await readOptionalJson(call.request));
    const digest = await sha256(new TextEncoder().encode(JSON.stringify([request.name, request.pool])));
    const id = key === null ? crypto.randomUUID() : await worldIdOf(tenant, key);
    const known = key === null ? undefined : await view.find(id);
    if (known && known.value.request !== digest) throw reused();
    if (!known) {
      if (view.sessions.size >= maxWorlds) {
        const message =
          `Cannot open a world: the fleet has ${maxWorlds} already, as many as are allowed, delete one first`;
        throw new SvcError("too_many_worlds", message);
      }
      if (view.waiting(request.pool ?? pool) >= lineLength) throw lineFull();
      const record = { ...this.#record(tenant, { pool, ...request }), request: digest };
      await tenants.openWorld(tenant, id);
      try {
        await view.create(id, record);
      } catch (error) {
        if (error instanceof BrokerRefusal && error.reason === "full") await tenants.closeWorld(tenant, id);
        if (!(error instanceof BrokerRefusal)) throw error;
        if (error.reason === "full") throw lineFull(error);
        if ((await view.find(id))?.value.request !== digest) throw reused();
      }
    }
    try {
      return await this.#placed(call, id, tenant, known !== undefined);
    } finally {
      // Without a key the client can never learn its id.
      if (key === null && call.request.signal.aborted) await this.#forget(id, tenant, call).catch(() => {});
    }
  }

  /** Waits until a world has a worker, and returns its record. */
  async #placed(call: RouteCall, id: string, tenant: Tenant, isKnown: boolean): Promise<Response> {
    const { view, clock } = this.#options;
    const end = clock.now() + placementTimeout(call.request);
    while (view.session(id)?.value.phase === "waiting" && clock.now() < end && !call.request.signal.aborted) {
      await view.changed(id, end - clock.now(), call.request.signal);
    }
    const replayed = isKnown ? { "idempotency-replayed": "true" } : {};
    const headers = { location: `/v1/worlds/${id}`, ...replayed };
    if (view.session(id)?.value.phase === "ready") {
      return Response.json(await this.#full(call, id, tenant), { status: 201, headers });
    }
    const place = view.ahead(id) + 1;
    const waits = { ...headers, "retry-after": String(retryAfter(place)) };
    return Response.json({ ...this.#brief(id, await defaultWorldOf(tenant)), queue_position: place }, {
      status: 202,
      headers: waits,
    });
  }

  async #show(call: RouteCall): Promise<Response> {
    const { view, tenants } = this.#options;
    const tenant = await tenants.of(call.request);
    const id = await this.idOf(call.part("id"), tenant);
    const phase = (await view.find(id))?.value.phase;
    if (phase === undefined || phase === "ready") return Response.json(await this.#full(call, id, tenant));
    const waits = phase === "waiting" ? { queue_position: view.ahead(id) + 1 } : {};
    return Response.json({ ...this.#brief(id, await defaultWorldOf(tenant)), ...waits });
  }

  async #remove(call: RouteCall): Promise<Response> {
    const tenant = await this.#options.tenants.of(call.request);
    const id = await this.idOf(call.part("id"), tenant);
    const byDefault = await defaultWorldOf(tenant);
    if (id === byDefault) {
      const message = "Cannot delete this world: a fleet always has it, reset its session instead";
      throw conflict("default_world", message);
    }
    await this.#find(id, tenant);
    return await this.#end(id, tenant, call);
  }

  /** Ends a world, that of a worker by its worker. */
  async #end(id: string, tenant: Tenant, call: RouteCall): Promise<Response> {
    const { view, proxy, tenants } = this.#options;
    const record = this.#brief(id, await defaultWorldOf(tenant));
    let response: Response;
    if (view.session(id)?.value.phase !== "ready" && await view.remove(id)) response = Response.json(record);
    else {
      try {
        response = await proxy.pass(call, { world: id, path: `/v1/worlds/${id}` });
      } catch (error) {
        // Its record may be gone before its worker has answered.
        if (!(error instanceof SvcError && error.code === "world_not_found")) throw error;
        response = Response.json(record);
      }
    }
    if (response.ok) {
      await tenants.closeWorld(tenant, id);
      const end = view.session(id) && this.#options.clock.now() + REMOVAL_TIMEOUT;
      while (end !== undefined && view.session(id) && this.#options.clock.now() < end) {
        await view.changed(id, REMOVAL_TIMEOUT);
      }
    }
    return response;
  }

  /** Ends a world whose client disconnected before it received the id. */
  async #forget(id: string, tenant: Tenant, call: RouteCall): Promise<void> {
    const request = new Request(call.request.url, { method: "DELETE" });
    if (this.#options.view.session(id)) await this.#end(id, tenant, { ...call, request });
  }

  /** What a world's worker reports about it. */
  async #full(call: RouteCall, id: string, tenant: Tenant): Promise<Record<string, unknown>> {
    const { proxy, view } = this.#options;
    const { url, signal } = call.request;
    const inner = { ...call, request: new Request(url, { signal }) };
    const response = await proxy.pass(inner, { world: id, path: `/v1/worlds/${id}` });
    const record = await response.json();
    const worker = view.session(id)?.value.owner?.worker;
    return { ...record, default: id === await defaultWorldOf(tenant), ...(worker !== undefined && { worker }) };
  }

  async #list(request: Request): Promise<Response> {
    const { view, tenants } = this.#options;
    const tenant = await tenants.of(request);
    const own = [...view.sessions].filter(([, { value }]) => tenants.owns(tenant, value));
    const { rows, next } = pageOf(own, readPage(new URL(request.url).searchParams), worldPosition);
    const byDefault = await defaultWorldOf(tenant);
    const data = rows.map(([id]) => this.#brief(id, byDefault));
    return Response.json({ object: "list", data, has_more: next !== undefined, ...(next && { next_after: next }) });
  }

  #brief(id: string, byDefault: string): Record<string, unknown> {
    const { name, pool, created_at, phase, owner } = this.#options.view.session(id)!.value;
    return {
      object: "world",
      world_id: id,
      ...(name !== undefined && { name }),
      pool,
      created_at,
      phase,
      ...(owner && { worker: owner.worker }),
      default: id === byDefault,
      path: `/worlds/${id}/`,
    };
  }

  #record(tenant: Tenant, { name, pool }: WorldRequest & { readonly pool?: string | undefined }): SessionRecord {
    return {
      pool: pool ?? this.#options.pool,
      tenant: tenant.name,
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

/** Milliseconds that a client waits for its world: it may ask for fewer with `Prefer: wait=SECONDS`. */
function placementTimeout({ headers }: Request): number {
  const wait = /(?:^|[,;\s])wait=(\d{1,4})(?=[,;\s]|$)/.exec(headers.get("prefer") ?? "")?.[1];
  return wait === undefined ? PLACEMENT_TIMEOUT : Math.min(PLACEMENT_TIMEOUT, Number(wait) * 1000);
}

function lineFull(cause?: unknown): SvcError {
  const message = "Cannot open a world: too many wait for a worker already, try again later";
  return new SvcError("waiting_line_full", message, { cause });
}

function reused(): SvcError {
  const message = "Cannot take this Idempotency-Key: it came with another request before, use a new one";
  return conflict("idempotency_key_reused", message);
}
