import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ModelFiles } from "../../lib/engines/contract/engine_entry.ts";
import { installVoice } from "./voice_store.ts";
import { installTinyModels, type TinyModel } from "./tiny_store.ts";
import { end, type Running, startServer } from "./server_process.ts";

/** A model API server in a process of its own, with tiny models. */
export interface ApiProcess extends Running {
  readonly url: string;
  /** Its `SVC_HOME`, in which nothing else lies. */
  readonly home: string;
  /** Posts JSON. */
  readonly post: (path: string, body: unknown, signal?: AbortSignal) => Promise<Response>;
  /** JSON of a path. */
  // deno-lint-ignore no-explicit-any -- the shapes of answers are what is tested
  readonly get: (path: string) => Promise<any>;
  /** Ends it at once. */
  readonly close: () => Promise<void>;
}

/** What it is started with. */
export interface ApiProcessOptions {
  readonly models: readonly TinyModel[];
  /** Whether they are marked as models for tests. */
  readonly test?: boolean;
  /** Files of the voice of Hibari, which is installed too. */
  readonly voice?: ModelFiles;
  readonly args?: readonly string[];
  /** Variables besides those of this process. */
  readonly env?: Record<string, string>;
}

/** Starts a server with a home of its own, which goes when it is closed. */
export async function openApiProcess(
  { models, test, voice, args = [], env = {} }: ApiProcessOptions,
): Promise<ApiProcess> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "svc-test-")));
  await installTinyModels(home, models, test);
  if (voice !== undefined) await installVoice(home, voice);
  const server = startApiProcess(home, args, env);
  const close = async () => {
    if (server.child.exitCode === null && server.child.signalCode === null) end(server, "SIGKILL");
    await server.exit;
    rmSync(home, { recursive: true, force: true });
  };
  return { ...server, home, close, ...await connect(server) };
}

/** Runs work with a server that does not outlive it. */
export async function withApiProcess(
  options: ApiProcessOptions,
  work: (server: ApiProcess) => Promise<void>,
): Promise<void> {
  const server = await openApiProcess(options);
  try {
    await work(server);
  } finally {
    await server.close();
  }
}

/** Starts `servers/api.ts` on any free port. */
export function startApiProcess(
  home: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): Running {
  const env = { SVC_HOME: home, SVC_MODELS_DIR: "", ...environment };
  return startServer(["--port=0", "--json", "--rate-limit-per-minute=100000", ...args], env, "servers/api.ts");
}

async function connect(server: Running): Promise<Pick<ApiProcess, "url" | "post" | "get">> {
  const { url } = JSON.parse(await server.line) as { url: string };
  return {
    url,
    post: (path, body, signal) =>
      fetch(url + path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
        ...(signal && { signal }),
      }),
    get: async (path) => await (await fetch(url + path)).json(),
  };
}
