/**
 * The engine's end of the channel to its server.
 *
 * @module
 */
import process from "node:process";
import { setInterval } from "node:timers";
import type { EnginePort, EngineReply, EngineRequest } from "../../engines/process/engine_messages.ts";

/** The first message of an engine: it would miss anything sent earlier. */
export const ENGINE_LISTENS = "listening";

/** Interval in milliseconds between two checks of the parent process. */
const ORPHAN_INTERVAL = 500;

/**
 * Makes this process an engine that answers only to its server. Terminal signals reach the whole process group and are
 * left to the server; when the server exits for any reason, this process exits too.
 */
export function enginePort(): EnginePort<EngineReply, EngineRequest> {
  process.title = "svc engine";
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});
  process.on("disconnect", () => process.exit());
  // Deno does not report a channel that was closed with unread data; an orphan gets another parent.
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
