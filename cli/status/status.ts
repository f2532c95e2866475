import { thisPlatform } from "../../lib/platform/files/app_directory.ts";
import { flagsHelp, type FlagTable, readFlags } from "../../lib/platform/terminal/flags.ts";
import { openModelStore } from "../../lib/store/model_store.ts";
import { print } from "../../lib/platform/processes/run_main.ts";
import { ApiClient } from "../model_api/api_client.ts";
import { findServers, type RunningServer } from "../../lib/app/running_servers.ts";
import { runningApiServers } from "../model_api/find_api_server.ts";
import {
  formatStatus,
  paintStatus,
  reportModels,
  reportServer,
  type ServerReport,
  type StatusReport,
  type StoreReport,
} from "./status_report.ts";

const flags = {
  host: { kind: "string", value: "ADDRESS", help: "address of the server (default: those on this machine)" },
  port: { kind: "integer", value: "N", min: 1, max: 65535, short: "p", help: "port of the server (default: any)" },
  "api-key": { kind: "string", value: "KEY", help: "API key of the server (default: SVC_API_KEY)" },
  "timeout-seconds": { kind: "number", value: "X", min: 0.01, max: 3600, help: "timeout of each request (default: 1)" },
  json: { kind: "boolean", help: "print the report as JSON" },
  help: { kind: "boolean", help: "show this help" },
} as const satisfies FlagTable;

/** `svc status`: shows whether the model API server is up, what it has loaded, and which models are installed. */
export async function status(args: readonly string[]): Promise<number> {
  const given = readFlags("svc status", args, flags);
  if (given.help) {
    print(
      `Show whether the model API server is up, and what is installed\n\nUsage: svc status [options]\n\n${
        flagsHelp(flags)
      }\n`,
    );
    return 0;
  }
  const { env } = thisPlatform();
  const apiKey = (given["api-key"] ?? env["SVC_API_KEY"])?.trim() || undefined;
  const { host = "127.0.0.1", port = 8080 } = given;
  const usual = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const isNamed = given.host !== undefined || given.port !== undefined;
  const store = openModelStore();
  const [servers, worlds, { models, broken }] = await Promise.all([
    reportServers(usual, isNamed ? [] : await runningApiServers(), apiKey, (given["timeout-seconds"] ?? 1) * 1000),
    isNamed ? [] : findServers("world"),
    store.contents(),
  ]);
  const [server, ...otherServers] = servers;
  const report: StatusReport = {
    server,
    ...otherServers.length > 0 && { otherServers },
    ...worlds.length > 0 && { worldServers: worlds.map(({ url, model, pid }) => ({ url, model, pid })) },
    modelStore: storeReport(store.layout.folder, env),
    knownModelCount: new Set([...store.known, ...models.map(({ id }) => id)]).size,
    installedModels: reportModels(models),
    brokenModels: broken,
  };
  if (given.json) print(`${JSON.stringify(report, undefined, 2)}\n`);
  else print(`${formatStatus(report)}\n`, paintStatus);
  return 0;
}

/** The server at the usual address first, unless it is down and others run. */
async function reportServers(
  usual: string,
  running: readonly RunningServer[],
  apiKey: string | undefined,
  timeout: number,
): Promise<readonly ServerReport[]> {
  const urls = new Set([usual, ...running.flatMap(({ url }) => url ?? [])]);
  const reports = await Promise.all([...urls].map((url) => reportServer(new ApiClient(url, { apiKey }), timeout)));
  const up = reports.filter(({ health }) => health === "up");
  return up.length > 0 ? up : reports.slice(0, 1);
}

function storeReport(path: string, env: Readonly<Record<string, string | undefined>>): StoreReport {
  const source = env["SVC_MODELS_DIR"]?.trim() ? "SVC_MODELS_DIR" : env["SVC_HOME"] ? "SVC_HOME" : "default";
  const configured = source === "default" ? undefined : env[source];
  return {
    path,
    source,
    ...(configured === undefined ? {} : { configuredPath: configured }),
    isFallbackToDefault: false,
  };
}
