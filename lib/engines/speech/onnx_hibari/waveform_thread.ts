/**
 * The thread that makes sound.
 *
 * @module
 */
import { RpcClient } from "../../../platform/rpc/rpc_client.ts";
import type { Method } from "../../../platform/rpc/rpc_service.ts";
import { siblingModule, spawnWorker } from "../../../platform/workers/spawn_worker.ts";
import type { SpectralShapes } from "./waveform.ts";

/** What the thread does. */
export type WaveformService = { readonly make: Method<readonly [SpectralShapes], Float32Array<ArrayBuffer>> };

/** Makes sounds one after the other while the caller's thread runs the next network. */
export interface WaveformThread {
  /** The sound of amplitudes; see `waveform`. */
  make(shapes: SpectralShapes): Promise<Float32Array<ArrayBuffer>>;
  close(): Promise<void>;
}

/** Starts the thread. */
export async function openWaveformThread(): Promise<WaveformThread> {
  const worker = await spawnWorker(siblingModule("waveform_worker", import.meta.url), { name: "waveform" });
  const ended = worker.ended.then((cause) => cause ?? new Error("Cannot make sound: the model was closed"));
  const client = new RpcClient<WaveformService>(worker, { ended });
  return { make: (shapes) => client.call("make", [shapes]), close: () => worker.terminate() };
}
