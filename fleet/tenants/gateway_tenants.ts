/**
 * What a gateway lets its tenants see and do, what a move costs them, and how long their keys open a response.
 *
 * @module
 */
import type { Bucket, ClusterClock, SessionRecord } from "../protocol/broker.ts";
import type { FleetView } from "../protocol/fleet_view.ts";
import { type CountRollouts, QuotaRefusal, TenantLedger } from "./tenant_ledger.ts";
import { DEFAULT_TENANT, type Tenant, type TenantUse } from "./tenant.ts";
import { notFound, SvcError } from "../../lib/errors/svc_error.ts";
import type { Route, RouteCall } from "../../lib/http/router.ts";
import type { OnRevoked, Tenants } from "./tenants.ts";
import { requestedFrames } from "../../lib/world/protocol/requests/requested_frames.ts";
import { plannedFrames } from "../../lib/world/protocol/requests/rollout_request.ts";
import { MAX_JSON_BYTES, parseRequestJson } from "../../lib/http/request_body.ts";

/** What it works with. */
interface GatewayTenantsOptions {
  /** Those of the file; without them, every client of the gateway has all worlds. */
  readonly known?: Pick<Tenants, "of" | "onRevoked"> | undefined;
  readonly bucket: Bucket<TenantUse>;
  readonly clock: ClusterClock;
  readonly view: Pick<FleetView, "sessions">;
}

const EVERYBODY: Tenant = { name: DEFAULT_TENANT, keys: [], quota: {} };

/** The tenants of a gateway: whose a world is, and what each may have. */
export class GatewayTenants {
  readonly #options: GatewayTenantsOptions;
  readonly #ledger: TenantLedger;

  constructor(options: GatewayTenantsOptions) {
    this.#options = options;
    this.#ledger = new TenantLedger({ ...options, newId: () => crypto.randomUUID(), random: Math.random });
  }

  /**
   * Whose request this is.
   *
   * @throws {SvcError} `key_not_allowed`
   */
  async of(request: Request): Promise<Tenant> {
    return await this.#options.known?.of(request) ?? EVERYBODY;
  }

  /** Whether a tenant may know of a world. */
  owns(tenant: Tenant, world: Pick<SessionRecord, "tenant">): boolean {
    return !this.#options.known || world.tenant === tenant.name;
  }

  /** Counts a world that is about to be opened. @throws {SvcError} `quota_exceeded` */
  async openWorld({ name, quota }: Tenant, id: string): Promise<void> {
    await this.#ledger.openWorld(name, quota, id, () => this.#seen(name)).catch((error) => {
      throw exceeded(error, "open a world");
    });
  }

  /** Stops counting a world. */
  async closeWorld({ name, quota }: Tenant, id: string): Promise<void> {
    // What it counted is forgotten a minute later anyway.
    await this.#ledger.closeWorld(name, quota, id).catch(() => {});
  }

  /** Counts rollouts; see {@linkcode TenantLedger.submitRollouts}. @throws {SvcError} `quota_exceeded` */
  async submitRollouts(
    { name, quota }: Tenant,
    count: CountRollouts,
  ): Promise<() => Promise<void>> {
    return await this.#ledger.submitRollouts(name, quota, count).catch((error) => {
      throw exceeded(error, "submit these rollouts");
    });
  }

  /**
   * How a request for a world is charged: a move by its length, anything else not.
   *
   * @param path The path behind the world.
   * @throws {SvcError} `path_not_found` for a path that is written so that it could mean a move.
   */
  charge(
    { name, quota }: Tenant,
    method: string,
    path: string,
  ): ((body: Uint8Array<ArrayBuffer>) => Promise<() => Promise<void>>) | undefined {
    if (quota.moves_per_minute === undefined || method !== "POST") return undefined;
    // No path of a world needs an escape: one would be read by the worker, and not here.
    if (path.includes("%")) throw notFound("path_not_found", "Cannot find this path: expected one without escapes");
    const kind = /^\/v1\/world\/session\/(transition|rollout)s$/.exec(path)?.[1];
    if (kind === undefined) return undefined;
    return (body) =>
      this.#ledger.spendMoves(name, quota, costOfMove(kind as "transition" | "rollout", body)).catch((error) => {
        throw exceeded(error, "move");
      });
  }

  /** A route whose long answers, such as streams of events, end when the key of their request is removed. */
  revocable(route: Route): Route {
    const { known } = this.#options;
    if (!known || route.open) return route;
    const handle = async (call: RouteCall): Promise<Response> =>
      revocableResponse(await route.handle(call), await known.onRevoked(call.request));
    return { ...route, handle };
  }

  /** The metrics of a fleet are for its operator, where there are tenants. */
  forOperator(route: Route): Route {
    const { known } = this.#options;
    if (!known) return route;
    const handle = async (call: RouteCall): Promise<Response> => {
      const isTenant = await known.of(call.request).then(() => true, () => false);
      if (!isTenant) return await route.handle(call);
      const message = "Cannot show metrics: the key is a tenant's, expected that of the operator";
      throw new SvcError("key_not_allowed", message);
    };
    return { ...route, handle };
  }

  /** `GET /v1/quota`: what the tenant may have, and has. */
  routes(): Route[] {
    return [{ method: "GET", path: "/v1/quota", handle: ({ request }) => this.#quota(request) }];
  }

  async #quota(request: Request): Promise<Response> {
    const { name, quota } = await this.of(request);
    const { all, waiting } = this.#seen(name);
    const moves = quota.moves_per_minute;
    return Response.json({
      object: "quota",
      tenant: name,
      worlds: { limit: quota.worlds ?? null, used: all.size },
      waiting: { limit: quota.waiting ?? null, used: waiting },
      moves_per_minute: {
        limit: moves ?? null,
        remaining: moves === undefined ? null : await this.#ledger.movesLeft(name, moves),
      },
      rollouts: { limit: quota.rollouts ?? null },
    });
  }

  #seen(tenant: string): { readonly all: ReadonlySet<string>; readonly waiting: number } {
    const all = new Set<string>();
    let waiting = 0;
    for (const [id, { value }] of this.#options.view.sessions) {
      if (value.tenant !== tenant) continue;
      all.add(id);
      if (value.phase === "waiting") waiting++;
    }
    return { all, waiting };
  }
}

function exceeded(error: unknown, what: string): unknown {
  if (!(error instanceof QuotaRefusal)) return error;
  const headers = { "retry-after": String(error.retryAfter) };
  return new SvcError("quota_exceeded", `Cannot ${what}: ${error.message}`, { headers });
}

/** Pictures that one move may have: those of a rollout that names no length. */
const PICTURES = plannedFrames(21);

/** How many moves a request counts as: one for every {@linkcode PICTURES} pictures, as its worker will read it. */
function costOfMove(kind: "transition" | "rollout", body: Uint8Array<ArrayBuffer>): number {
  if (body.length > MAX_JSON_BYTES) return 1; // the worker refuses it, and it counts nothing then
  let value: unknown;
  try {
    value = parseRequestJson(body);
  } catch {
    return 1;
  }
  return Math.ceil((requestedFrames(kind, value) ?? 1) / PICTURES);
}

/** Bytes that are handed on at a time, and of an answer that is sent at once. */
const PART = 64 * 1024;

/** Breaks a long answer off when its key is removed, also one that waits for a slow client. */
function revocableResponse(response: Response, onRevoked: OnRevoked): Response {
  const length = Number(response.headers.get("content-length") ?? NaN);
  const isShort = length <= PART || response.headers.get("content-type")?.startsWith("application/json");
  if (isShort || !response.body) return response;
  const reader = response.body.getReader();
  let rest: Uint8Array = new Uint8Array();
  let isRevoked = false;
  let off = (): void => {};
  const body = new ReadableStream<Uint8Array>({
    start(stream) {
      off = onRevoked(() => {
        isRevoked = true;
        rest = new Uint8Array();
        stream.error(new Error("The key of this request was removed"));
        void reader.cancel().catch(() => {});
      });
    },
    async pull(stream) {
      if (rest.length === 0) {
        const read = await reader.read().catch((error) => {
          off();
          throw error;
        });
        if (isRevoked) return;
        if (read.done) {
          off();
          return stream.close();
        }
        rest = read.value;
      }
      stream.enqueue(rest.subarray(0, PART));
      rest = rest.subarray(PART);
    },
    cancel(reason) {
      off();
      return reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
  return new Response(body, { status: response.status, headers: response.headers });
}
