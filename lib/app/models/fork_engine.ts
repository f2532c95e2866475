/**
 * Engine processes.
 *
 * @module
 */
import { type ChildProcess, fork } from "node:child_process";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type EngineChild, EngineEndedError } from "../../engines/process/engine_child.ts";
import type { EngineReply, EngineRequest } from "../../engines/process/engine_messages.ts";
import { ENGINE_LISTENS } from "./engine_port.ts";
import type { Log } from "../../platform/processes/log.ts";

/** Environment variables with secrets, which engines do not need. */
const SECRET = /(^|_)(KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS)$/i;

/** Longest line of an engine that is logged. */
const LINE_LIMIT = 2000;

/**
 * Starts an engine process. It gets no secrets from the environment, and its output goes to the log line by line.
 *
 * @param module URL of a module that listens on {@linkcode enginePort}.
 * @param name Name of the engine in errors and in the log.
 */
export function forkEngine(module: URL, name: string, log: Log): EngineChild {
  const child = fork(fileURLToPath(module), [], {
    // A package is JavaScript; sources run through tsx, except on Deno.
    execArgv: module.pathname.endsWith(".ts") && !("Deno" in globalThis)
      ? ["--import", import.meta.resolve("tsx")]
      : [],
    env: Object.fromEntries(Object.entries(process.env).filter(([key]) => !SECRET.test(key))),
    serialization: "advanced",
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  logLines(child, name, log);
  const exited = new Promise<Error>((resolve) => {
    child.on("exit", (code, signal) => resolve(ended(name, signal ?? `code ${code}`, code ?? undefined)));
    // Also reports messages that could not be sent because the process has just exited.
    child.on("error", (error) => child.pid === undefined && resolve(ended(name, error.message)));
  });
  const listens = new Promise<void>((resolve) => {
    child.on("message", (message) => message === ENGINE_LISTENS && resolve());
    void exited.then(() => resolve());
  });
  return {
    processID: child.pid ?? 0,
    exited,
    kill: () => void child.kill("SIGKILL"),
    port: {
      send: async (message: EngineRequest) => {
        await listens;
        await new Promise<void>((resolve) => child.connected ? child.send(message, () => resolve()) : resolve());
      },
      onMessage: (listener: (reply: EngineReply) => void) =>
        void child.on("message", (message) => isReply(message) && listener(message)),
    },
  };
}

/** Anything else on the channel is not a reply, and must not crash the server. */
function isReply(message: unknown): message is EngineReply {
  return typeof message === "object" && message !== null && "kind" in message && typeof message.kind === "string";
}

function logLines({ stdout, stderr }: ChildProcess, engine: string, log: Log): void {
  for (const stream of [stdout, stderr]) {
    if (stream === null) continue;
    createInterface({ input: stream }).on("line", (line) => {
      if (line !== "") log("info", "engine_output", { engine, line: line.slice(0, LINE_LIMIT) });
    });
  }
}

function ended(name: string, how: string, code?: number): EngineEndedError {
  const message = `Cannot continue with the engine of ${name}: its process has exited (${how}), start it again`;
  return new EngineEndedError(message, code);
}
