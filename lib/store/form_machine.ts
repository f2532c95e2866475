/**
 * Finds out which form of a model is the faster one on this machine.
 *
 * @module
 */
import { hasMatrixUnits } from "../platform/machine/matrix_units.ts";
import { vulkanDrivers } from "../platform/machine/vulkan_driver.ts";
import type { FormMachine } from "./catalog/model_form.ts";

/** This machine: whether llama.cpp loads, and what it runs on. */
export async function formMachine(): Promise<FormMachine> {
  const { openLlama } = await import("../engines/gguf_text/open_llama.ts");
  const missing = vulkanDrivers() === "gpu" ? [] : [{ device: "vulkan", reason: "no driver of a GPU is installed" }];
  const llama = await openLlama("auto", missing).then(({ device }) => device, () => undefined);
  return { llama, matrixUnits: hasMatrixUnits() };
}
