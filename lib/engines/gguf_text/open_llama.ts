/**
 * Loads llama.cpp on demand, and uses its samplers again.
 *
 * @module
 */
import { findAppDirectory, lendHome } from "../../platform/files/app_directory.ts";
import { type AnsweredFork, answerForks } from "../../platform/processes/answer_forks.ts";
import type { TriedDevice } from "../contract/engine_settings.ts";
import { type KeptTests, keptTests, type TestedBuild } from "./kept_tests.ts";
import type { Llama, LlamaOptions } from "node-llama-cpp";

/** The package `node-llama-cpp`. */
type LlamaModule = typeof import("node-llama-cpp");

/** A loaded llama.cpp. */
interface OpenedLlama {
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
 * @param keepTests Whether a build that has worked is loaded without a test in a process of its own; only for processes
 *   whose end does no harm.
 * @throws {Error} with the remedy when the package, or its build for this machine or device, is missing.
 */
export function openLlama(
  device: string,
  missing: readonly TriedDevice[] = [],
  keepTests = false,
): Promise<OpenedLlama> {
  const hasNoVulkan = device === "auto" && missing.some((one) => one.device === "vulkan");
  const build = hasNoVulkan ? "auto without vulkan" : device;
  const known = loaded.get(build) ??
    load(device, hasNoVulkan ? WITHOUT_VULKAN : gpus[device], keepTests ? keptTests() : undefined);
  loaded.set(build, known);
  return known;
}

async function load(device: string, gpu: LlamaOptions["gpu"], kept: KeptTests | undefined): Promise<OpenedLlama> {
  if (gpu === undefined) {
    throw cannot(`the device is "${device}", expected one of ${Object.keys(gpus).join(", ")}`);
  }
  let complaint: string | undefined;
  const { getLlama, LlamaLogLevel } = await importPackage();
  const open = (): Promise<Llama> =>
    getLlama({
      gpu,
      build: "never",
      skipDownload: true,
      progressLogs: false,
      // Threads are set with each context.
      maxThreads: 0,
      logLevel: LlamaLogLevel.error,
      // The first one is the most informative.
      logger: (_level, message) => complaint ??= message.trim(),
    });
  const passed: TestedBuild[] = [];
  const tested = kept === undefined ? open() : answerForks(bindingTest(kept, (build) => passed.push(build)), open);
  const llama = await tested.catch((cause) => {
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
      const done = await work().catch(async (cause) => {
        // Its log arrives a moment after its error.
        await new Promise((resolve) => setTimeout(resolve, 20));
        throw new Error(complaint ?? cause.message, { cause });
      });
      for (const build of passed.splice(0)) void kept?.worked(build); // not waited for: it is for the next start
      return done;
    },
  };
}

/**
 * The test of a build that node-llama-cpp runs in a process of its own before it loads it, answered for where the build
 * is known to work.
 *
 * @param onPass Called with a build that has passed, or is known.
 */
function bindingTest(kept: KeptTests, onPass: (build: TestedBuild) => void): AnsweredFork {
  const buildOf = ({ bindingBinaryPath, gpu }: Readonly<Record<string, unknown>>): TestedBuild => ({
    path: String(bindingBinaryPath),
    gpu,
  });
  return {
    module: "testBindingBinary.js",
    ready: { type: "ready" },
    answers: { start: { type: "loaded" }, test: { type: "done" } },
    exit: "exit",
    isKnown: async (first) => {
      const isKnown = await kept.take(buildOf(first));
      if (isKnown) onPass(buildOf(first));
      return isKnown;
    },
    onDone: (first) => onPass(buildOf(first)),
  };
}

const INSTALL = 'install it with "npm install node-llama-cpp"';

/** What is expected of a model that llama.cpp does not open, and how to continue. */
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

/** What chooses a token. */
export interface NativeSampler {
  applyConfig(config: Readonly<Record<string, unknown>>): unknown;
  dispose(): void;
}

/** The part of node-llama-cpp's addon that makes them. */
export interface SamplerBindings {
  AddonSampler: new (model: object) => NativeSampler;
}

/** As many as choose tokens at the same time. */
const KEPT = 16;

/** A sampler draws from the beginning again when its seed changes; answers have other ones. */
const OTHER_SEED = 2 ** 32 - 1;

/**
 * node-llama-cpp makes a sampler for every controlled evaluation, with a list of all tokens: 2 MB for 150,000, fresh from
 * the system each time and not given back before garbage is collected. Making it takes a millisecond of each token. So
 * those that are done are kept, with their configuration reset, for the next evaluation of their model.
 *
 * @param llama What `getLlama` returns. Its addon is not public: where it has another form, nothing
 *   changes.
 */
export function reuseSamplers(llama: object): void {
  const { _bindings: bindings } = llama as { readonly _bindings?: Partial<SamplerBindings> };
  const Native = bindings?.AddonSampler;
  if (bindings === undefined || typeof Native !== "function" || reusing.has(Native)) return;
  const kept: { readonly model: object; readonly sampler: NativeSampler; readonly destroy: () => void }[] = [];
  const Reused = new Proxy(Native, {
    construct(target, [model]: [object]) {
      const at = kept.findLastIndex((one) => one.model === model);
      if (at >= 0) return kept.splice(at, 1)[0].sampler;
      const sampler = new target(model);
      const destroy = sampler.dispose.bind(sampler);
      const keep = (): void => {
        if (kept.some((one) => one.sampler === sampler)) return;
        sampler.applyConfig({ seed: OTHER_SEED });
        kept.push({ model, sampler, destroy });
        if (kept.length > KEPT) kept.shift()?.destroy();
      };
      return Object.defineProperty(sampler, "dispose", { value: keep });
    },
  });
  reusing.add(Reused);
  bindings.AddonSampler = Reused;
}

const reusing = new WeakSet<object>();

/**
 * node-llama-cpp gives the threads of a context back after each evaluation, by a timer that fires while the next token
 * is evaluated: then the main thread takes a core from one of llama.cpp's threads, and the others spin until it has it
 * again. Nothing shares threads here (`maxThreads` is 0), so that there is nothing to give back.
 *
 * @param context A `LlamaContext`. What gives back is not public: where it has another form, nothing changes.
 */
export function keepThreads(context: object): void {
  const { _scheduleToFreeReservedThreads: giveBack } = context as { readonly _scheduleToFreeReservedThreads?: unknown };
  if (typeof giveBack !== "function") return;
  Object.defineProperty(context, "_scheduleToFreeReservedThreads", { value: () => {} });
}
