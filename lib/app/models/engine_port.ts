/**
 * The engine's end of the channel to its server.
 *
 * @module
 */
import process from "node:process";
import { setInterval } from "node:timers";
import type { EnginePort, EngineReply, EngineRequest } from "../../engines/process/engine_messages.ts";

/** The first message of an engine: it would miss what is sent to it earlier. */
export const ENGINE_LISTENS = "listening";

/** Milliseconds between two looks at who the parent is. */
const ORPHAN_INTERVAL = 500;

/**
 * Makes this process an engine's: it answers to its server alone. Signals of a terminal reach the whole group of
 * processes and are for the server to handle; when the server is gone, however it ended, this process ends too.
 */
export function enginePort(): EnginePort<EngineReply, EngineRequest> {
  process.title = "svc engine";
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});
  process.on("disconnect", () => process.exit());
  // Deno does not tell of a channel that was cut while something lay in it unread; an orphan gets another parent.
  const server = process.ppid;
  setInterval(() => process.ppid === server || process.exit(), ORPHAN_INTERVAL).unref();
  return {
    send,
    onMessage: (listener) => {
      process.on("message", (message) => listener(message as EngineRequest));
      void send(ENGINE_LISTENS);
    },
  };
}

function send(message: EngineReply | typeof ENGINE_LISTENS): Promise<void> {
  return new Promise((resolve) =>
    process.connected ? process.send!(message, undefined, undefined, () => resolve()) : resolve()
  );
}
