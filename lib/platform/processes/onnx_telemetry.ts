/**
 * Disables telemetry of ONNX Runtime.
 *
 * @module
 */
import process from "node:process";

/**
 * Disables the telemetry of ONNX Runtime, unless the user has set it: since version 1.30 it logs its sessions in the
 * user's cache folder, leaves temporary files and sends reports to its vendor. It reads the environment when it is
 * loaded. A Node thread has only a copy of that, so call this before starting a thread that may load it.
 */
export function disableOnnxTelemetry(): void {
  process.env.ORT_DISABLE_TELEMETRY ??= "1";
}
