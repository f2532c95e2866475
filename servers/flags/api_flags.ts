/**
 * The command line of the model API server.
 *
 * @module
 */
import type { GuardSettings } from "../../lib/scheduling/mod.ts";
import { thisPlatform } from "../../lib/platform/files/app_directory.ts";
import { flagsHelp, type FlagTable, readFlags, UsageError } from "../../lib/platform/terminal/flags.ts";
import type { LogForm } from "../../lib/platform/processes/log.ts";
import { accessFlags, logFlag, readAccess } from "./access_flags.ts";
import { ENGINE_IDS } from "../../lib/engines/contract/engine_ids.ts";
import { DEFAULT_CONTEXT_SIZE } from "../../lib/app/models/api_defaults.ts";
import type { ModelServerOptions } from "../../lib/app/models/start_model_server.ts";

const GIB = 2 ** 30;
const INT32_MAX = 2 ** 31 - 1;

const flags = {
  model: {
    kind: "string",
    value: "ID|PATH",
    short: "m",
    help: "model to load at start, used by requests that name none: an id, a folder or a GGUF file",
  },
  engine: {
    kind: "choice",
    choices: ENGINE_IDS.chat,
    help: "engine of that model; without --model, load the only installed model of that engine",
  },
  host: accessFlags.host,
  port: {
    kind: "integer",
    value: "N",
    min: 0,
    max: 65535,
    default: 8080,
    short: "p",
    help: "port to listen on, 0 for any",
  },
  "api-key": accessFlags["api-key"],
  "allow-origin": accessFlags["allow-origin"],
  "allow-path": { kind: "strings", value: "DIR", help: "folder whose images chat requests may name; repeatable" },
  "rate-limit-per-minute": {
    kind: "integer",
    value: "N",
    min: 1,
    max: INT32_MAX,
    help: "inference requests per client per minute (default: 60 with a key, else unlimited)",
  },
  "max-active-requests": {
    kind: "integer",
    value: "N",
    min: 1,
    max: 256,
    default: 1,
    help: "maximum number of concurrent requests; chats of one model use continuous batching",
  },
  "context-size": {
    kind: "integer",
    value: "N",
    min: 1,
    max: INT32_MAX,
    default: DEFAULT_CONTEXT_SIZE,
    help: "maximum number of tokens of prompt and answer together",
  },
  "memory-guard": {
    kind: "choice",
    choices: ["off", "safe", "balanced", "aggressive", "custom"],
    default: "balanced",
    help: "how much memory to leave to other programs",
  },
  "memory-guard-custom-ceiling-gb": {
    kind: "number",
    value: "GIB",
    min: 0,
    max: 2 ** 20,
    help: "with --memory-guard custom: memory that models may use",
  },
  device: {
    kind: "choice",
    choices: ["auto", "cpu", "cuda", "webgpu", "vulkan", "metal", "coreml", "dml"],
    default: "auto",
    help: "device of the models",
  },
  adapter: {
    kind: "string",
    value: "NAME|N",
    help: "GPU of images and vision where there are several: a part of its name, or its number in svc doctor",
  },
  threads: {
    kind: "integer",
    value: "N",
    min: 1,
    max: 1024,
    help: "threads per engine (default: the engine's choice)",
  },
  "max-wait": {
    kind: "integer",
    value: "SECONDS",
    min: 0,
    max: 86_400,
    default: 600,
    help: "how long to wait at start for permits that other processes hold",
  },
  lora: { kind: "string", value: "FILE", help: "LoRA adapter of the startup model, for gguf-text" },
  "kv-quant-scheme": { kind: "choice", choices: ["polar"], help: "with --kv-bits 2: pack the prefix cache" },
  "kv-bits": { kind: "integer", value: "2", min: 2, max: 2, help: "bits per packed number" },
  "image-run-records": { kind: "string", value: "DIR", help: "folder for records of image operations" },
  "transcription-run-records": { kind: "string", value: "DIR", help: "folder for records of transcriptions" },
  "read-only-store": {
    kind: "boolean",
    help: "never write, lock or delete in the models folder, which other machines share",
  },
  log: logFlag,
  json: { kind: "boolean", help: "print the address as JSON" },
  help: { kind: "boolean", help: "print this help" },
  version: { kind: "boolean", help: "print the version" },
} as const satisfies FlagTable;

/** The parsed command line. */
export type ApiCommand =
  | { readonly kind: "help" }
  | { readonly kind: "version" }
  | { readonly kind: "serve"; readonly json: boolean; readonly log: LogForm; readonly options: ModelServerOptions };

/** The help text of a command that starts the model API server. */
export function apiHelp(command: string): string {
  return `${command}: serve local models over HTTP, compatible with OpenAI clients\n\n` +
    `Usage: ${command} [flags]\n\n${flagsHelp(flags)}\n\nInstall models with svc model pull or svc model add.\n`;
}

/**
 * Parses the arguments of the model API server.
 *
 * @throws {UsageError} also for a non-loopback address without a key, and for flags that exclude each other.
 */
export function readApiFlags(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = thisPlatform().env,
): ApiCommand {
  const given = readFlags(command, args, flags);
  if (given.help) return { kind: "help" };
  if (given.version) return { kind: "version" };
  if ((given["kv-quant-scheme"] === undefined) !== (given["kv-bits"] === undefined)) {
    throw new UsageError(
      "Cannot pack key-value state: expected --kv-quant-scheme polar and --kv-bits 2 together, or neither",
    );
  }
  return {
    kind: "serve",
    json: given.json,
    log: given.log,
    options: {
      model: given.model,
      engine: given.engine,
      ...readAccess(given, env),
      port: given.port,
      allowPaths: given["allow-path"],
      rateLimitPerMinute: given["rate-limit-per-minute"],
      maxActiveRequests: given["max-active-requests"],
      contextSize: given["context-size"],
      memoryGuard: readGuard(given["memory-guard"], given["memory-guard-custom-ceiling-gb"]),
      device: given.device,
      adapter: given.adapter,
      threads: given.threads,
      maxWaitSeconds: given["max-wait"],
      lora: given.lora,
      packedKv: given["kv-bits"] !== undefined,
      imageRunRecords: given["image-run-records"],
      transcriptionRunRecords: given["transcription-run-records"],
      ...(given["read-only-store"] && { readOnlyStore: true }),
    },
  };
}

function readGuard(tier: GuardSettings["tier"], ceiling: number | undefined): GuardSettings {
  const name = "--memory-guard-custom-ceiling-gb";
  if (tier !== "custom" && ceiling === undefined) return { tier };
  if (tier !== "custom") {
    throw new UsageError(`Cannot use ${name}: --memory-guard is ${tier}, expected --memory-guard custom with it`);
  }
  if (ceiling === undefined || ceiling === 0) {
    throw new UsageError(
      `Cannot use --memory-guard custom: ${name} is ${ceiling ?? "missing"}, expected a number of GiB above 0`,
    );
  }
  return { tier, customCeilingBytes: Math.floor(ceiling * GIB) };
}
