/**
 * Loads ONNX Runtime on demand.
 *
 * @module
 */
import type * as OnnxRuntime from "onnxruntime-node";
import { onnxRuntimePackage } from "../../platform/modules/onnx_runtime_package.ts";
import { importInstalled } from "../../platform/processes/import_package.ts";
import { disableOnnxTelemetry } from "../../platform/processes/onnx_telemetry.ts";

/** The package `onnxruntime-node`. */
export type OnnxRuntimeModule = typeof OnnxRuntime;

/**
 * Imports ONNX Runtime with telemetry disabled: the package `onnxruntime-node` where it is installed, since it may have
 * been for its CUDA libraries, else the one that has the files of this platform alone.
 *
 * @throws {Error} with the remedy when the package or its native library is missing on this machine.
 */
export async function loadOnnxRuntime(): Promise<OnnxRuntimeModule> {
  disableOnnxTelemetry();
  try {
    const loaded = await import("onnxruntime-node").catch(async (cause) => {
      const own = importInstalled(onnxRuntimePackage()) as Promise<OnnxRuntimeModule>;
      return await own.catch(() => {
        throw cause;
      });
    });
    // Read once, when the first session is created: from then on only errors reach stderr.
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
 * Where JavaScript has a Float16Array the package holds 16-bit floats in it, but its native part does not support it:
 * output tensors could not be fed again. The package checks once, at the first tensor; then it uses Uint16Array.
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
