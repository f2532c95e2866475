/**
 * The device that goldens run on.
 *
 * @module
 */
import { spawnSync } from "node:child_process";
import process from "node:process";
import { softwareAdapterEnv } from "../../scripts/software_adapter.mjs";
import { openOnnxDevice } from "../../lib/compute/onnx/mod.ts";
import type { Device } from "../../lib/compute/tensor/mod.ts";

/** Says to a child that it has the environment of the software adapter already. */
const CHILD = "SVC_GOLDENS_ADAPTER";

/**
 * Opens ONNX Runtime on the CPU, or WebGPU on the software adapter. The adapter is found through variables that a
 * process must have when it starts, so for WebGPU this program runs itself once more and ends with its exit code.
 */
export async function openGoldenDevice(kind: "cpu" | "webgpu"): Promise<Device> {
  if (kind === "cpu") return await openOnnxDevice();
  if (!process.env[CHILD]) runAgain();
  const { openWebGpuDevice } = await import("../../lib/compute/webgpu/webgpu_device.ts");
  const opened = await openWebGpuDevice({ allowSoftware: true, precision: "f32" });
  if (!opened.ok) throw new Error(`Cannot compare on webgpu: ${opened.reason}, ${opened.remedy}`);
  return opened.device;
}

function runAgain(): never {
  const adapter = softwareAdapterEnv();
  // Without the software adapter the machine's own one may still do.
  const env = { ...process.env, ...(adapter.ok ? adapter.env : {}), [CHILD]: "1" };
  const [, script, ...rest] = process.argv;
  const before = "Deno" in globalThis ? ["run", "-A"] : process.execArgv;
  const child = spawnSync(process.execPath, [...before, script, ...rest], { env, stdio: "inherit" });
  process.exit(child.status ?? 1);
}
