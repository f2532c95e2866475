import { command, group } from "./lazy_command.ts";
import type { Command } from "./run_command.ts";

/** The commands of a fleet. */
export const fleetCommands: Readonly<Record<string, Command>> = {
  rollout: group("rollout", "make many walks on a fleet", "Batch rollouts on a fleet", {
    submit: command("submit a file of specs", async () => (await import("../fleet/commands/rollout.ts")).rolloutSubmit),
    status: command("show how a dataset stands", async () => (await import("../fleet/commands/rollout.ts")).rolloutStatus),
    fetch: command(
      "fetch the videos and last frames of a dataset",
      async () => (await import("../fleet/commands/rollout.ts")).rolloutFetch,
    ),
    delete: command("delete a dataset", async () => (await import("../fleet/commands/rollout_delete.ts")).rolloutDelete),
  }),
  gateway: group("gateway", "serve the worlds of a fleet", "The way into a fleet", {
    serve: command(
      "serve the worlds of a fleet over HTTP",
      async () => (await import("../fleet/commands/gateway_serve.ts")).gatewayServe,
    ),
  }),
  cluster: group("cluster", "look after a fleet of world servers", "A fleet of world servers", {
    init: command("lay a new fleet out", async () => (await import("../fleet/commands/cluster_fleet.ts")).clusterInit),
    status: command("show its workers", async () => (await import("../fleet/commands/cluster_fleet.ts")).clusterStatus),
    worlds: command("list its worlds", async () => (await import("../fleet/commands/cluster_worlds.ts")).clusterWorlds),
    collect: command(
      "remove files that nothing has any more",
      async () => (await import("../fleet/commands/cluster_collect.ts")).clusterCollect,
    ),
    drain: command(
      "ask a worker to hand its worlds to others and end",
      async () => (await import("../fleet/commands/cluster_fleet.ts")).clusterDrain,
    ),
  }),
};
