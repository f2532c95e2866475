/**
 * What a world server has of fleets without the package `@svc/fleet`: what that does, and the flags by which it joins.
 *
 * @module
 */
import type { WorldServer, WorldServerOptions } from "../../lib/app/world/start_world_server.ts";
import type { SvcError } from "../../lib/errors/svc_error.ts";
import { UsageError } from "../../lib/platform/terminal/flags.ts";

/** What the package does. */
export interface FleetPackage {
  /** Starts a worker. */
  startFleetWorker(options: WorldServerOptions, join: JoinOptions): Promise<FleetWorker>;
  /** Commands of `svc`, loaded one by one; each takes its arguments and resolves with its exit status. */
  readonly commands: Readonly<Record<FleetCommand, () => Promise<(args: readonly string[]) => Promise<number>>>>;
  /** The class of the SDK that the package uses: its errors are the SDK's own. */
  readonly SvcError: typeof SvcError;
}

/** A command of a fleet. */
export type FleetCommand =
  | "gateway serve"
  | `cluster ${"init" | "status" | "worlds" | "collect" | "drain"}`
  | `rollout ${"submit" | "status" | "fetch" | "delete"}`;

/** A worker that runs. */
export interface FleetWorker extends WorldServer {
  /** Resolves when the fleet has asked it to leave: close it. */
  readonly asked: Promise<void>;
}

/** Where the NATS server of a fleet is, and the credentials of a role. */
export interface BrokerAddress {
  /** Such as `nats://127.0.0.1:4222`; several, with commas, for the nodes of one cluster. */
  readonly servers: string;
  /** The user of the role; none on loopback. */
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  /** File of the authority that the server's certificate is checked against. */
  readonly ca?: string | undefined;
}

/** How a world server joins a fleet. */
export interface JoinOptions {
  readonly broker: BrokerAddress;
  readonly slots: number;
  readonly pool: string;
  /** What it does; both by default. */
  readonly takes?: { readonly sessions: boolean; readonly rollouts: boolean } | undefined;
  /** Unlike that of any other worker; made of the process by default. */
  readonly name?: string | undefined;
  /** Where gateways reach this worker; where it listens by default. */
  readonly advertise?: string | undefined;
  /** A folder that all workers share, for states and videos; the object store of NATS by default. */
  readonly blobs?: string | undefined;
  /** Milliseconds that a job may take to end when the worker leaves. */
  readonly grace: number;
  /** Port of Agones' SDK server, in a pod that Agones has made. */
  readonly agones?: number | undefined;
}

/** Every role of a fleet has them. */
export const brokerFlags = {
  join: {
    kind: "string",
    value: "URL",
    help: "fleet to join: its NATS servers, nats://HOST:PORT, comma-separated",
  },
  "nats-ca": {
    kind: "string",
    value: "FILE",
    help: "CA certificate for tls:// servers",
  },
} as const;

/** Flags of a worker. */
export const workerFlags = {
  slots: {
    kind: "integer",
    value: "N",
    min: 1,
    max: 1000,
    default: 4,
    help: "with --join: maximum number of worlds at a time",
  },
  pool: { kind: "string", value: "NAME", default: "default", help: "with --join: pool of workers with the same model" },
  take: {
    kind: "string",
    value: "LIST",
    default: "sessions,rollouts",
    help: "with --join: what this worker does; rollouts get the slots that no world needs",
  },
  name: { kind: "string", value: "NAME", help: "with --join: name of this worker (default: a new one)" },
  advertise: { kind: "string", value: "URL", help: "with --join: address at which gateways reach this worker" },
  blobs: {
    kind: "string",
    value: "DIR",
    help: "with --join: folder that all workers share, for states and videos (default: the NATS object store)",
  },
  "drain-seconds": {
    kind: "integer",
    value: "SECONDS",
    min: 0,
    max: 86_400,
    default: 120,
    help: "with --join: how long a running job may take when the worker leaves",
  },
} as const;

/** The values of {@linkcode brokerFlags}. */
export interface BrokerFlagValues {
  readonly join: string | undefined;
  readonly "nats-ca": string | undefined;
}

/** What names of pools, workers, tenants and datasets look like: they become parts of subjects. */
export const FLEET_NAME: RegExp = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Where the NATS server is. The user of a role comes from `SVC_NATS_USER` and `SVC_NATS_PASSWORD`: not from the command line,
 * which other users of the machine can read.
 *
 * @throws {UsageError} for an invalid address, or one with a password in it.
 */
export function readBroker(
  command: string,
  { join, "nats-ca": ca }: BrokerFlagValues,
  env: Readonly<Record<string, string | undefined>>,
): BrokerAddress {
  for (const server of (join ?? "").split(",")) {
    const url = URL.canParse(server.trim()) ? new URL(server.trim()) : undefined;
    if (!url || !/^(nats|tls):$/.test(url.protocol) || url.hostname === "") {
      throw new UsageError(`Cannot run ${command}: --join is "${server}", expected nats://HOST:PORT`);
    }
    if (url.username !== "" || url.password !== "") {
      throw new UsageError(
        `Cannot run ${command}: --join has a user in it, set SVC_NATS_USER and SVC_NATS_PASSWORD instead`,
      );
    }
  }
  return {
    servers: join!,
    user: env["SVC_NATS_USER"] || undefined,
    password: env["SVC_NATS_PASSWORD"] || undefined,
    ca,
  };
}

/** Checks the name of a pool or a worker. */
export function checkName(command: string, flag: string, name: string): void {
  if (FLEET_NAME.test(name)) return;
  throw new UsageError(
    `Cannot run ${command}: ${flag} is "${name}", expected 1 to 63 lower-case letters, digits and inner hyphens`,
  );
}

/** What a worker says of itself. */
export interface WorkerFlagValues extends BrokerFlagValues {
  readonly slots: number;
  readonly pool: string;
  readonly take: string;
  readonly name: string | undefined;
  readonly advertise: string | undefined;
  readonly blobs: string | undefined;
  readonly "drain-seconds": number;
}

/**
 * How a worker joins.
 *
 * @throws {UsageError} for an invalid name or address.
 */
export function readJoin(
  command: string,
  given: WorkerFlagValues,
  env: Readonly<Record<string, string | undefined>>,
): JoinOptions {
  const { slots, pool, name, advertise, blobs } = given;
  const broker = readBroker(command, given, env);
  checkName(command, "--pool", pool);
  if (name !== undefined) checkName(command, "--name", name);
  if (advertise !== undefined && !(URL.canParse(advertise) && /^https?:$/.test(new URL(advertise).protocol))) {
    throw new UsageError(`Cannot run ${command}: --advertise is "${advertise}", expected http://HOST:PORT`);
  }
  const take = given.take.split(",").map((word) => word.trim());
  if (take.some((word) => word !== "sessions" && word !== "rollouts")) {
    throw new UsageError(
      `Cannot run ${command}: --take is "${given.take}", expected sessions, rollouts or sessions,rollouts`,
    );
  }
  const takes = { sessions: take.includes("sessions"), rollouts: take.includes("rollouts") };
  const url = advertise?.replace(/(?<!\/)\/+$/, "");
  const agones = readAgonesPort(command, env["AGONES_SDK_HTTP_PORT"]);
  return {
    broker,
    slots,
    pool,
    takes,
    name,
    advertise: url,
    blobs,
    grace: 1000 * given["drain-seconds"],
    ...(agones && { agones }),
  };
}

/** Agones sets it in the pods that it makes. */
function readAgonesPort(command: string, text: string | undefined): number | undefined {
  if (!text) return undefined;
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new UsageError(`Cannot run ${command}: AGONES_SDK_HTTP_PORT is "${text}", expected a port from 1 to 65535`);
}
