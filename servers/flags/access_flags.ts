/**
 * The flags of the access policy.
 *
 * @module
 */
import { isLoopback } from "../../lib/http/access_policy.ts";
import { UsageError } from "../../lib/platform/terminal/flags.ts";

/** Fewest characters of a key that protects against other machines: fewer can be guessed. */
const MIN_KEY = 16;

/** The flags, the same for every server. */
export const accessFlags = {
  host: { kind: "string", value: "ADDRESS", default: "127.0.0.1", help: "address to listen on" },
  "api-key": { kind: "string", value: "KEY", help: "bearer token; SVC_API_KEY does the same without appearing in ps" },
  "allow-origin": {
    kind: "strings",
    value: "ORIGIN",
    help: "origin of web pages that may use the server, * for all; repeatable",
  },
} as const;

/** How a server logs, the same for every server. */
export const logFlag = {
  kind: "choice",
  choices: ["text", "json"],
  default: "text",
  help: "format of the log on stderr: text lines or JSON objects",
} as const;

/** The values of the flags. */
export interface AccessFlagValues {
  readonly host: string;
  readonly "api-key": string | undefined;
  readonly "allow-origin": readonly string[];
}

/** Who may use a server. */
export interface ServerAccess {
  readonly host: string;
  readonly apiKey: string | undefined;
  readonly allowOrigins: readonly string[];
}

/**
 * Evaluates the flags; the key of the command line wins over that of the environment, which workers share as a pool.
 *
 * @param hasOtherKeys Whether every request needs a key without this one.
 * @throws {UsageError} for a non-loopback address without a key or with a short one, and for an invalid origin.
 */
export function readAccess(
  given: AccessFlagValues,
  env: Readonly<Record<string, string | undefined>>,
  variable: "SVC_API_KEY" | "SVC_POOL_KEY" = "SVC_API_KEY",
  hasOtherKeys = false,
): ServerAccess {
  const { host, "allow-origin": allowOrigins } = given;
  const apiKey = (given["api-key"] ?? env[variable])?.trim() || undefined;
  if (!isLoopback(host) && apiKey === undefined && !hasOtherKeys) {
    throw new UsageError(
      `Cannot listen on ${host}: other machines could reach it without a key, set --api-key or ${variable} first`,
    );
  }
  if (!isLoopback(host) && apiKey !== undefined && apiKey.length < MIN_KEY) {
    throw new UsageError(
      `Cannot listen on ${host}: the key has ${apiKey.length} characters, ` +
        `expected at least ${MIN_KEY} where other machines can try out keys`,
    );
  }
  for (const origin of allowOrigins) checkOrigin(origin);
  return { host, apiKey, allowOrigins };
}

function checkOrigin(origin: string): void {
  if (origin === "*" || (URL.canParse(origin) && new URL(origin).origin === origin)) return;
  throw new UsageError(
    `Cannot use --allow-origin ${origin}: expected * or an origin such as https://example.com, without a path`,
  );
}
