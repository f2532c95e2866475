/**
 * Opens ONNX Runtime sessions on the best available device.
 *
 * @module
 */
import type { InferenceSession } from "onnxruntime-node";
import type { TriedDevice } from "../contract/engine_settings.ts";
import { ACCELERATORS, deviceFor } from "./engine_devices.ts";
import { loadOnnxRuntime, type OnnxRuntimeModule } from "../../compute/onnx/load_onnxruntime.ts";

/** A model: the path of its file, or its bytes with the folder of its external data. */
export type SessionSource = string | { readonly bytes: Uint8Array; readonly folder: string };

/** Options of a session. */
export interface SessionSettings {
  /** The only device to try, such as `cpu`; undefined or `auto` for the best available. */
  readonly device?: string | undefined;
  /** CPU threads; undefined for all cores. */
  readonly threads?: number | undefined;
  /** Devices known to be unavailable on this machine. */
  readonly missing?: readonly TriedDevice[] | undefined;
  /** Outputs that stay in the memory of the GPU, which only `webgpu` supports. */
  readonly keptOutputs?: readonly string[] | undefined;
}

/** A session and its device. */
export interface OpenedSession {
  readonly runtime: OnnxRuntimeModule;
  readonly session: InferenceSession;
  readonly device: string;
  /** Better devices, and why they were not used. */
  readonly tried: readonly TriedDevice[];
}

/**
 * Opens a session.
 *
 * @throws {Error} when the requested device is unavailable, or the model does not even load on the CPU.
 */
export async function openSession(source: SessionSource, settings: SessionSettings): Promise<OpenedSession> {
  const runtime = await loadOnnxRuntime();
  // Read once, when the first session is created. Failures arrive as errors; probing must not alarm users by its log.
  runtime.env.logLevel = "fatal";
  const { missing = [] } = settings;
  const device = deviceFor("onnx", settings.device);
  const tried = [...missing];
  for (const candidate of device === "auto" ? candidates(runtime, missing) : [device]) {
    try {
      return { runtime, session: await create(runtime, source, candidate, settings), device: candidate, tried };
    } catch (cause) {
      const reason = firstLine(cause);
      if (candidate === device) throw new Error(`Cannot open the model on ${device}: ${reason}`, { cause });
      tried.push({ device: candidate, reason });
    }
  }
  const why = tried.map(({ device, reason }) => `${device}: ${reason}`).join("; ");
  throw new Error(`Cannot open the model: no device can run it (${why}), check its files`);
}

/** The devices that `auto` tries on this machine, best first; a device that is named is the only one. */
export async function sessionDevices(settings: SessionSettings): Promise<readonly string[]> {
  const device = deviceFor("onnx", settings.device);
  return device === "auto" ? candidates(await loadOnnxRuntime(), settings.missing ?? []) : [device];
}

function candidates(runtime: OnnxRuntimeModule, missing: readonly TriedDevice[]): string[] {
  // Which of them there are depends on the build of the library for the platform.
  const built = runtime.listSupportedBackends().map(({ name }) => name);
  const canWork = (name: string) => built.includes(name) && !missing.some(({ device }) => device === name);
  return [...ACCELERATORS.onnx.filter(canWork), "cpu"];
}

/**
 * Threads that spin while waiting for the next operator are fast alone, and slow each other down on shared cores: 20
 * microseconds bridge the gaps between operators. Small shares of an operator do not wait for a thread that is not
 * scheduled. A token of a 0.5B model on two busy cores: 56 ms instead of 98 ms, alone 20 ms either way.
 */
const threading = { session: { dynamic_block_base: "4", intra_op: { spin_duration_us: "20" } } };

async function create(
  { InferenceSession }: OnnxRuntimeModule,
  source: SessionSource,
  device: string,
  { threads, keptOutputs }: SessionSettings,
): Promise<InferenceSession> {
  const options = {
    executionProviders: [device],
    graphOptimizationLevel: "all" as const,
    logSeverityLevel: 4 as const,
    ...(threads !== undefined && { intraOpNumThreads: threads }),
    ...(keptOutputs !== undefined && {
      preferredOutputLocation: Object.fromEntries(keptOutputs.map((name) => [name, "gpu-buffer" as const])),
    }),
  };
  if (typeof source === "string") return await InferenceSession.create(source, { ...options, extra: threading });
  const session = { ...threading.session, model_external_initializers_file_folder_path: source.folder };
  return await InferenceSession.create(source.bytes, { ...options, extra: { session } });
}

/** Native messages start with a source location, which does not help the user. */
function firstLine(cause: unknown): string {
  const message = (cause instanceof Error ? cause.message : String(cause)).split("\n")[0];
  const [, reason] = message.split(" was false. ");
  return (reason ?? message.replace(/^\/\S+\.(?:cc|h):\d+ [^(\n]*\(.*?\) /, "")).trim();
}
