/**
 * Loads llama.cpp when it is needed, and only then.
 *
 * @module
 */
import type { Llama, LlamaOptions } from "node-llama-cpp";

/** The package `node-llama-cpp`. */
type LlamaModule = typeof import("node-llama-cpp");

/** A loaded llama.cpp. */
export interface OpenedLlama {
  readonly llama: Llama;
  readonly package: LlamaModule;
  /** Such as `cpu` or `cuda`. */
  readonly device: string;
  /** What it complained of last, for errors: it throws without a reason. */
  complaint(): string | undefined;
}

/** Devices by name; whatever else is asked for is refused by llama.cpp itself. */
const gpus: Readonly<Record<string, LlamaOptions["gpu"]>> = {
  auto: "auto",
  cpu: false,
  cuda: "cuda",
  metal: "metal",
  vulkan: "vulkan",
};

/**
 * Loads the build of llama.cpp that suits this machine. Nothing is downloaded and nothing is built.
 *
 * @param device One of auto, cpu, cuda, metal, vulkan.
 * @throws {Error} with the remedy when the package, or its build for this machine or device, is missing.
 */
export async function openLlama(device: string): Promise<OpenedLlama> {
  const gpu = gpus[device];
  if (gpu === undefined) {
    throw cannot(`the device is "${device}", expected one of ${Object.keys(gpus).join(", ")}`);
  }
  let complaint: string | undefined;
  const loaded = await importPackage();
  try {
    const llama = await loaded.getLlama({
      gpu,
      build: "never",
      skipDownload: true,
      progressLogs: false,
      // Threads are set with each context.
      maxThreads: 0,
      logLevel: loaded.LlamaLogLevel.error,
      logger: (_level, message) => complaint = message.trim() || complaint,
    });
    return { llama, package: loaded, device: llama.gpu || "cpu", complaint: () => complaint };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw cannot(
      `there is no build of llama.cpp for this machine and the device "${device}" (${reason}), ${REMEDY}`,
      cause,
    );
  }
}

const REMEDY = 'install it with "npm install node-llama-cpp"';

async function importPackage(): Promise<LlamaModule> {
  try {
    return await import("node-llama-cpp");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw cannot(`node-llama-cpp did not load (${reason}), ${REMEDY}`, cause);
  }
}

function cannot(why: string, cause?: unknown): Error {
  return new Error(`Cannot open a GGUF model: ${why}`, { cause });
}
