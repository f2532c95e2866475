/**
 * The plan of a world for people: what it takes at each size, and whether that fits.
 *
 * @module
 */
import type { Precision } from "../../lib/compute/tensor/mod.ts";
import { showBytes } from "../../lib/errors/show.ts";
import type { PlannedSize } from "../../lib/models/world/memory_plan.ts";
import type { WorldPlan } from "../../lib/models/world/world_plan.ts";
import type { DescribedWorld } from "../../lib/world/plan/described_world.ts";
import { type DeviceSpeed, secondsOf } from "./measure_device.ts";
import { type PlannedDevice, plannedDevice, planOnGpu } from "../../lib/world/plan/planned_device.ts";

/** Sizes that are shown when none is asked for. */
const SIZES: Readonly<Record<DescribedWorld["kind"], readonly (readonly [number, number])[]>> = {
  arworld: [[384, 224], [512, 320], [832, 480], [1280, 704]],
  actionworld: [[320, 176], [640, 352], [832, 480]],
};

/** The memory that there is, in bytes. */
export interface PlannedRoom {
  readonly gpuBytes?: number | undefined;
  readonly hostBytes?: number | undefined;
}

/** A measured device. */
export interface MeasuredDevice {
  readonly label: string;
  readonly kind: "cpu" | "webgpu";
  readonly speed: DeviceSpeed;
}

/** One size of a {@linkcode PlanReport}. */
export interface SizeReport {
  readonly width: number;
  readonly height: number;
  /** Absent where a tensor is larger than a GPU binds. */
  readonly gpu?: WorldPlan;
  /** Why there is none. */
  readonly problem?: string;
  readonly gpuFits?: boolean;
  readonly cpuBytes: number;
  readonly cpuFits?: boolean;
  /** Seconds for a block or a clip on the measured device. */
  readonly seconds?: number;
}

/** The plan of a model. */
export interface PlanReport extends PlannedRoom {
  readonly id: string;
  readonly kind: DescribedWorld["kind"];
  readonly fileBytes: number;
  /** Of values on the GPU. */
  readonly precision: Precision;
  readonly sizes: readonly SizeReport[];
  readonly measured?: MeasuredDevice | undefined;
}

/** Plans one size, or those that a world of this kind is usually run at and the model's own. */
export async function reportPlan(
  id: string,
  world: DescribedWorld,
  size: { readonly width: number; readonly height: number } | undefined,
  room: PlannedRoom,
  measured?: MeasuredDevice,
): Promise<PlanReport> {
  const opened = plannedDevice(measured?.label ?? "auto");
  const on = opened.isCpu ? plannedDevice("webgpu") : opened; // the GPU that there could be
  const own = world.own ? [[world.own.width, world.own.height] as const] : [];
  const wanted = size ? [[size.width, size.height] as const] : [...own, ...SIZES[world.kind]];
  const distinct = new Map(wanted.map(([width, height]) => [`${width}x${height}`, { width, height }]));
  const sizes: SizeReport[] = [];
  for (const each of [...distinct.values()].sort((a, b) => a.width * a.height - b.width * b.height)) {
    sizes.push(await reportSize(world, { ...each, frames: world.frames }, on, room, measured));
  }
  return { id, kind: world.kind, fileBytes: world.fileBytes, precision: on.precision, ...room, sizes, measured };
}

async function reportSize(
  world: DescribedWorld,
  size: PlannedSize,
  on: PlannedDevice,
  { gpuBytes, hostBytes }: PlannedRoom,
  measured: MeasuredDevice | undefined,
): Promise<SizeReport> {
  let gpu: WorldPlan | undefined;
  let problem: string | undefined;
  try {
    gpu = await planOnGpu(world, size, on);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    problem = error.message;
  }
  const cpuBytes = await world.cpu(size);
  return {
    ...{ width: size.width, height: size.height, cpuBytes },
    ...gpu && { gpu },
    ...problem !== undefined && { problem },
    ...gpuBytes !== undefined && { gpuFits: gpu !== undefined && gpu.totalBytes <= gpuBytes },
    ...hostBytes !== undefined && { cpuFits: cpuBytes <= hostBytes },
    ...measured && gpu && { seconds: secondsOf(gpu.flops, measured.speed) },
  };
}

/** The report as text. */
export function formatPlan(report: PlanReport): string {
  const { id, kind, fileBytes, precision, gpuBytes, hostBytes, sizes, measured } = report;
  const unit = kind === "arworld" ? "block of 12 frames" : "clip of 17 frames";
  const rows = [
    ["size", `GPU (${precision})`, "weights", "scratch", "state", "a return", "binding", "TFLOP", "CPU", "seconds"],
    ...sizes.map(({ width, height, gpu, cpuBytes, gpuFits, cpuFits, seconds }) => [
      `${width}x${height}`,
      gpu ? showBytes(gpu.totalBytes) + mark(gpuFits) : `too large${mark(false)}`,
      gpu ? showBytes(sum(gpu.weightBytes)) : "",
      gpu ? showBytes(gpu.scratchBytes) : "",
      gpu ? showBytes(gpu.stateBytes) : "",
      gpu ? showBytes(gpu.snapshotBytes) : "",
      gpu ? showBytes(gpu.largestBinding) : "",
      gpu ? tera(gpu) : "",
      showBytes(cpuBytes) + mark(cpuFits),
      seconds === undefined ? "" : rounded(seconds, 2),
    ]),
  ];
  const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => row[i].length)));
  const table = rows.map((row) => row.map((cell, i) => cell.padEnd(widths[i])).join("  ").trimEnd());
  return [
    `${id} (${kind}): ${showBytes(fileBytes)} of weights in files; work of a ${unit}`,
    ...table,
    gpuBytes === undefined
      ? "The memory of a GPU is not known here; give it with --gpu-memory-gb to see what fits"
      : `GPU: ${showBytes(gpuBytes)}. ${advice(sizes, (size) => size.gpuFits)}`,
    ...hostBytes === undefined ? [] : [`CPU: ${showBytes(hostBytes)}. ${advice(sizes, (size) => size.cpuFits)}`],
    ...measured ? [measuredLine(measured)] : [],
  ].join("\n");
}

function advice(sizes: readonly SizeReport[], fits: (size: SizeReport) => boolean | undefined): string {
  const fitting = sizes.filter(fits).map(({ width, height }) => `${width}x${height}`);
  if (fitting.length > 0) return `Fits: ${fitting.join(", ")}`;
  return "None of these fits; convert the weights with --dtype q8 or q4, or choose a smaller size with --size";
}

function measuredLine({ label, speed }: MeasuredDevice): string {
  const rate = (flops: number) => rounded(flops / 1e9, 3);
  return `Measured on ${label}: ${rate(speed.matmul)} GFLOP/s in matrix products, ${
    rate(speed.conv)
  } in convolutions, ` +
    `${rate(speed.attention)} in attention`;
}

function mark(fits: boolean | undefined): string {
  return fits === undefined ? "" : fits ? " fits" : " no";
}

function sum(bytes: Readonly<Record<string, number>>): number {
  return Object.values(bytes).reduce((a, b) => a + b, 0);
}

function tera({ flops: { matmul, conv, attention } }: WorldPlan): string {
  return rounded((matmul + conv + attention) / 1e12, 3);
}

/** A number with its leading digits, never by a power of ten. */
function rounded(value: number, digits: number): string {
  return String(Number(value.toPrecision(digits)));
}
