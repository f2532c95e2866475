/**
 * Workers: `new Worker` where the platform has it (Deno, browsers), `node:worker_threads` on Node. Deno has both, but
 * its Node workers take some 700 ms for a message of 16 MB that its web workers pass in 20.
 *
 * @module
 */
import { disableOnnxTelemetry } from "../processes/onnx_telemetry.ts";
import type { MessagePort } from "node:worker_threads";
import { MessageQueue, type WorkerHandle } from "../rpc/rpc_port.ts";

/**
 * Milliseconds that a Node worker gets to exit. A thread that is terminated during a native call, or whose process exits
 * meanwhile, throws into the native module, which aborts the whole process; so the worker is asked to exit when it next
 * reaches its event loop, and is never terminated.
 */
const EXIT_TIMEOUT = 30_000;

/** Node workers with native modules that have not exited, as what waits for one. */
const nativeWorkers = new Set<() => Promise<boolean>>();

/** Whether there are workers that a `process.exit` could abort in the middle of a native call. */
export function hasNativeWorkers(): boolean {
  return nativeWorkers.size > 0;
}

/**
 * Asks all workers of this process that have native modules to exit, and waits for it; resolves with whether they have.
 * To be called before `process.exit`.
 */
export async function endNativeWorkers(): Promise<boolean> {
  return (await Promise.all([...nativeWorkers].map((exited) => exited()))).every(Boolean);
}

/** The worker data of a Node worker. */
export interface NodeWorkerData {
  /** A message on it asks the worker to exit. */
  readonly stop: MessagePort;
}

/**
 * URL of a module beside `base` (an `import.meta.url`), with the same extension as `base`: `.ts` in the sources, `.js`
 * in the built package, where compilers do not rewrite names inside strings.
 *
 * @example
 * ```ts ignore
 * const worker = await spawnWorker(siblingModule("media_worker", import.meta.url));
 * ```
 */
export function siblingModule(name: string, base: string): URL {
  const extension = new URL(base).pathname.endsWith(".ts") ? ".ts" : ".js";
  return new URL(`./${name}${extension}`, base);
}

/**
 * Starts a module worker. A module that cannot be loaded does not throw here: `ended` resolves with the error.
 *
 * @example
 * ```ts ignore
 * const worker = await spawnWorker(siblingModule("my_worker", import.meta.url), { name: "mine" });
 * worker.onMessage((text) => console.log(text));
 * worker.send(1);
 * ```
 */
export function spawnWorker(url: URL, options: WorkerOptions = {}): Promise<WorkerHandle> {
  const { name = "worker" } = options;
  disableOnnxTelemetry();
  return typeof Worker === "function"
    ? Promise.resolve(spawnWebWorker(url, name))
    : spawnNodeWorker(url, name, options);
}

/** Options of a worker. */
interface WorkerOptions {
  /** Its name in errors. */
  readonly name?: string;
  /** Whether it uses native modules. One that does not can be ended in the middle of a call. */
  readonly native?: boolean;
  /** Milliseconds that `terminate` waits for a native call on Node; 30 s by default. */
  readonly exitTimeout?: number;
}

function spawnWebWorker(url: URL, name: string): WorkerHandle {
  const worker = new Worker(url, { type: "module", name });
  const queue = new MessageQueue();
  const { promise: ended, resolve: end } = deferred<Error | undefined>();
  worker.onmessage = (event) => queue.deliver(event.data);
  worker.onerror = (event) => {
    event.preventDefault(); // otherwise Deno throws it again in this thread, where it cannot be caught
    worker.terminate();
    end(stopped(name, event.error ?? event.message));
  };
  worker.onmessageerror = () => {
    worker.terminate();
    end(stopped(name, "a message could not be read"));
  };
  return {
    ended,
    send: (message, transfer = []) => worker.postMessage(message, [...transfer]),
    onMessage: (listener) => queue.listen(listener),
    terminate: () => {
      worker.terminate();
      end(undefined);
      return Promise.resolve();
    },
  };
}

async function spawnNodeWorker(
  url: URL,
  name: string,
  { native = true, exitTimeout = EXIT_TIMEOUT }: WorkerOptions,
): Promise<WorkerHandle> {
  const { MessageChannel, Worker } = await import("node:worker_threads");
  const { port1: stop, port2 } = new MessageChannel();
  const workerData: NodeWorkerData = { stop: port2 };
  const options = { name, workerData, transferList: [port2] };
  const worker = url.pathname.endsWith(".ts")
    ? new Worker(throughTsx(url), { ...options, execArgv: [] })
    : new Worker(url, options);
  stop.unref();
  const queue = new MessageQueue();
  const { promise: ended, resolve: end } = deferred<Error | undefined>();
  worker.on("message", (message) => queue.deliver(message));
  worker.on("messageerror", (error) => end(stopped(name, error)));
  worker.on("error", (error) => end(stopped(name, error)));
  const exited = new Promise<true>((resolve) => worker.once("exit", () => resolve(true)));
  const exits = async (): Promise<boolean> => {
    stop.postMessage(undefined);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<false>((resolve) => timer = setTimeout(() => resolve(false), exitTimeout));
    return await Promise.race([exited, late]).finally(() => clearTimeout(timer));
  };
  if (native) nativeWorkers.add(exits);
  worker.on("exit", (code) => {
    nativeWorkers.delete(exits);
    end(stopped(name, `it exited with code ${code}`));
  });
  return {
    ended,
    send: (message, transfer = []) => worker.postMessage(message, [...transfer]),
    onMessage: (listener) => queue.listen(listener),
    terminate: async () => {
      end(undefined);
      if (worker.threadId < 0) return; // it has exited
      if (native) await exits();
      else await worker.terminate();
    },
  };
}

/** A module that loads a TypeScript one: Node 20 does not pass a loader given by `--import` on to worker threads. */
function throughTsx(url: URL): URL {
  const tsx = JSON.stringify(import.meta.resolve("tsx/esm/api"));
  const code = `import { register } from ${tsx}; register(); await import(${JSON.stringify(url.href)});`;
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`);
}

function stopped(name: string, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new Error(`Cannot continue with worker ${name}: it has stopped (${reason}), start a new one`, { cause });
}

function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((r) => resolve = r);
  return { promise, resolve };
}
