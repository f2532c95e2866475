/**
 * Makes sound on a thread of its own, while the network of the next sentence runs.
 *
 * @module
 */
import { Moved } from "../../../platform/rpc/rpc_service.ts";
import { serveCalls } from "../../../platform/rpc/serve_calls.ts";
import { parentPort } from "../../../platform/workers/parent_port.ts";
import { waveform, type WaveformService } from "./waveform.ts";

serveCalls<WaveformService>(await parentPort(), { make: (_call, shapes) => new Moved(waveform(shapes)) });
