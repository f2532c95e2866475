/**
 * The memory of this machine's GPU, which the system reports and WebGPU does not.
 *
 * @module
 */
import { readdirSync, readFileSync } from "node:fs";
import { totalmem } from "node:os";
import process from "node:process";
import { runProcess } from "../processes/run_process.ts";

/** How long the driver's tool may take, in milliseconds. */
const TIMEOUT = 5000;

/** Share of unified memory that Metal lets a process use. */
const UNIFIED = 0.7;

/** Where the answers come from; replaced by tests. */
export interface GpuMemorySource {
  /** As `process.platform`. */
  readonly platform: string;
  readonly architecture: string;
  readonly totalBytes: number;
  /** Runs NVIDIA's tool with these arguments and gives its output. */
  nvidiaSmi(args: readonly string[]): Promise<string>;
  /** Lists a folder, empty when there is none. */
  list(folder: string): readonly string[];
  readText(path: string): string;
}

/** This machine. */
export const thisGpuMemory: GpuMemorySource = {
  platform: process.platform,
  architecture: process.arch,
  totalBytes: totalmem(),
  nvidiaSmi: async (args) => {
    const { code, stdout } = await runProcess("nvidia-smi", args, new Uint8Array());
    return code === 0 ? new TextDecoder().decode(stdout) : "";
  },
  list(folder) {
    try {
      return readdirSync(folder);
    } catch {
      return [];
    }
  },
  readText: (path) => readFileSync(path, "utf8"),
};

/** Bytes of the largest GPU's memory; undefined where nothing says so. */
export async function gpuMemory(source: GpuMemorySource = thisGpuMemory): Promise<number | undefined> {
  if (source.platform === "darwin" && source.architecture === "arm64") return UNIFIED * source.totalBytes;
  const sizes = [...await nvidiaBytes(source), ...amdBytes(source)];
  return sizes.length === 0 ? undefined : Math.max(...sizes);
}

async function nvidiaBytes(source: GpuMemorySource): Promise<number[]> {
  const asked = source.nvidiaSmi(["--query-gpu=memory.total", "--format=csv,noheader,nounits"]).catch(() => "");
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<string>((resolve) => timer = setTimeout(() => resolve(""), TIMEOUT));
  const text = await Promise.race([asked, late]);
  clearTimeout(timer);
  return text.split("\n").map((line) => Number(line.trim() || NaN) * 2 ** 20).filter((bytes) => bytes > 0);
}

function amdBytes(source: GpuMemorySource): number[] {
  if (source.platform !== "linux") return [];
  const cards = source.list("/sys/class/drm").filter((name) => /^card\d+$/.test(name));
  return cards.flatMap((card) => {
    try {
      return [Number(source.readText(`/sys/class/drm/${card}/device/mem_info_vram_total`))].filter((n) => n > 0);
    } catch {
      return [];
    }
  });
}
