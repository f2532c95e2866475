/**
 * The worker's end of the channel to its parent thread.
 *
 * @module
 */
import { MessageQueue, type RpcPort } from "../rpc/rpc_port.ts";
import type { NodeWorkerData } from "./spawn_worker.ts";

interface WorkerScope {
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage(message: unknown, transfer: readonly ArrayBuffer[]): void;
}

/**
 * The port of this worker. Call it once, first thing in a worker's module: a web worker drops messages that arrive
 * before there is a listener.
 *
 * @throws {Error} when this thread is not a worker.
 */
export async function parentPort(): Promise<RpcPort> {
  const scope = globalThis as unknown as Partial<WorkerScope>;
  if (typeof Worker === "function") {
    if (typeof scope.postMessage !== "function" || typeof document !== "undefined") throw notInWorker();
    const queue = new MessageQueue();
    scope.onmessage = (event) => queue.deliver(event.data);
    return {
      send: (message, transfer = []) => scope.postMessage!(message, transfer),
      onMessage: (listener) => queue.listen(listener),
    };
  }
  const [{ parentPort: port, workerData }, { exit }] = await Promise.all([
    import("node:worker_threads"),
    import("node:process"),
  ]);
  if (!port) throw notInWorker();
  const { stop } = workerData as NodeWorkerData;
  stop.on("message", () => exit()); // of this thread only
  stop.unref();
  return {
    send: (message, transfer = []) => port.postMessage(message, [...transfer]),
    onMessage: (listener) => void port.on("message", listener), // Node keeps messages until then
  };
}

function notInWorker(): Error {
  return new Error("Cannot open the parent port: this is the main thread, call it in a worker");
}
