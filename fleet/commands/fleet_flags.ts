/**
 * The flags by which servers join a fleet.
 *
 * @module
 */
import { UsageError } from "../../lib/platform/terminal/flags.ts";
import type { EngineOptions } from "../nats/connect_engine.ts";
import type { JoinOptions } from "../worker/start_fleet_worker.ts";

/** Every role of a fleet has them. */
export const engineFlags = {
  join: {
    kind: "string",
    value: "URL",
    help: "fleet to join: its NATS servers, nats://HOST:PORT, with commas between",
  },
  "nats-ca": {
    kind: "string",
    value: "FILE",
    help: "authority that the certificates of tls:// servers are checked against",
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
    help: "with --join: worlds at the same time",
  },
  pool: { kind: "string", value: "NAME", default: "default", help: "with --join: pool of workers with the same model" },
  take: {
    kind: "string",
    value: "LIST",
    default: "sessions,rollouts",
    help: "with --join: what this worker does; rollouts get the slots that no world wants",
  },
  name: { kind: "string", value: "NAME", help: "with --join: name of this worker (default: a new one)" },
  advertise: { kind: "string", value: "URL", help: "with --join: where gateways reach this worker" },
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

/** The values of {@linkcode engineFlags}. */
export interface EngineFlagValues {
  readonly join: string | undefined;
  readonly "nats-ca": string | undefined;
}

/** Names of pools and workers, which become parts of subjects. */
const NAME = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Where the engine is. The user of a role comes from `SVC_NATS_USER` and `SVC_NATS_PASSWORD`: not from the command line,
 * which other users of the machine can read.
 *
 * @throws {UsageError} for an address that is none, or has a password in it.
 */
export function readEngine(
  command: string,
  { join, "nats-ca": ca }: EngineFlagValues,
  env: Readonly<Record<string, string | undefined>>,
): Omit<EngineOptions, "name"> {
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
  if (NAME.test(name)) return;
  throw new UsageError(
    `Cannot run ${command}: ${flag} is "${name}", expected 1 to 63 lower-case letters, digits and inner hyphens`,
  );
}

/** What a worker says of itself. */
export interface WorkerFlagValues extends EngineFlagValues {
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
  const engine = readEngine(command, given, env);
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
  const url = advertise?.replace(/\/+$/, "");
  const agones = readAgonesPort(command, env["AGONES_SDK_HTTP_PORT"]);
  return {
    engine,
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
