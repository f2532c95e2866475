/**
 * Keeps what models do on this machine.
 *
 * @module
 */
import process from "node:process";

/**
 * Switches the telemetry of ONNX Runtime off, unless the user has said otherwise: since version 1.30 it keeps a diary of
 * its sessions in the user's cache folder, leaves files in the one for temporary files and sends reports to its maker.
 * It looks at the environment when it is loaded. A thread of Node has only a copy of that, so whoever starts a thread
 * that may load it calls this first.
 */
export function disableOnnxTelemetry(): void {
  process.env.ORT_DISABLE_TELEMETRY ??= "1";
}
