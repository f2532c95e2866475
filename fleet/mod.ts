/**
 * Worlds on many machines: what `svc` loads when a server joins a fleet, or a command of one runs.
 *
 * @module
 */
import { SvcError } from "../lib/errors/svc_error.ts";
import type { FleetPackage } from "../servers/flags/fleet_flags.ts";

const cluster = () => import("./commands/cluster.ts");
const rollout = () => import("./commands/rollout.ts");

/** The fleet; its modules are loaded when they are needed. */
export const fleet: FleetPackage = {
  startFleetWorker: async (options, join) =>
    await (await import("./worker/start_fleet_worker.ts")).startFleetWorker(options, join),
  commands: {
    "gateway serve": async () => (await import("./commands/serve_gateway.ts")).gatewayServe,
    "cluster init": async () => (await cluster()).clusterInit,
    "cluster status": async () => (await cluster()).clusterStatus,
    "cluster worlds": async () => (await cluster()).clusterWorlds,
    "cluster collect": async () => (await cluster()).clusterCollect,
    "cluster drain": async () => (await cluster()).clusterDrain,
    "rollout submit": async () => (await rollout()).rolloutSubmit,
    "rollout status": async () => (await rollout()).rolloutStatus,
    "rollout fetch": async () => (await rollout()).rolloutFetch,
    "rollout delete": async () => (await rollout()).rolloutDelete,
  },
  SvcError,
};
