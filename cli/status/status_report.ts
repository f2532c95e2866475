import { bold, green, type Paint, printable, red } from "../../lib/platform/terminal/terminal_text.ts";
import { showBytes } from "../../lib/errors/show.ts";
import type { InstalledModel } from "../../lib/store/catalog/installed_model.ts";
import type { RunningServer } from "../../lib/app/running_servers.ts";
import { type ApiClient, ApiError } from "../model_api/api_client.ts";

/** The state of a server. */
export interface ServerReport {
  readonly url: string;
  readonly health: "up" | "down";
  /** Why it is down. */
  readonly detail?: string;
  /** Ids of the loaded models; absent when the server does not report them. */
  readonly loadedModels?: readonly string[];
  /** Why they are absent. */
  readonly modelsDetail?: string;
  /** The answer of `GET /runtime/status`. */
  readonly runtime?: RuntimeSummary;
  /** Why it is absent. */
  readonly runtimeDetail?: string;
}

/** The fields used of `GET /runtime/status`; the server sends more. */
export interface RuntimeSummary {
  readonly defaultModel?: string;
  readonly activeRequests?: number;
  readonly admission?: { readonly queuedRequests?: number };
  readonly memory?: { readonly currentBytes?: number; readonly pressure?: string };
  readonly models?: readonly { readonly id: string; readonly loaded?: boolean; readonly ready?: boolean }[];
  readonly sidecars?: { readonly residents?: readonly { readonly modelID?: string; readonly loaded?: boolean }[] };
}

/** The location of the model store. */
export interface StoreReport {
  readonly path: string;
  /** What determines the location: an environment variable, or the platform. */
  readonly source: "SVC_MODELS_DIR" | "SVC_HOME" | "default";
  /** Value of the environment variable. */
  readonly configuredPath?: string;
  /** Always false: an unusable location is an error here, there is no fallback. */
  readonly isFallbackToDefault: boolean;
}

/** The output of `svc status --json`. */
export interface StatusReport {
  readonly server: ServerReport;
  /** Further ones of this user that are up. */
  readonly otherServers?: readonly ServerReport[];
  /** The world servers of this user that answer; absent where there is none. */
  readonly worldServers?: readonly Pick<RunningServer, "url" | "model" | "pid">[];
  readonly modelStore: StoreReport;
  /** Models of the built-in catalog and installed ones. */
  readonly knownModelCount: number;
  readonly installedModels: readonly { readonly id: string; readonly category: string; readonly size: number }[];
  /** Models whose records cannot be read. */
  readonly brokenModels: readonly { readonly id: string; readonly problem: string }[];
}

/** Queries a server; whatever it does not answer is noted in the report. */
export async function reportServer(client: ApiClient, timeout: number): Promise<ServerReport> {
  const { url } = client;
  const get = (path: string) => client.get(path, AbortSignal.timeout(timeout));
  try {
    const health = await get("/health") as { status?: unknown; object?: unknown };
    // A world server identifies itself.
    if (health.status !== "ok" || health.object !== undefined) throw new Error("the server is not a model API server");
  } catch (error) {
    return { url, health: "down", detail: reasonOf(error, timeout) };
  }
  const [models, runtime] = await Promise.allSettled([get("/v1/models"), get("/runtime/status")]);
  const summary = runtime.status === "fulfilled" ? runtime.value as RuntimeSummary : undefined;
  const refused = models.status === "rejected" ? models : runtime.status === "rejected" ? runtime : undefined;
  return {
    url,
    health: "up",
    ...(refused || !summary
      ? { modelsDetail: reasonOf(refused?.reason, timeout) }
      : { loadedModels: loadedModels(summary) }),
    ...(summary
      ? { runtime: summary }
      : { runtimeDetail: reasonOf((runtime as PromiseRejectedResult).reason, timeout) }),
  };
}

/** The installed models as listed in the report. */
export function reportModels(models: readonly InstalledModel[]): StatusReport["installedModels"] {
  return models.map(({ id, task, bytes }) => ({ id, category: task, size: bytes }));
}

/** The report as text. */
export function formatStatus(
  { server, otherServers = [], worldServers = [], modelStore, installedModels, brokenModels }: StatusReport,
): string {
  const width = Math.max(0, ...installedModels.map(({ id }) => id.length));
  return [
    ...[server, ...otherServers].flatMap(serverLines),
    ...worldServers.map(({ url, model, pid }) =>
      printable(`World      ${model ?? "a world"} on ${url ?? `no loopback address, process ${pid}`}`)
    ),
    `Store      ${modelStore.path} (${modelStore.source})`,
    installedModels.length === 0 ? "Models     none, get one with svc model pull <id>" : "Models",
    ...installedModels.map(({ id, category, size }) =>
      printable(`  ${id.padEnd(width)}  ${showBytes(size).padStart(9)}  ${category}`)
    ),
    ...brokenModels.map(({ id, problem }) => printable(`  ${id}: ${problem}`)),
  ].join("\n");
}

/** Colours whether servers are up, and what is broken. */
export const paintStatus: Paint = (shown) =>
  shown.replaceAll(/^(Server .* is )(up)\b/gm, (_, before, word) => before + green(word))
    .replaceAll(/^(Server .* is )(down)\b/gm, (_, before, word) => before + red(word))
    .replaceAll(/^[A-Z][a-z]+/gm, bold);

function serverLines({ url, health, detail, loadedModels, modelsDetail, runtime }: ServerReport): readonly string[] {
  const loaded = loadedModels
    ? loadedModels.length === 0 ? "none" : printable(loadedModels.join(", "))
    : `unavailable, ${modelsDetail}`;
  return [
    `Server     ${url} is ${health}${detail === undefined ? "" : `: ${detail}`}`,
    ...health === "down" ? [] : [`Loaded     ${loaded}`],
    ...runtime ? [`Requests   ${requests(runtime)}`, `Memory     ${memory(runtime)}`] : [],
  ];
}

function loadedModels({ models = [], sidecars }: RuntimeSummary): readonly string[] {
  const lanes = (sidecars?.residents ?? []).flatMap(({ loaded, modelID }) => loaded && modelID ? [modelID] : []);
  return [...models.flatMap(({ id, loaded }) => loaded ? [id] : []), ...lanes];
}

function requests({ activeRequests = 0, admission }: RuntimeSummary): string {
  return `${activeRequests} active, ${admission?.queuedRequests ?? 0} queued`;
}

function memory({ memory = {} }: RuntimeSummary): string {
  const held = memory.currentBytes === undefined ? "" : `${showBytes(memory.currentBytes)} held, `;
  return `${held}pressure ${memory.pressure ?? "unknown"}`;
}

function reasonOf(error: unknown, timeout: number): string {
  if (error instanceof ApiError && [401, 403].includes(error.status)) {
    return "the server requires a key, set --api-key or SVC_API_KEY";
  }
  if (error instanceof DOMException && error.name === "TimeoutError") {
    return `no answer within ${timeout / 1000} seconds`;
  }
  if (error instanceof ApiError && error.code === "unreachable") return "nothing is listening there";
  return error instanceof Error ? error.message : String(error);
}
