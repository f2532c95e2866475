/**
 * A model's start on a device, and on another where that fails.
 *
 * @module
 */
import type { Device } from "../../compute/tensor/mod.ts";
import { SvcError } from "../../errors/svc_error.ts";

/** Which devices a model starts on. */
export interface DeviceOptions {
  /** Opens the device; called when the model is prepared, and again after it was unloaded or the device was lost. */
  readonly openDevice: () => Promise<Device>;
  /**
   * Opens the next device after the model failed to start on one, which is disposed by then; undefined where there is
   * none. Without it the failure is the result.
   */
  readonly fallback?: ((failed: Device, error: unknown) => Promise<Device | undefined>) | undefined;
}

/** Starts a model on a device. A cancelled start and errors that name their cause do not lead to another device. */
export async function startOnDevice<Started>(
  { openDevice, fallback }: DeviceOptions,
  start: (device: Device) => Promise<Started>,
  signal?: AbortSignal,
): Promise<Started> {
  let device = await openDevice();
  for (;;) {
    try {
      return await start(device);
    } catch (error) {
      device.dispose();
      const known = error instanceof SvcError && error.code !== "device_lost";
      const next = signal?.aborted || known ? undefined : await fallback?.(device, error);
      if (!next) throw error;
      device = next;
    }
  }
}
