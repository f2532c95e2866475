/**
 * Loads ONNX Runtime when it is needed, and only then.
 *
 * @module
 */
import type * as OnnxRuntime from "onnxruntime-node";

/** The package `onnxruntime-node`. */
export type OnnxRuntimeModule = typeof OnnxRuntime;

/**
 * Imports `onnxruntime-node`.
 *
 * @throws {Error} with the remedy when the package or its native library is missing on this machine.
 */
export async function loadOnnxRuntime(): Promise<OnnxRuntimeModule> {
  try {
    const loaded = await import("onnxruntime-node");
    // Read once, when the first session is made: from then on only errors reach stderr.
    loaded.env.logLevel = "error";
    return loaded;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `Cannot open the CPU device: onnxruntime-node did not load (${reason}), install it with "npm install onnxruntime-node"`,
      { cause },
    );
  }
}
