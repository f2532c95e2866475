/**
 * Makes sound on a thread of its own: ONNX Runtime keeps the one that calls it.
 *
 * @module
 */
import { parentPort } from "../../../platform/workers/parent_port.ts";
import { type SpectralShapes, waveform } from "./waveform.ts";

const port = await parentPort<Float32Array<ArrayBuffer>, SpectralShapes>();
port.onMessage((shapes) => {
  const sound = waveform(shapes);
  port.postMessage(sound, [sound.buffer]);
});
