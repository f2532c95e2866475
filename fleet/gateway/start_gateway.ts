/**
 * Starts a gateway, which clients of a fleet connect to. It keeps no state; any number may run concurrently. Its page
 * holds no secret, and asks for the key itself.
 *
 * @module
 */
import type { BrokerAddress } from "../../servers/flags/fleet_flags.ts";
import type { SessionOwner } from "../protocol/broker.ts";
import { FleetView } from "../protocol/fleet_view.ts";
import { AccessPolicy, isLoopback } from "../../lib/http/access_policy.ts";
import { createRouter, logAnswer, type Route, type RouteCall } from "../../lib/http/router.ts";
import { asSvcError, SvcError } from "../../lib/errors/svc_error.ts";
import {
  type AnswerCount,
  answerFamilies,
  HttpMetrics,
  operationRoutes,
  type SampleFamily,
  single,
} from "../../lib/http/metrics.ts";
import { createLog, type Log } from "../../lib/platform/processes/log.ts";
import { VERSION } from "../../lib/platform/processes/version.ts";
import { listen } from "../../lib/platform/sockets/listen.ts";
import { connectFleet, fleetClock } from "../nats/connect_fleet.ts";
import { brokerTrouble } from "../nats/broker_trouble.ts";
import { GatewayProxy } from "./gateway_proxy.ts";
import { WorkerAddresses } from "./worker_addresses.ts";
import { GatewayTenants } from "../tenants/gateway_tenants.ts";
import { Tenants } from "../tenants/tenants.ts";
import { GatewayWorlds } from "./gateway_worlds.ts";
import { batchRoutes } from "../batches/gateway_batches.ts";
import { rolloutFiles } from "../batches/remove_batch.ts";
import { pageHtml, pageIcon, pageScript, pageStyle } from "../../world-page/generated.ts";
import { pageRoutes } from "../../lib/http/page_routes.ts";

/** Settings of a gateway. */
export interface GatewayOptions {
  readonly broker: BrokerAddress;
  readonly host: string;
  readonly port: number;
  /** Key that clients have to send; none by default. */
  readonly apiKey?: string | undefined;
  /** File of the tenants; without one there is a single tenant, whose key is `apiKey`. */
  readonly tenants?: string | undefined;
  /** Origins besides loopback that browsers may call from. */
  readonly allowOrigins: readonly string[];
  /** Key of the workers. */
  readonly poolKey?: string | undefined;
  /** Where worlds go that name no pool. */
  readonly pool: string;
  readonly maxWorlds: number;
  readonly lineLength: number;
  /** Where the workers of each pool may be, `POOL=HOST[:PORT]`; anywhere that is fit for one by default. */
  readonly workerHosts?: readonly string[] | undefined;
  /** The folder that workers share, for the files of rollouts; the broker's object store by default. */
  readonly blobs?: string | undefined;
  readonly log?: Log | undefined;
}

/** A gateway that runs. */
export interface Gateway {
  readonly url: string;
  close(): Promise<void>;
}

/** How long open responses may take to finish, in milliseconds. */
const CLOSE = 5000;

/** Methods that are passed on. */
const METHODS = ["GET", "POST", "PATCH", "DELETE"] as const;

/** Paths that workers answer: a world has nothing else. */
const WORLD_PATHS = ["/v1/world/*", "/worlds/:world/v1/world/*"];

/** Starts a gateway. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { log = createLog(), pool, poolKey, maxWorlds, lineLength, workerHosts = [] } = options;
  let ownPort: number | undefined;
  const isLocal = options.broker.servers.split(",").every((server) => isLoopback(new URL(server.trim()).hostname));
  const addresses = new WorkerAddresses({ rules: workerHosts, isLocal, ownPort: () => ownPort });
  const stop = new AbortController();
  const known = options.tenants === undefined ? undefined : await Tenants.follow(options.tenants, log, stop.signal);
  const broker = await connectFleet({ ...options.broker, name: "gateway" }, options.blobs).catch((error) => {
    stop.abort();
    throw error;
  });
  const answers = new HttpMetrics();
  let isClosing = false;
  const clock = fleetClock();
  const counts = { retries: 0, takeovers: 0 };
  const view = new FleetView({
    broker,
    clock,
    onTakeover: (world_id, worker) => {
      counts.takeovers++;
      log("warn", "world_taken_over", { world_id, worker });
    },
    signal: stop.signal,
  });
  const onRefused = (world_id: string, { worker, url }: SessionOwner, reason: string): void =>
    log("error", "worker_address_refused", { world_id, worker, url, reason });
  const proxy = new GatewayProxy({ view, clock, poolKey, addresses, onRetry: () => counts.retries++, onRefused });
  const tenants = new GatewayTenants({ known, bucket: broker.tenants, clock, view });
  const worlds = new GatewayWorlds({ view, clock, proxy, tenants, pool, maxWorlds, lineLength });
  const pass = async (call: RouteCall): Promise<Response> => {
    const { pathname, search } = new URL(call.request.url);
    const tenant = await tenants.of(call.request);
    const [, given, rest] = /^\/worlds\/([^/]+)(\/.*)?$/.exec(pathname) ?? [];
    const inner = given === undefined ? pathname : rest;
    const charge = tenants.charge(tenant, call.request.method, inner);
    const world = await worlds.idOf(given, tenant);
    return await proxy.pass(call, { world, path: `/worlds/${world}${inner}${search}`, charge });
  };
  const health = (): Response => {
    const workers = [...view.workers.values()].map(({ value }) => value);
    return Response.json({
      object: "world.health",
      status: "ok",
      version: VERSION,
      workers: workers.length,
      slots: workers.reduce((sum, { slots }) => sum + slots, 0),
      used: workers.reduce((sum, { used }) => sum + used, 0),
    });
  };
  const ofTenants: Route[] = [
    ...tenants.routes(),
    ...worlds.routes(),
    ...batchRoutes({
      broker: { ...broker.batches, files: rolloutFiles(broker, options.blobs) },
      clock,
      pool,
      tenants,
    }),
    { method: "GET", path: "/worlds/:world/health", handle: pass },
    ...METHODS.flatMap((method) => WORLD_PATHS.map((path): Route => ({ method, path, handle: pass }))),
  ];
  const routes: Route[] = [
    { method: "GET", path: "/health", open: true, handle: health },
    ...operationRoutes({
      isReady: () => !stop.signal.aborted && !isClosing && broker.isConnected(),
      families: () => gatewayFamilies(view, counts, answers.counts()),
    }).map((route) => route.open ? route : tenants.forOperator(route)),
    ...gatewayPages(),
    ...ofTenants.map((route) => tenants.revocable(route)),
  ];
  try {
    await view.start();
    const handler = createRouter({
      routes,
      access: new AccessPolicy({
        apiKey: options.apiKey,
        accepts: known && ((digest) => known.accepts(digest)),
        allowOrigins: options.allowOrigins,
      }),
      newId: () => crypto.randomUUID(),
      onAnswer: (answer) => {
        answers.record(answer);
        logAnswer(log, answer);
      },
      asSvcError: (error, request, request_id) => {
        const trouble = brokerTrouble(error);
        const known = trouble === undefined ? asSvcError(error) : fleetUnavailable(trouble, error);
        if (trouble !== undefined || known.code === "internal_error") {
          log("error", "request_failed", { request_id, method: request.method, error });
        }
        return known;
      },
    });
    const server = await listen(handler, options);
    ownPort = Number(new URL(server.url).port);
    return {
      url: server.url,
      async close() {
        isClosing = true;
        await server.close(CLOSE);
        stop.abort();
        await broker.close();
      },
    };
  } catch (error) {
    stop.abort();
    await broker.close();
    throw error;
  }
}

function fleetUnavailable(trouble: string, cause: unknown): SvcError {
  return new SvcError("fleet_unavailable", `Cannot answer now, try again later: ${trouble}`, { cause });
}

/** The page of the default world and of every other one, which need no worker and no key. */
function gatewayPages(): Route[] {
  const page = { html: pageHtml, script: pageScript, style: pageStyle, icon: pageIcon };
  return ["", "/worlds/:world"].flatMap((base) => pageRoutes(base, page));
}

/** What a gateway counts. */
interface GatewayCounts {
  readonly retries: number;
  readonly takeovers: number;
}

/** Metrics of a gateway: what it sees of its fleet, and its own counts. */
export function gatewayFamilies(
  view: Pick<FleetView, "sessions" | "workers">,
  { retries, takeovers }: GatewayCounts,
  answers: readonly AnswerCount[],
): SampleFamily[] {
  const phases = new Map<string, number>(["waiting", "ready", "parked", "failed"].map((phase) => [phase, 0]));
  let oldest = Number.POSITIVE_INFINITY;
  for (const { value } of view.sessions.values()) {
    phases.set(value.phase, phases.get(value.phase)! + 1);
    if (value.phase === "waiting") oldest = Math.min(oldest, value.since);
  }
  const workers = [...view.workers.values()].map(({ value }) => value);
  const sum = (of: (worker: typeof workers[number]) => number): number => workers.reduce((n, one) => n + of(one), 0);
  const waited = Number.isFinite(oldest) ? Math.max(0, (Date.now() - oldest) / 1000) : 0;
  return [
    ["svc_info", "gauge", "Version of the server.", [[{ version: VERSION }, 1]]],
    ["svc_fleet_worlds", "gauge", "Worlds by phase.", [...phases].map(([phase, count]) => [{ phase }, count])],
    single("svc_fleet_longest_wait_seconds", "gauge", "How long the first world in the queue has waited.", waited),
    single("svc_fleet_workers", "gauge", "Workers that live.", workers.length),
    single("svc_fleet_slots", "gauge", "Slots of all workers.", sum(({ slots }) => slots)),
    single("svc_fleet_slots_used", "gauge", "Slots in use.", sum(({ used }) => used)),
    single("svc_gateway_retries_total", "counter", "Requests sent to a second worker.", retries),
    single("svc_gateway_takeovers_total", "counter", "Worlds taken from workers that are gone.", takeovers),
    ...answerFamilies(answers),
  ];
}
