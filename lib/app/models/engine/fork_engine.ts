/**
 * Engine processes.
 *
 * @module
 */
import { type EngineChild, EngineEndedError } from "../../../engines/process/engine_child.ts";
import type { EngineReply } from "../../../engines/process/engine_messages.ts";
import { forkProcess } from "../../../platform/processes/fork_process.ts";
import { offerMountedDriver } from "../../../platform/machine/mounted_driver.ts";
import type { Log } from "../../../platform/processes/log.ts";

/** Longest line of an engine that is logged. */
const LINE_LIMIT = 2000;

/**
 * Starts an engine process. It gets no secrets from the environment, and its output goes to the log line by line.
 *
 * @param module URL of a module that listens on `enginePort`.
 * @param name Name of the engine in errors and in the log.
 */
export function forkEngine(module: URL, name: string, log: Log): EngineChild {
  offerMountedDriver();
  const { processID, exited, kill, send, onMessage } = forkProcess(module, {
    onLine: (line) => log("info", "engine_output", { engine: name, line: line.slice(0, LINE_LIMIT) }),
    ended: (how, code) => {
      const message = `Cannot continue with the engine of ${name}: its process has exited (${how}), start it again`;
      return new EngineEndedError(message, code);
    },
  });
  return {
    processID,
    exited,
    kill,
    port: { send, onMessage: (listener) => onMessage((message) => isReply(message) && listener(message)) },
  };
}

/** Anything else on the channel is not a reply, and must not crash the server. */
function isReply(message: unknown): message is EngineReply {
  return typeof message === "object" && message !== null && "kind" in message && typeof message.kind === "string";
}
