/**
 * The command line of the world server.
 *
 * @module
 */
import { thisPlatform } from "../../lib/platform/files/app_directory.ts";
import { flagsHelp, type FlagTable, readFlags } from "../../lib/platform/terminal/flags.ts";
import { stderrLog } from "../../lib/platform/processes/log.ts";
import { accessFlags, logFlag, readAccess } from "./access_flags.ts";
import { brokerFlags, type JoinOptions, readJoin, workerFlags } from "./fleet_flags.ts";
import { readSceneMemory, sceneMemoryFlags } from "./scene_memory_flags.ts";
import { SESSION_LIMITS } from "../../lib/world/session/session_options.ts";
import { MAX_WORLDS } from "../../lib/world/session/worlds.ts";
import type { WorldServerOptions } from "../../lib/app/world/start_world_server.ts";

const flags = {
  backend: { kind: "choice", choices: ["arworld", "actionworld"], default: "arworld", help: "kind of world model" },
  model: {
    kind: "string",
    value: "DIR",
    help: "folder of the model (default: the embedded world of the backend)",
  },
  "base-model": {
    kind: "string",
    value: "DIR",
    help: "arworld only: folder of text encoder, VAE and tokenizer, if not beside --model",
  },
  "state-directory": { kind: "string", value: "DIR", help: "folder for videos and frames" },
  prepare: { kind: "boolean", help: "load and warm up the model before listening" },
  device: {
    kind: "choice",
    choices: ["auto", "cpu", "webgpu", "cuda", "tensorrt", "coreml", "dml"],
    default: "auto",
    help: "device of the model; auto is the fastest GPU that works, else the CPU",
  },
  adapter: {
    kind: "string",
    value: "NAME|N",
    help: "GPU to use where there are several: a part of its name, or its number in svc doctor",
  },
  decoder: {
    kind: "choice",
    choices: ["full", "tiny"],
    default: "full",
    help:
      "arworld only: tiny is fast and small, with less detail; it needs tiny_decoder.safetensors in the base folder",
  },
  threads: { kind: "integer", value: "N", min: 1, max: 1024, help: "threads of the CPU device (default: all cores)" },
  "memory-limit-gb": {
    kind: "number",
    value: "GIB",
    min: 0,
    max: 2 ** 20,
    help: "memory that the server may use; with a GPU, GPU memory (default: all)",
  },
  host: accessFlags.host,
  port: { kind: "integer", value: "N", min: 0, max: 65535, default: 8791, help: "port to listen on, 0 for any" },
  "api-key": accessFlags["api-key"],
  "allow-origin": accessFlags["allow-origin"],
  "allow-path": { kind: "strings", value: "DIR", help: "folder whose files requests may name; repeatable" },
  "max-retained-edges": {
    kind: "integer",
    value: "N",
    min: 0,
    max: 999,
    default: SESSION_LIMITS.maxRetainedEdges,
    help: "maximum number of moves that can be replayed in reverse",
  },
  "max-checkpoints": {
    kind: "integer",
    value: "N",
    min: 0,
    max: 1000,
    default: SESSION_LIMITS.maxCheckpoints,
    help: "maximum number of checkpoints",
  },
  "max-worlds": {
    kind: "integer",
    value: "N",
    min: 1,
    max: 1000,
    default: MAX_WORLDS,
    help: "maximum number of open worlds, including the first",
  },
  journal: {
    kind: "choice",
    choices: ["on", "off"],
    default: "on",
    help:
      "store worlds in the state directory, so that they survive a restart or a crash; off: worlds end with the server",
  },
  "park-after": {
    kind: "integer",
    value: "SECONDS",
    min: 1,
    max: 2_000_000,
    default: 300,
    help:
      "after this time without use a world is written to disk and its memory is freed; the next move loads it again",
  },
  "keep-files": {
    kind: "integer",
    value: "BYTES",
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    default: SESSION_LIMITS.keepFiles,
    help: "maximum size of kept videos and pictures; the oldest are removed first",
  },
  ...sceneMemoryFlags,
  ...brokerFlags,
  ...workerFlags,
  log: logFlag,
  json: { kind: "boolean", help: "print the address as JSON" },
  help: { kind: "boolean", help: "print this help" },
  version: { kind: "boolean", help: "print the version" },
} as const satisfies FlagTable;

/** The parsed command line. */
export type WorldCommand =
  | { readonly kind: "help" }
  | { readonly kind: "version" }
  | {
    readonly kind: "serve";
    readonly json: boolean;
    readonly options: WorldServerOptions;
    /** The fleet to join; absent where there is none. */
    readonly fleet?: JoinOptions;
  };

/** The help text of a command that starts the world server. */
export function worldHelp(command: string): string {
  return `${command}: serve generated worlds over HTTP\n\nUsage: ${command} [flags]\n\n${flagsHelp(flags)}\n`;
}

/**
 * Parses the arguments of the world server.
 *
 * @throws {UsageError} also for a non-loopback address without a key.
 */
export function readWorldFlags(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = thisPlatform().env,
): WorldCommand {
  const given = readFlags(command, args, flags);
  if (given.help) return { kind: "help" };
  if (given.version) return { kind: "version" };
  const fleet = given.join === undefined ? undefined : readJoin(command, { ...given, join: given.join }, env);
  return {
    kind: "serve",
    json: given.json,
    ...(fleet && { fleet }),
    options: {
      backend: given.backend,
      model: given.model,
      baseModel: given["base-model"],
      stateDirectory: given["state-directory"],
      prepare: given.prepare || given.join !== undefined,
      device: given.device,
      adapter: given.adapter,
      decoder: given.decoder,
      threads: given.threads,
      memoryLimit: given["memory-limit-gb"] === undefined ? undefined : given["memory-limit-gb"] * 2 ** 30,
      // Gateways send the key of the pool.
      ...readAccess(given, env, given.join === undefined ? "SVC_API_KEY" : "SVC_POOL_KEY"),
      port: given.port,
      ...(given.log === "json" && { log: stderrLog("json") }),
      allowPaths: given["allow-path"],
      encoder: env["SVC_ENCODER"] || undefined,
      maxRetainedEdges: given["max-retained-edges"],
      maxCheckpoints: given["max-checkpoints"],
      maxWorlds: given["max-worlds"],
      journal: given.journal === "on",
      parkAfter: 1000 * given["park-after"],
      keepFiles: given["keep-files"],
      // An actionworld has no scene memory: its flags are ignored.
      sceneMemory: given.backend === "arworld" ? readSceneMemory(given) : undefined,
    },
  };
}
