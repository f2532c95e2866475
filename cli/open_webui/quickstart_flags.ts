/**
 * The command line of `svc open-webui quickstart`.
 *
 * @module
 */
import { isLoopback } from "../../lib/http/access_policy.ts";
import { flagsHelp, type FlagTable, readFlags, UsageError } from "../../lib/platform/terminal/flags.ts";
import { accessFlags } from "../../servers/flags/access_flags.ts";
import { FRONT_ENDS, type FrontEnd, type FrontEndPlace } from "./front_end.ts";
import type { WebuiModels } from "./webui_environment.ts";
import { WEBUI_KINDS } from "./webui_models.ts";

const flags = {
  "front-end": {
    kind: "choice",
    choices: FRONT_ENDS,
    help: "what runs Open WebUI (default: the first that is installed)",
  },
  pull: { kind: "boolean", help: "pull the models that are missing" },
  "accept-model-license": { kind: "boolean", help: "accept the licences of models that are pulled" },
  "text-model": { kind: "string", value: "ID", help: "chat model (default: an installed one)" },
  "embedding-model": { kind: "string", value: "ID", help: "embedding model for documents" },
  "image-model": { kind: "string", value: "ID", help: "image model" },
  "tts-model": { kind: "string", value: "ID", help: "speech model" },
  "stt-model": { kind: "string", value: "ID", help: "transcription model" },
  "tts-format": {
    kind: "choice",
    choices: ["wav", "mp3", "opus", "aac", "flac"],
    help: "format of speech (default: mp3, wav where no encoder is installed)",
  },
  host: { kind: "string", value: "ADDRESS", help: "address of the server (default: 127.0.0.1, 0.0.0.0 for Docker)" },
  port: { kind: "integer", value: "N", min: 1, max: 65535, default: 8080, short: "p", help: "port of the server" },
  "api-key": accessFlags["api-key"],
  "webui-host": { kind: "string", value: "ADDRESS", default: "127.0.0.1", help: "address of the page" },
  "webui-port": { kind: "integer", value: "N", min: 1, max: 65535, default: 3000, help: "port of the page" },
  "container-name": { kind: "string", value: "NAME", default: "open-webui-svc", help: "container and volume" },
  image: {
    kind: "string",
    value: "IMAGE",
    default: "ghcr.io/open-webui/open-webui:main",
    help: "image of the container",
  },
  "admin-email": { kind: "string", value: "ADDRESS", default: "admin@localhost", help: "account of the administrator" },
  "admin-password": {
    kind: "string",
    value: "TEXT",
    help: "SVC_OPEN_WEBUI_ADMIN_PASSWORD does the same without appearing in ps; without one there is no login",
  },
  "wait-seconds": {
    kind: "integer",
    value: "N",
    min: 1,
    max: 3600,
    default: 180,
    help: "timeout for the page to respond",
  },
  "skip-server": { kind: "boolean", help: "use the server that runs at --host and --port" },
  "dry-run": { kind: "boolean", help: "print what would be done" },
  json: { kind: "boolean", help: "with --dry-run: print it as JSON" },
  help: { kind: "boolean", help: "show this help" },
} as const satisfies FlagTable;

const NAME = "svc open-webui quickstart";

/** The help text. */
export const QUICKSTART_HELP: string = `Start the model API server and Open WebUI in front of it

Usage: ${NAME} [options]

Open WebUI is run by an installed open-webui, else by Docker, uvx or pipx. Keys and passwords are passed in its
environment. Ctrl+C stops both.

Options:
${flagsHelp(flags)}
`;

/** What is asked for. */
export interface QuickstartOptions {
  /** Undefined for the first that is there. */
  readonly program: FrontEnd | undefined;
  readonly pull: boolean;
  readonly acceptLicense: boolean;
  readonly named: Readonly<Partial<Record<keyof WebuiModels, string | undefined>>>;
  /** Undefined for what Open WebUI can use as it is, if this machine can write it. */
  readonly speechFormat: string | undefined;
  /** Undefined for the one that suits the front end. */
  readonly host: string | undefined;
  readonly port: number;
  readonly apiKey: string | undefined;
  readonly place: FrontEndPlace;
  readonly admin: { readonly email: string; readonly password: string } | undefined;
  readonly waitSeconds: number;
  readonly startServer: boolean;
  readonly output: "run" | "text" | "json";
}

/**
 * Parses the arguments.
 *
 * @returns Undefined when only help is asked for.
 * @throws {UsageError} also for a page that other machines reach without a login.
 */
export function readQuickstartFlags(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): QuickstartOptions | undefined {
  const given = readFlags(NAME, args, flags);
  if (given.help) return undefined;
  if (given.json && !given["dry-run"]) throw new UsageError(`Cannot run ${NAME}: --json goes with --dry-run only`);
  const password = (given["admin-password"] ?? env["SVC_OPEN_WEBUI_ADMIN_PASSWORD"])?.trim() || undefined;
  const host = given["webui-host"];
  if (!isLoopback(host) && password === undefined) {
    throw new UsageError(
      `Cannot show the page at ${host}: other machines could use it without a login, set SVC_OPEN_WEBUI_ADMIN_PASSWORD`,
    );
  }
  if (!/^[\w][\w.-]*$/.test(given["container-name"])) {
    throw new UsageError(
      `Cannot use --container-name ${given["container-name"]}: expected letters, digits, ".", "-", "_"`,
    );
  }
  const apiKey = (given["api-key"] ?? env["SVC_API_KEY"])?.trim() || undefined;
  return {
    program: given["front-end"],
    pull: given.pull,
    acceptLicense: given["accept-model-license"],
    named: Object.fromEntries(WEBUI_KINDS.map(({ kind, flag }) => [kind, given[flag]])),
    speechFormat: given["tts-format"],
    host: given.host,
    port: given.port,
    apiKey,
    place: { host, port: given["webui-port"], container: given["container-name"], image: given.image },
    admin: password === undefined ? undefined : { email: given["admin-email"], password },
    waitSeconds: given["wait-seconds"],
    startServer: !given["skip-server"],
    output: given["dry-run"] ? given.json ? "json" : "text" : "run",
  };
}
