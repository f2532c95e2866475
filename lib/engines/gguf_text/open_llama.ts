/**
 * Loads llama.cpp on demand.
 *
 * @module
 */
import { findAppDirectory, lendHome } from "../../platform/files/app_directory.ts";
import type { TriedDevice } from "../contract/engine_settings.ts";
import type { Llama, LlamaOptions } from "node-llama-cpp";
import { reuseSamplers } from "./reuse_samplers.ts";

/** The package `node-llama-cpp`. */
type LlamaModule = typeof import("node-llama-cpp");

/** A loaded llama.cpp. */
export interface OpenedLlama {
  readonly llama: Llama;
  /** Such as `cpu` or `cuda`. */
  readonly device: string;
  /**
   * Runs native work that may fail.
   *
   * @throws {Error} with llama.cpp's log message, since its own errors have no reason.
   */
  attempt<T>(work: () => Promise<T>): Promise<T>;
}

/** Used where Vulkan has CPU drivers only: llama.cpp is much faster on the CPU itself. */
const WITHOUT_VULKAN = { type: "auto", exclude: ["vulkan"] } as const satisfies LlamaOptions["gpu"];

/** Devices by name. */
const gpus: Readonly<Record<string, LlamaOptions["gpu"]>> = {
  auto: "auto",
  cpu: false,
  cuda: "cuda",
  metal: "metal",
  vulkan: "vulkan",
};

const loaded = new Map<string, Promise<OpenedLlama>>();

/**
 * Loads the build of llama.cpp for this machine. Nothing is downloaded or built; each build is loaded once and kept,
 * since only the first one in a process logs its errors.
 *
 * @param device One of auto, cpu, cuda, metal, vulkan.
 * @param missing Devices that `auto` must not use.
 * @throws {Error} with the remedy when the package, or its build for this machine or device, is missing.
 */
export function openLlama(device: string, missing: readonly TriedDevice[] = []): Promise<OpenedLlama> {
  const hasNoVulkan = device === "auto" && missing.some((one) => one.device === "vulkan");
  const build = hasNoVulkan ? "auto without vulkan" : device;
  const known = loaded.get(build) ?? load(device, hasNoVulkan ? WITHOUT_VULKAN : gpus[device]);
  loaded.set(build, known);
  return known;
}

async function load(device: string, gpu: LlamaOptions["gpu"]): Promise<OpenedLlama> {
  if (gpu === undefined) {
    throw cannot(`the device is "${device}", expected one of ${Object.keys(gpus).join(", ")}`);
  }
  let complaint: string | undefined;
  const { getLlama, LlamaLogLevel } = await importPackage();
  const llama = await getLlama({
    gpu,
    build: "never",
    skipDownload: true,
    progressLogs: false,
    // Threads are set with each context.
    maxThreads: 0,
    logLevel: LlamaLogLevel.error,
    // The first one is the most informative.
    logger: (_level, message) => complaint ??= message.trim(),
  }).catch((cause) => {
    throw cannot(
      `llama.cpp has no build for this machine and the device "${device}" (${cause.message}), ${INSTALL}`,
      cause,
    );
  });
  reuseSamplers(llama);
  const got = llama.gpu || "cpu";
  if (device !== "auto" && device !== got) {
    throw cannot(`the device is "${device}", which this machine does not have, expected ${got} or auto`);
  }
  return {
    llama,
    device: got,
    attempt: async (work) => {
      complaint = undefined;
      return await work().catch(async (cause) => {
        // Its log arrives a moment after its error.
        await new Promise((resolve) => setTimeout(resolve, 20));
        throw new Error(complaint ?? cause.message, { cause });
      });
    },
  };
}

const INSTALL = 'install it with "npm install node-llama-cpp"';

/** What is expected of a model that llama.cpp does not open, and how to go on. */
export const WITHIN =
  "expected a model that it can run within the free memory: download it again, or choose a smaller one";

async function importPackage(): Promise<LlamaModule> {
  try {
    lendHome(findAppDirectory()); // it looks up the home folder while it is loaded
    return await import("node-llama-cpp");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw cannot(`node-llama-cpp did not load (${reason}), ${INSTALL}`, cause);
  }
}

function cannot(why: string, cause?: unknown): Error {
  return new Error(`Cannot open a GGUF model: ${why}`, { cause });
}
