/**
 * Finds out whether llama.cpp is installed.
 *
 * @module
 */
import { vulkanDrivers } from "../platform/machine/vulkan_driver.ts";

/** The device that llama.cpp takes here, such as `cpu` or `metal`; undefined where it is not installed or does not load. */
export async function llamaDevice(): Promise<string | undefined> {
  const { openLlama } = await import("../engines/gguf_text/open_llama.ts");
  // Trying a device that this machine lacks prints warnings.
  const missing = vulkanDrivers() === "gpu" ? [] : [{ device: "vulkan", reason: "no driver of a GPU is installed" }];
  return await openLlama("auto", missing).then(({ device }) => device, () => undefined);
}
