/**
 * Threads of a speech model: ONNX Runtime keeps the thread that calls it, so networks run beside the one that reads
 * text, encodes sound and sends it.
 *
 * @module
 */
import { RpcClient } from "../../platform/rpc/rpc_client.ts";
import type { Service } from "../../platform/rpc/rpc_service.ts";
import { spawnWorker } from "../../platform/workers/spawn_worker.ts";
import type { SessionSettings } from "../onnx_sessions/open_session.ts";

/** A thread with a service. */
export interface SpeechThread<S extends Service> {
  /** Calls the service; what runs when the thread ends, fails. */
  readonly client: RpcClient<S>;
  close(): Promise<void>;
}

/** Starts the worker of a module. */
export async function openSpeechThread<S extends Service>(module: URL, name: string): Promise<SpeechThread<S>> {
  const worker = await spawnWorker(module, { name });
  const ended = worker.ended.then((cause) => cause ?? new Error("Cannot make sound: the model was closed"));
  return { client: new RpcClient<S>(worker, { ended }), close: () => worker.terminate() };
}

/** The settings of a session as they are sent to a thread. */
export function sentSettings({ device, threads, missing }: SessionSettings): SessionSettings {
  return { device, threads, missing };
}
