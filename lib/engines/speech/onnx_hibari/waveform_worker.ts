/**
 * Makes sound on a thread of its own, while the network of the next sentence runs.
 *
 * @module
 */
import { type Method, Moved } from "../../../platform/rpc/rpc_service.ts";
import { serveCalls } from "../../../platform/rpc/serve_calls.ts";
import { parentPort } from "../../../platform/workers/parent_port.ts";
import { type SpectralShapes, waveform } from "./waveform.ts";

/** What the thread does: the sound of amplitudes; see `waveform`. */
export type WaveformService = { readonly make: Method<readonly [SpectralShapes], Float32Array<ArrayBuffer>> };

serveCalls<WaveformService>(await parentPort(), { make: (_call, shapes) => new Moved(waveform(shapes)) });
