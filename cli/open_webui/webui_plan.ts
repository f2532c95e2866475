/**
 * What a quickstart does, before it does it.
 *
 * @module
 */
import { CONTAINER_HOST, type FrontEnd, frontEndCommand, type FrontEndPlace } from "./front_end.ts";
import { type Variable, webuiEnvironment, type WebuiModels, type WebuiSettings } from "./webui_environment.ts";
import { WEBUI_KINDS } from "./webui_models.ts";

/** A server, its models and the front end. */
export interface WebuiPlan {
  /** What keeps it from being done. */
  readonly problems: readonly string[];
  /** Models that are pulled first. */
  readonly pull: readonly string[];
  readonly server: { readonly host: string; readonly port: number; readonly start: boolean };
  readonly models: WebuiModels;
  readonly frontEnd: {
    readonly program: FrontEnd;
    readonly url: string;
    readonly command: readonly string[];
    readonly environment: readonly Variable[];
  };
}

/** What a plan is made from. */
export interface WebuiPlanOptions extends Omit<WebuiSettings, "baseUrl" | "contained"> {
  readonly problems: readonly string[];
  readonly pull: readonly string[];
  /** Where the server listens; a wildcard is asked for under the machine's own name. */
  readonly host: string;
  readonly port: number;
  readonly startServer: boolean;
  readonly program: FrontEnd;
  readonly place: FrontEndPlace;
}

/** Makes a plan. */
export function planWebui(options: WebuiPlanOptions): WebuiPlan {
  const { host, port, program, place, pull, models, startServer, problems } = options;
  const reached = program === "docker" ? CONTAINER_HOST : /^(0\.0\.0\.0|::)$/.test(host) ? "127.0.0.1" : host;
  const baseUrl = `${urlOf(reached, port)}/v1`;
  const environment = webuiEnvironment({ ...options, baseUrl, contained: program === "docker" });
  const command = frontEndCommand(program, place, environment.map(({ name }) => name));
  return {
    problems,
    pull,
    server: { host, port, start: startServer },
    models,
    frontEnd: { program, url: urlOf(place.host, place.port), command, environment },
  };
}

/** A plan as JSON, without its secrets. */
export function webuiPlanJson({ problems, pull, server, models, frontEnd }: WebuiPlan): string {
  const { program, url, command, environment } = frontEnd;
  const shown = environment.map(({ name, value, secret }) => [name, secret ? HIDDEN : value]);
  const plan = {
    problems,
    pull,
    server: { ...server, url: urlOf(server.host, server.port) },
    models,
    front_end: { program, url, command, environment: Object.fromEntries(shown) },
  };
  return `${JSON.stringify(plan, undefined, 2)}\n`;
}

/** A plan as text, without its secrets. */
export function webuiPlanLines({ problems, pull, server, models, frontEnd }: WebuiPlan): string {
  const { url, command, environment } = frontEnd;
  const width = Math.max(...WEBUI_KINDS.map(({ kind }) => kind.length)) + 2;
  return [
    ...problems.map((problem) => `Missing   ${problem}`),
    ...pull.map((id) => `Pull      ${id}`),
    `${server.start ? "Serve" : "Use"}`.padEnd(10) + urlOf(server.host, server.port),
    "Models",
    ...WEBUI_KINDS.map(({ kind, flag }) =>
      `  ${kind.padEnd(width)}${models[kind] ?? `none installed: use --pull, or --${flag} ID`}`
    ),
    `Run       ${command.map(shellWord).join(" ")}`,
    "With",
    ...environment.map(({ name, value, secret }) => `  ${name}=${secret ? HIDDEN : value}`),
    `Open      ${url}`,
    "",
  ].join("\n");
}

const HIDDEN = "(secret)";

function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function urlOf(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
