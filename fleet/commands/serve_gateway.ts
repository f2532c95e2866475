/**
 * A gateway of a fleet, from its command line to its exit.
 *
 * @module
 */
import { type GatewayOptions, startGateway } from "../gateway/start_gateway.ts";
import { WorkerAddresses } from "../gateway/worker_addresses.ts";
import { outliveReaders, print } from "../../lib/platform/processes/run_main.ts";
import { shutdownSignal } from "../../lib/platform/processes/shutdown.ts";
import { VERSION } from "../../lib/platform/processes/version.ts";
import { thisPlatform } from "../../lib/platform/files/app_directory.ts";
import { flagsHelp, type FlagTable, readFlags, UsageError } from "../../lib/platform/terminal/flags.ts";
import { stderrLog } from "../../lib/platform/processes/log.ts";
import { accessFlags, logFlag, readAccess } from "../../servers/flags/access_flags.ts";
import { brokerFlags, checkName, readBroker } from "../../servers/flags/fleet_flags.ts";

const flags = {
  ...brokerFlags,
  ...accessFlags,
  log: logFlag,
  port: { kind: "integer", value: "N", min: 0, max: 65535, default: 8790, help: "port to listen on, 0 for any" },
  pool: { kind: "string", value: "NAME", default: "default", help: "default pool of new worlds" },
  "max-worlds": {
    kind: "integer",
    value: "N",
    min: 1,
    max: 1_000_000,
    default: 10_000,
    help: "maximum number of open worlds in the fleet",
  },
  line: {
    kind: "integer",
    value: "N",
    min: 1,
    max: 1_000_000,
    default: 500,
    help: "maximum queue length of a pool",
  },
  blobs: {
    kind: "string",
    value: "DIR",
    help: "folder of the workers' --blobs, for batch rollouts (default: the NATS object store)",
  },
  tenants: {
    kind: "string",
    value: "FILE",
    help: "JSON file of tenants with the hashes of their keys and their quotas, read again when it changes",
  },
  "worker-hosts": {
    kind: "strings",
    value: "POOL=HOST",
    help: "where workers of a pool may be: a name, *.NAME, an address or a range such as 10.0.0.0/8, and :PORT; " +
      "repeatable (default: anywhere but link-local and metadata addresses, and on this machine only beside NATS)",
  },
  json: { kind: "boolean", help: "print the address as JSON" },
  help: { kind: "boolean", help: "print this help" },
} as const satisfies FlagTable;

/** `svc gateway serve`: serves until SIGINT, SIGTERM or SIGHUP; resolves with the exit status. */
export async function gatewayServe(args: readonly string[]): Promise<number> {
  const asked = readGatewayFlags("svc gateway serve", args);
  if (asked.kind === "help") {
    print(asked.text);
    return 0;
  }
  outliveReaders();
  const ended = shutdownSignal();
  const { url, close } = await startGateway(asked.options);
  print(
    asked.json
      ? `${JSON.stringify({ event: "listening", url, version: VERSION })}\n`
      : `Gateway on ${url}, press Ctrl+C to stop\n`,
  );
  await ended;
  await close();
  return 0;
}

/** The parsed command line. */
type GatewayCommand =
  | { readonly kind: "help"; readonly text: string }
  | { readonly kind: "serve"; readonly json: boolean; readonly options: GatewayOptions };

/**
 * Parses the arguments of a gateway.
 *
 * @throws {UsageError} also for a non-loopback address without a key.
 */
export function readGatewayFlags(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = thisPlatform().env,
): GatewayCommand {
  const given = readFlags(command, args, flags);
  if (given.help) {
    const about = "serve the worlds of a fleet over HTTP; SVC_POOL_KEY is the key of its workers";
    return {
      kind: "help",
      text: `${command}: ${about}\n\nUsage: ${command} --join URL [flags]\n\n${flagsHelp(flags)}\n`,
    };
  }
  const broker = readBroker(command, given, env);
  checkName(command, "--pool", given.pool);
  try {
    new WorkerAddresses({ rules: given["worker-hosts"], isLocal: false, ownPort: () => undefined });
  } catch (cause) {
    throw new UsageError(`Cannot run ${command}: --worker-hosts ${(cause as Error).message}`, { cause });
  }
  return {
    kind: "serve",
    json: given.json,
    options: {
      broker,
      ...readAccess(given, env, "SVC_API_KEY", given.tenants !== undefined),
      ...(given.tenants !== undefined && { tenants: given.tenants }),
      port: given.port,
      ...(given.log === "json" && { log: stderrLog("json") }),
      pool: given.pool,
      poolKey: env["SVC_POOL_KEY"]?.trim() || undefined,
      maxWorlds: given["max-worlds"],
      lineLength: given.line,
      workerHosts: given["worker-hosts"],
      blobs: given.blobs,
    },
  };
}
