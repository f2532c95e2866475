/**
 * Makes sound on a thread of its own: ONNX Runtime keeps the one that calls it.
 *
 * @module
 */
import { Moved } from "../../../platform/rpc/rpc_service.ts";
import { serveCalls } from "../../../platform/rpc/serve_calls.ts";
import { parentPort } from "../../../platform/workers/parent_port.ts";
import { waveform } from "./waveform.ts";
import type { WaveformService } from "./waveform_thread.ts";

serveCalls<WaveformService>(await parentPort(), { make: (_call, shapes) => new Moved(waveform(shapes)) });
