/**
 * The command `svc world plan`, and the part of `svc doctor` that looks at a model.
 *
 * @module
 */
import { openDevice } from "../../lib/compute/device/open_device.ts";
import { gpuMemory } from "../../lib/platform/machine/gpu_memory.ts";
import { memoryProbe } from "../../lib/platform/machine/memory_probe.ts";
import { UsageError } from "../../lib/platform/terminal/flags.ts";
import { CLIP_BOUNDS } from "../../lib/world/protocol/requests/clip_request.ts";
import { MAX_GEOMETRY } from "../../lib/world/protocol/requests/move_fields.ts";
import type { BackendName } from "../../lib/world/protocol/wire.ts";
import {
  checkTinyDecoder,
  locateActionworld,
  locateModel,
  tinyNeedsArworld,
  worldFolder,
} from "../../lib/app/world/model_location.ts";
import { modelRoot } from "../../lib/world/plan/model_root.ts";
import { describeActionworld, describeArworld, type DescribedWorld } from "../../lib/world/plan/described_world.ts";
import { measureDevice } from "./measure_device.ts";
import { type MeasuredDevice, type PlanReport, reportPlan } from "./plan_report.ts";

/** What to plan. */
export interface PlanRequest {
  readonly command: string;
  readonly backend: BackendName | undefined;
  readonly model: string | undefined;
  readonly baseModel: string | undefined;
  /** Of an arworld. */
  readonly decoder?: "full" | "tiny" | undefined;
  /** Such as `512x320`. */
  readonly size: string | undefined;
  /** Bytes of the GPU; asked of the system by default. */
  readonly gpuBytes: number | undefined;
  /** Whether to measure the speed of the device. */
  readonly measure: boolean;
}

/**
 * Plans a world model. No weights are read.
 *
 * @throws {UsageError} for a size or decoder that the model cannot have, {SvcError} `model_invalid` for wrong files.
 */
export async function planModel(request: PlanRequest): Promise<PlanReport> {
  const { id, world } = await describeModel(request);
  const size = request.size === undefined ? undefined : sizeOf(request, world.kind);
  const { physicalBytes } = await memoryProbe(() => [])();
  const gpuBytes = request.gpuBytes ?? await gpuMemory();
  const measured = request.measure ? await measure() : undefined;
  return await reportPlan(id, world, size, { gpuBytes, hostBytes: physicalBytes }, measured);
}

async function describeModel(request: PlanRequest): Promise<{ id: string; world: DescribedWorld }> {
  const actionworld = request.backend === "actionworld" ||
    (request.backend === undefined && request.model !== undefined &&
      await isActionworld(await worldFolder(request.model)));
  const tiny = request.decoder === "tiny";
  if (actionworld) {
    if (tiny) throw tinyNeedsArworld();
    const { id, path } = await locateActionworld(request);
    return { id, world: await describeActionworld(modelRoot(path, 0)) };
  }
  const { id, path, basePath } = await locateModel(request);
  if (tiny) await checkTinyDecoder({ basePath });
  return { id, world: await describeArworld(modelRoot(basePath, 0), modelRoot(path, 0), request.decoder) };
}

/** A snapshot of an actionworld has its transformer in a folder of that name. */
async function isActionworld(folder: string): Promise<boolean> {
  return await modelRoot(folder, 0).open("transformer/config.json") !== undefined;
}

function sizeOf({ command, size }: PlanRequest, kind: DescribedWorld["kind"]): { width: number; height: number } {
  const { unit, width: most, height: highest } = kind === "actionworld" ? CLIP_BOUNDS : { ...MAX_GEOMETRY, unit: 32 };
  const [, width, height] = (/^(\d{1,5})x(\d{1,5})$/.exec(size ?? "") ?? []).map(Number);
  const right = (side: number, limit: number) => side > 0 && side % unit === 0 && side <= limit;
  if (right(width, most) && right(height, highest)) return { width, height };
  throw new UsageError(
    `Cannot run ${command}: --size is "${size}", expected WxH in multiples of ${unit} up to ${most}x${highest}`,
  );
}

async function measure(): Promise<MeasuredDevice> {
  const device = await openDevice("auto");
  try {
    return { label: device.label, kind: device.kind, speed: await measureDevice(device) };
  } finally {
    device.dispose();
  }
}
