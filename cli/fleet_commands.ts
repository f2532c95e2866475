import type { FleetCommand } from "../servers/flags/fleet_flags.ts";
import { command, group } from "./lazy_command.ts";
import type { Command } from "./run_command.ts";

/** The commands of a fleet, whose code is in a package of its own: this lists them without it. */
export const fleetCommands: Readonly<Record<string, Command>> = {
  rollout: group("rollout", "generate many walks on a fleet", "Batch rollouts on a fleet", {
    submit: fleetCommand("rollout submit", "submit a file of specs"),
    status: fleetCommand("rollout status", "show the progress of a dataset"),
    fetch: fleetCommand("rollout fetch", "fetch the videos and last frames of a dataset"),
    delete: fleetCommand("rollout delete", "delete a dataset"),
  }),
  gateway: group("gateway", "serve the worlds of a fleet", "Gateways, which the clients of a fleet connect to", {
    serve: fleetCommand("gateway serve", "serve the worlds of a fleet over HTTP"),
  }),
  cluster: group("cluster", "manage a fleet of world servers", "A fleet of world servers", {
    init: fleetCommand("cluster init", "set up a new fleet"),
    status: fleetCommand("cluster status", "show its workers"),
    worlds: fleetCommand("cluster worlds", "list its worlds"),
    collect: fleetCommand("cluster collect", "remove files that nothing refers to"),
    drain: fleetCommand("cluster drain", "ask a worker to hand over its worlds and exit"),
  }),
};

function fleetCommand(name: FleetCommand, help: string): Command {
  return command(help, async () => {
    const fleet = await (await import("../servers/load_fleet.ts")).loadFleet(`run svc ${name}`);
    return await fleet.commands[name]();
  });
}
