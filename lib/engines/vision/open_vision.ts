/**
 * Opens vision models in their process.
 *
 * @module
 */
import type { Device } from "../../compute/tensor/mod.ts";
import type { ModelRoot } from "../../models/checkpoint/model_root.ts";
import type { LoadOptions } from "../../models/checkpoint/read_weights.ts";
import type { EngineOptions, ModelFiles, OpenedEngine } from "../contract/engine_entry.ts";
import { openDevice } from "../../compute/device/open_device.ts";
import type { OperationHandlers } from "../contract/operation.ts";
import { modelFilesRoot } from "../files/model_files_root.ts";
import type { VisionModelProfile } from "../contract/model_profile.ts";

/** The time a load took, in seconds; each load is reported once. */
export interface LoadTime {
  take(): number;
}

/** Loads the weights onto a device and makes the operations. */
export type LoadVision = (
  root: ModelRoot,
  device: Device,
  options: LoadOptions,
) => Promise<(load: LoadTime) => OperationHandlers>;

/** Opens a network of our own: on the GPU where there is one and the CPU was not asked for. */
export async function openVision(
  profile: VisionModelProfile,
  files: ModelFiles,
  options: EngineOptions,
  load: LoadVision,
): Promise<OpenedEngine> {
  const begin = performance.now();
  const choice = options.device === "cpu" || options.device === "webgpu" ? options.device : "auto";
  const device = await openDevice(choice, options.threads, { adapter: options.adapter });
  try {
    const operations = await load(modelFilesRoot(files, true), device, { onProgress: options.onProgress });
    const close = () => {
      device.dispose();
      return Promise.resolve();
    };
    const model = { profile, device: device.kind, close };
    return { kind: "operations", model, operations: operations(loadTime((performance.now() - begin) / 1000)) };
  } catch (error) {
    device.dispose();
    throw error;
  }
}

/** Only the first operation has waited for the load. */
export function loadTime(seconds: number): LoadTime {
  let left = seconds;
  return {
    take() {
      const taken = left;
      left = 0;
      return taken;
    },
  };
}
