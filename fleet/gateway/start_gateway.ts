/**
 * Starts a gateway: the way into a fleet. It keeps nothing; any number may run beside each other.
 *
 * @module
 */
import type { EngineOptions } from "../nats/connect_engine.ts";
import { FleetView } from "../protocol/fleet_view.ts";
import { AccessPolicy } from "../../lib/http/access_policy.ts";
import { HttpMetrics, operationRoutes } from "../../lib/http/metrics.ts";
import { createRouter, logAnswer, type Route, type RouteCall } from "../../lib/http/router.ts";
import { asSvcError, SvcError } from "../../lib/errors/svc_error.ts";
import { createLog, type Log } from "../../lib/platform/processes/log.ts";
import { VERSION } from "../../lib/platform/processes/version.ts";
import { listen } from "../../lib/platform/sockets/listen.ts";
import { engineTrouble } from "../nats/engine_trouble.ts";
import { gatewayFamilies } from "./gateway_families.ts";
import { fleetClock } from "../worker/fleet_clock.ts";
import { connectFleet } from "../worker/fleet_folder.ts";
import { GatewayProxy } from "./gateway_proxy.ts";
import { gatewayPages } from "./gateway_pages.ts";
import { GatewayTenants } from "../tenants/gateway_tenants.ts";
import { Tenants } from "../tenants/tenants.ts";
import { GatewayWorlds } from "./gateway_worlds.ts";
import { rolloutRoutes } from "../batches/gateway_rollouts.ts";
import { rolloutFiles } from "../batches/rollout_files.ts";

/** Settings of a gateway. */
export interface GatewayOptions {
  /** The engine. */
  readonly engine: Omit<EngineOptions, "name">;
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
  /** The folder that workers share, for the files of rollouts; the engine's object store by default. */
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
  const { log = createLog(), pool, poolKey, maxWorlds, lineLength } = options;
  const stop = new AbortController();
  const known = options.tenants === undefined ? undefined : await Tenants.follow(options.tenants, log, stop.signal);
  const engine = await connectFleet({ ...options.engine, name: "gateway" }, options.blobs).catch((error) => {
    stop.abort();
    throw error;
  });
  const answers = new HttpMetrics();
  let isClosing = false;
  const clock = fleetClock();
  const counts = { retries: 0, takeovers: 0 };
  const view = new FleetView({
    engine,
    clock,
    onTakeover: (world_id, worker) => {
      counts.takeovers++;
      log("warn", "world_taken_over", { world_id, worker });
    },
    signal: stop.signal,
  });
  const proxy = new GatewayProxy({ view, clock, poolKey, onRetry: () => counts.retries++ });
  const tenants = new GatewayTenants({ known, bucket: engine.tenants, clock, view });
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
    ...rolloutRoutes({
      engine: { ...engine.rollouts, files: rolloutFiles(engine, options.blobs) },
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
      isReady: () => !stop.signal.aborted && !isClosing && engine.isConnected(),
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
        const trouble = engineTrouble(error);
        const known = trouble === undefined ? asSvcError(error) : fleetUnavailable(trouble, error);
        if (trouble !== undefined || known.code === "internal_error") {
          log("error", "request_failed", { request_id, method: request.method, error });
        }
        return known;
      },
    });
    const server = await listen(handler, options);
    return {
      url: server.url,
      async close() {
        isClosing = true;
        await server.close(CLOSE);
        stop.abort();
        await engine.close();
      },
    };
  } catch (error) {
    stop.abort();
    await engine.close();
    throw error;
  }
}

function fleetUnavailable(trouble: string, cause: unknown): SvcError {
  return new SvcError("fleet_unavailable", `Cannot answer now, try again later: ${trouble}`, { cause });
}
