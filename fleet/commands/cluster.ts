import { drainWorker, initFleet, readFleet } from "./manage_fleet.ts";
import { clusterConfig } from "./cluster_config.ts";
import { type FlagTable, readFlagsAndWords, UsageError } from "../../lib/platform/terminal/flags.ts";
import { runCluster as run, SHARED } from "./run_cluster.ts";

const INIT = {
  ...SHARED,
  "broker-config": {
    kind: "string",
    value: "DIR",
    help: "write nats.conf, certificates and the users of the roles into a new folder, and nothing else",
  },
  "broker-host": {
    kind: "strings",
    value: "NAME",
    help: "with --broker-config: name or address of the NATS server, for its certificate; repeatable",
  },
  lease: {
    kind: "integer",
    value: "SECONDS",
    min: 2,
    max: 600,
    default: 20,
    help: "until a silent worker is replaced",
  },
  line: { kind: "integer", value: "N", min: 1, max: 1_000_000, default: 1000, help: "worlds that may wait in all" },
  replicas: {
    kind: "integer",
    value: "N",
    min: 1,
    max: 5,
    default: 1,
    help: "copies of everything: 3 with three nodes",
  },
} as const satisfies FlagTable;

/** `svc cluster status`. */
export function clusterStatus(args: readonly string[]): Promise<number> {
  return run("status", "Show the workers of a fleet, and how many worlds it has", args, async (broker, json) => {
    const fleet = await readFleet(broker);
    const phases = [...fleet.worlds].map(([phase, count]) => `${count} ${phase}`);
    const all = [...fleet.worlds.values()].reduce((sum, count) => sum + count);
    const rows = fleet.workers.map(({ worker, pool, used, slots, url, draining }) =>
      `${worker}  pool ${pool}  ${used}/${slots} slots  ${url}${draining ? "  leaving" : ""}\n`
    );
    return json
      ? { workers: fleet.workers, worlds: all }
      : `${fleet.workers.length} workers, ${all} worlds: ${phases.join(", ")}\n${rows.join("")}`;
  });
}

/** `svc cluster drain`. */
export function clusterDrain(args: readonly string[]): Promise<number> {
  return run("drain", "Ask a worker to hand its worlds to others and end", args, async (broker, json, [worker]) => {
    if (worker === undefined) throw new UsageError("Cannot run svc cluster drain: expected the name of a worker");
    await drainWorker(broker, worker);
    return json ? { draining: worker } : `Worker ${worker} was asked to leave\n`;
  }, "WORKER ");
}

/** `svc cluster init`. */
export async function clusterInit(args: readonly string[]): Promise<number> {
  const { flags } = readFlagsAndWords("svc cluster init", args, INIT);
  const configure = flags["broker-config"];
  if (configure !== undefined && !flags.help) return await clusterConfig(configure, flags["broker-host"], flags.json);
  return await run(
    "init",
    "Lay a new fleet out in a NATS server with JetStream",
    args,
    async (broker, json) => {
      const layout = { lease: 1000 * flags.lease, lineLength: flags.line, replicas: flags.replicas };
      const { lease } = await initFleet(broker, layout);
      return json ? { lease_seconds: lease / 1000 } : `The fleet is laid out, with a lease of ${lease / 1000} s\n`;
    },
    "",
    INIT,
  );
}
