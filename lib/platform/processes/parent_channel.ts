/**
 * A child's end of the channel to the process that started it.
 *
 * @module
 */
import process from "node:process";
import { setInterval } from "node:timers";
import type { RpcPort } from "../rpc/rpc_port.ts";
import { exitProcess } from "./shutdown.ts";

/** The first message of a child: it would miss what is sent to it earlier. */
export const CHILD_LISTENS = "listening";

/** Milliseconds between two checks of the parent's id. */
const ORPHAN_INTERVAL = 500;

/**
 * Makes this process a child that answers to its parent alone. Signals of a terminal reach the whole group of processes
 * and are for the parent to handle; when the parent ends, however it does, this process ends too.
 *
 * @param title The name of the process in lists.
 */
export function parentChannel(title: string): RpcPort {
  process.title = title;
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});
  process.on("disconnect", () => void exitProcess());
  // Deno does not report a channel that was cut while something lay in it unread; an orphan gets another parent.
  const parent = process.ppid;
  setInterval(() => void (process.ppid === parent || exitProcess()), ORPHAN_INTERVAL).unref();
  return {
    send,
    onMessage: (listener) => {
      process.on("message", (message) => listener(message));
      void send(CHILD_LISTENS);
    },
  };
}

/**
 * Deno 2.9 sends the beginning of a message that cannot be cloned, which ends the process that reads it.
 *
 * @throws {Error} when the message cannot be cloned; Node does so itself.
 */
export function checkMessage(message: unknown): void {
  if ("Deno" in globalThis) structuredClone(message);
}

/** Ends this process, whatever still keeps it alive. */
export function endProcess(): Promise<never> {
  return exitProcess();
}

function send(message: unknown): Promise<void> {
  return new Promise((resolve) => {
    if (!process.connected) return resolve();
    checkMessage(message);
    process.send!(message, undefined, undefined, () => resolve());
  });
}
