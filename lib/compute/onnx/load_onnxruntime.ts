/**
 * Loads ONNX Runtime when it is needed, and only then.
 *
 * @module
 */
import type * as OnnxRuntime from "onnxruntime-node";
import { disableOnnxTelemetry } from "../../platform/processes/onnx_telemetry.ts";

/** The package `onnxruntime-node`. */
export type OnnxRuntimeModule = typeof OnnxRuntime;

/**
 * Imports `onnxruntime-node`, which then reports to nobody.
 *
 * @throws {Error} with the remedy when the package or its native library is missing on this machine.
 */
export async function loadOnnxRuntime(): Promise<OnnxRuntimeModule> {
  disableOnnxTelemetry();
  try {
    const loaded = await import("onnxruntime-node");
    // Read once, when the first session is made: from then on only errors reach stderr.
    loaded.env.logLevel = "error";
    keepHalvesAsBits(loaded);
    return loaded;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `Cannot open the CPU device: onnxruntime-node did not load (${reason}), install it with "npm install onnxruntime-node"`,
      { cause },
    );
  }
}

/**
 * Where JavaScript has a Float16Array the package holds 16-bit floats in it, but its native part knows none: tensors
 * that came out could not go in again. The package looks once, at the first tensor; then Uint16Array is what it takes.
 */
function keepHalvesAsBits({ Tensor }: OnnxRuntimeModule): void {
  const known = Object.getOwnPropertyDescriptor(globalThis, "Float16Array");
  if (known === undefined) return;
  Reflect.deleteProperty(globalThis, "Float16Array");
  try {
    new Tensor("float16", new Uint16Array(1), [1]);
  } finally {
    Object.defineProperty(globalThis, "Float16Array", known);
  }
}
