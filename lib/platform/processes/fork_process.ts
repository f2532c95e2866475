/**
 * Child processes that run a module.
 *
 * @module
 */
import { type ChildProcess, fork, spawn } from "node:child_process";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { ENGINE_COMMAND } from "./engine_command.ts";
import type { RpcPort } from "../rpc/rpc_port.ts";
import { checkMessage, CHILD_LISTENS } from "./parent_channel.ts";

/** Environment variables that hold secrets, which a child has no use for. */
const SECRET = /(^|_)(KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS)$/i;

/** Timeout in milliseconds for the last messages of a child that has exited: Deno reports the exit before them. */
const DRAIN = 1000;

/** Whether this is a program made by `deno compile`: it has no runtime to run a module with, only itself. */
const compiled = (globalThis as { Deno?: { build: { standalone?: boolean } } }).Deno?.build.standalone === true;

/** Options of {@linkcode forkProcess}. */
export interface ForkOptions {
  /** Called with every line that the child writes. */
  readonly onLine: (line: string) => void;
  /** Environment variables that it gets where it would have none of that name. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Makes the error that says how the child ended: by a signal, a code or a failed start. */
  readonly ended: (how: string, code: number | undefined) => Error;
}

/** A child that runs. */
export interface ForkedProcess extends RpcPort {
  readonly processID: number;
  /** Resolves when the child has exited and all its messages have been received. */
  readonly exited: Promise<Error>;
  /** Ends the child at once. */
  kill(): void;
  /** Waits until the child listens, then sends; without error when the child has ended. */
  send(message: unknown): Promise<void>;
}

/**
 * Starts a process that runs a module, which listens on `parentChannel`. It gets no secret from the environment.
 *
 * @param module URL of the module; on Deno it may be on a server.
 */
export function forkProcess(module: URL, { onLine, environment, ended }: ForkOptions): ForkedProcess {
  const settings = {
    env: { ...environment, ...Object.fromEntries(Object.entries(process.env).filter(([key]) => !SECRET.test(key))) },
    serialization: "advanced" as const,
    stdio: ["ignore" as const, "pipe" as const, "pipe" as const, "ipc" as const],
  };
  const child = compiled
    ? spawn(process.execPath, [ENGINE_COMMAND], settings)
    : fork(module.protocol === "file:" ? fileURLToPath(module) : module.href, [], {
      ...settings,
      // A package is JavaScript; the sources run through tsx, except on Deno.
      execArgv: module.pathname.endsWith(".ts") && !("Deno" in globalThis)
        ? ["--import", import.meta.resolve("tsx")]
        : [],
    });
  readLines(child, onLine);
  const exited = new Promise<Error>((resolve) => {
    const disconnected = new Promise<void>((resolve) => child.on("disconnect", resolve));
    child.on("exit", (code, signal) => {
      const timer = setTimeout(end, DRAIN);
      void disconnected.then(end);
      function end(): void {
        clearTimeout(timer);
        resolve(ended(signal ?? `code ${code}`, code ?? undefined));
      }
    });
    // Also reports messages that could not be sent since the process has just ended.
    child.on("error", (error) => child.pid === undefined && resolve(ended(error.message, undefined)));
  });
  const listens = new Promise<void>((resolve) => {
    child.on("message", (message) => message === CHILD_LISTENS && resolve());
    void exited.then(() => resolve());
  });
  return {
    processID: child.pid ?? 0,
    exited,
    kill: () => void child.kill("SIGKILL"),
    send: async (message) => {
      await listens;
      await new Promise<void>((resolve) => {
        if (!child.connected) return resolve();
        checkMessage(message);
        child.send(message as object, () => resolve());
      });
    },
    onMessage: (listener) => void child.on("message", (message) => listener(message)),
  };
}

function readLines({ stdout, stderr }: ChildProcess, onLine: (line: string) => void): void {
  for (const input of [stdout, stderr]) {
    if (input !== null) createInterface({ input }).on("line", (line) => line !== "" && onLine(line));
  }
}
