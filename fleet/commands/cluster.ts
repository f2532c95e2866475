/**
 * The commands of `svc cluster`.
 *
 * @module
 */
import { printable } from "../../lib/platform/terminal/terminal_text.ts";
import type { Collected } from "../files/blob_store.ts";
import { type BrokerConfigOptions, writeBrokerConfig } from "../nats/write_broker_config.ts";
import { thisPlatform } from "../../lib/platform/files/app_directory.ts";
import { print } from "../../lib/platform/processes/run_main.ts";
import { flagsHelp, type FlagTable, readFlagsAndWords, UsageError } from "../../lib/platform/terminal/flags.ts";
import { type BrokerAddress, brokerFlags, readBroker } from "../../servers/flags/fleet_flags.ts";
import { collectFleet, drainWorker, initFleet, readFleet, readWorlds } from "./manage_fleet.ts";

const SHARED = {
  ...brokerFlags,
  json: { kind: "boolean", help: "print JSON" },
  help: { kind: "boolean", help: "show this help" },
} as const;

const INIT = {
  ...SHARED,
  "broker-config": {
    kind: "string",
    value: "DIR",
    help: "write nats.conf, certificates and a user for each role into a new folder, and exit",
  },
  "broker-host": {
    kind: "strings",
    value: "NAME",
    help: "with --broker-config: name or address of the NATS server, for its certificate; repeatable",
  },
  "broker-pool": {
    kind: "strings",
    value: "NAME",
    help: "with --broker-config: pool with its own NATS account, isolated from the others; repeatable",
  },
  "broker-worker": {
    kind: "strings",
    value: "NAME",
    help: "with --broker-config: worker with its own user, POOL/NAME with --broker-pool; repeatable",
  },
  lease: {
    kind: "integer",
    value: "SECONDS",
    min: 2,
    max: 600,
    default: 20,
    help: "time before a silent worker is replaced",
  },
  line: {
    kind: "integer",
    value: "N",
    min: 1,
    max: 1_000_000,
    default: 1000,
    help: "maximum number of worlds in the queue",
  },
  replicas: {
    kind: "integer",
    value: "N",
    min: 1,
    max: 5,
    default: 1,
    help: "copies of all data: 3 on three nodes",
  },
} as const satisfies FlagTable;

const WORLDS = {
  ...SHARED,
  limit: { kind: "integer", value: "N", min: 1, max: 1000, default: 100, help: "worlds to list" },
  after: {
    kind: "string",
    value: "POSITION",
    help: "list worlds after this position, which the previous list printed",
  },
} as const satisfies FlagTable;

const COLLECT = {
  ...SHARED,
  blobs: { kind: "string", value: "DIR", help: "folder that the workers share (default: the NATS object store)" },
  "grace-hours": {
    kind: "integer",
    value: "N",
    min: 1,
    max: 10_000,
    default: 24,
    help: "keep files younger than this, whether used or not",
  },
  "dry-run": { kind: "boolean", help: "only count the files" },
} as const satisfies FlagTable;

/** `svc cluster init`. */
export async function clusterInit(args: readonly string[]): Promise<number> {
  const { flags } = readFlagsAndWords("svc cluster init", args, INIT);
  const configure = flags["broker-config"];
  if (configure !== undefined && !flags.help) {
    const { "broker-host": hosts, "broker-pool": pools, "broker-worker": workers } = flags;
    return await writeConfig(configure, { hosts, pools, workers }, flags.json);
  }
  const command = { word: "init", about: "Set up a new fleet on a NATS server with JetStream", table: INIT };
  return await runCluster(command, args, async (broker, json) => {
    const layout = { lease: 1000 * flags.lease, lineLength: flags.line, replicas: flags.replicas };
    const { lease } = await initFleet(broker, layout);
    return json ? { lease_seconds: lease / 1000 } : `The fleet is set up, with a lease of ${lease / 1000} s\n`;
  });
}

async function writeConfig(directory: string, options: BrokerConfigOptions, json: boolean): Promise<number> {
  const folder = await writeBrokerConfig(directory, options);
  const operators = (options.pools ?? []).map((pool) => `${folder}/${pool}/operator.env`);
  const users = operators.length === 0
    ? `set up the fleet as the user of ${folder}/operator.env`
    : `set up each pool, as the users of ${operators.join(", ")}`;
  print(
    json ? `${JSON.stringify({ broker_config: folder })}\n` : `Wrote ${folder}. Start the server with
  nats-server -c ${folder}/nats.conf
then ${users}:
  svc cluster init --join tls://HOST:4222 --nats-ca ${folder}/ca.pem
`,
  );
  return 0;
}

/** `svc cluster status`. */
export function clusterStatus(args: readonly string[]): Promise<number> {
  const command = { word: "status", about: "Show the workers of a fleet, and how many worlds it has" };
  return runCluster(command, args, async (broker, json) => {
    const fleet = await readFleet(broker);
    const phases = [...fleet.worlds].map(([phase, worlds]) => `${worlds} ${phase}`);
    const all = [...fleet.worlds.values()].reduce((sum, count) => sum + count);
    const rows = fleet.workers.map(({ worker, pool, used, slots, url, draining }) =>
      `${printable(`${worker}  pool ${pool}  ${used}/${slots} slots  ${url}${draining ? "  leaving" : ""}`)}\n`
    );
    return json
      ? { workers: fleet.workers, worlds: all }
      : `${count(fleet.workers.length, "worker")}, ${count(all, "world")}: ${phases.join(", ")}\n${rows.join("")}`;
  });
}

function count(things: number, name: string): string {
  return `${things} ${name}${things === 1 ? "" : "s"}`;
}

/** `svc cluster worlds`. */
export async function clusterWorlds(args: readonly string[]): Promise<number> {
  const { flags } = readFlagsAndWords("svc cluster worlds", args, WORLDS);
  const command = { word: "worlds", about: "List the worlds of a fleet, the oldest first", table: WORLDS };
  return await runCluster(command, args, async (broker, json) => {
    const page = await readWorlds(broker, flags);
    const rows = page.worlds.map(({ world_id, phase, pool, owner, name, reason }) =>
      printable(`${world_id}  ${phase}  pool ${pool}  ${owner?.worker ?? "-"}  ${name ?? reason ?? ""}`.trimEnd()) +
      "\n"
    );
    const rest = page.next_after === undefined ? "" : `There are more: --after ${page.next_after}\n`;
    return json ? page : rows.join("") + rest;
  });
}

/** `svc cluster collect`. */
export async function clusterCollect(args: readonly string[]): Promise<number> {
  const { flags } = readFlagsAndWords("svc cluster collect", args, COLLECT);
  const about = "Remove pictures, videos and states that no world or rollout of a fleet refers to";
  return await runCluster({ word: "collect", about, table: COLLECT }, args, async (broker, json) => {
    const grace = flags["grace-hours"] * 3_600_000;
    const found = await collectFleet({ broker, blobs: flags.blobs, grace, dryRun: flags["dry-run"] });
    const verb = flags["dry-run"] ? "Would remove" : "Removed";
    const line = (what: string, { removed, blobs, bytes }: Collected): string =>
      `${verb} ${removed} of ${blobs} files of ${what}, ${(bytes / 2 ** 20).toFixed(1)} MB\n`;
    return json ? found : line("worlds", found.worlds) + line("rollouts", found.rollouts);
  });
}

/** `svc cluster drain`. */
export function clusterDrain(args: readonly string[]): Promise<number> {
  const command = { word: "drain", about: "Ask a worker to hand over its worlds and exit", usage: "WORKER " };
  return runCluster(command, args, async (broker, json, [worker]) => {
    if (worker === undefined) throw new UsageError("Cannot run svc cluster drain: expected the name of a worker");
    await drainWorker(broker, worker);
    return json ? { draining: worker } : `Worker ${worker} was asked to leave\n`;
  });
}

interface ClusterCommand {
  readonly word: string;
  readonly about: string;
  /** Words after the command, for the help. */
  readonly usage?: string;
  readonly table?: FlagTable;
}

/** What a command does: returns what it prints. */
type Work = (broker: BrokerAddress, json: boolean, words: readonly string[]) => Promise<string | object>;

/** Reads the flags that all commands have, and prints what the work returns, or the help. */
async function runCluster(command: ClusterCommand, args: readonly string[], work: Work): Promise<number> {
  const { word, about, usage = "", table = SHARED } = command;
  const name = `svc cluster ${word}`;
  const { flags, words } = readFlagsAndWords(name, args, table as typeof SHARED);
  if (flags.help) {
    print(`${about}\n\nUsage: ${name} ${usage}--join URL [flags]\n\n${flagsHelp(table)}\n`);
    return 0;
  }
  const shown = await work(readBroker(name, flags, thisPlatform().env), flags.json, words);
  print(typeof shown === "string" ? shown : `${JSON.stringify(shown)}\n`);
  return 0;
}
