/**
 * The settings of models in workers, sent before the first call, and the devices that a worker tries for them.
 *
 * @module
 */
import type { Device } from "../../../compute/tensor/mod.ts";
import { type DeviceChoice, type LacksRoom, openDevice } from "../../../compute/device/open_device.ts";
import { showBytes } from "../../../errors/show.ts";
import type { DeviceOptions } from "../../../models/world/start_on_device.ts";
import { createLog, type Log } from "../../../platform/processes/log.ts";
import type { SessionMemory } from "../../session/session_memory.ts";
import { DEFAULT_FRAMES } from "../../protocol/requests/transition_request.ts";
import type { DescribedWorld } from "../../plan/described_world.ts";
import { worldMemory } from "../world_memory.ts";
import type { DecoderChoice } from "../../../models/arworld/loader.ts";

/** The settings of every model. */
export interface ModelSettings {
  readonly id: string;
  readonly device: DeviceChoice;
  /** The GPU to use where there are several: a part of its name, or its number. */
  readonly adapter?: string | undefined;
  /** Threads of the CPU device; all cores by default. */
  readonly threads?: number;
}

/** The settings of an arworld. */
export interface ArworldSettings extends ModelSettings {
  /** Path or URL of the folder with the causal weights. */
  readonly path: string;
  /** Path or URL of the folder with text encoder, VAE and tokenizer. */
  readonly basePath: string;
  readonly decoder?: DecoderChoice | undefined;
  /** Folder for kept states that memory has no room for; the temporary one by default. */
  readonly parkedStates?: string | undefined;
}

/** The settings of an actionworld. */
export interface ActionworldSettings extends ModelSettings {
  /** Path or URL of the snapshot. */
  readonly path: string;
}

/** A size of few values: what the CPU has to have room for is above all the weights. */
const SMALL = { width: 320, height: 192, frames: DEFAULT_FRAMES };

/**
 * Devices for the settings. Where the choice is left to us, a model that does not start on a GPU starts on the CPU if
 * that has room for it; the log says why (`device_failed`).
 *
 * @param describe Reads what there is to plan with.
 */
export function modelDevices(
  { id, device: choice, adapter, threads }: ModelSettings,
  describe: () => Promise<DescribedWorld>,
  log: Log = createLog(),
): DeviceOptions {
  const failed = (device: string, reason: string) => log("warn", "device_failed", { model: id, device, reason });
  const memory = worldMemory({ describe, unit: 1 });
  return {
    openDevice: async () => {
      const device = await openDevice(choice, threads, { adapter, failed, lacksRoom: lacksRoom(memory) });
      logTiles(device, id, log);
      return device;
    },
    fallback: async ({ label }, error) => {
      if (choice !== "auto" || adapter !== undefined || label.startsWith("cpu")) return undefined;
      failed(label, error instanceof Error ? error.message : String(error));
      const room = await memory.room("cpu");
      const needed = await memory.plan(SMALL, "cpu");
      return room && needed > room.most ? undefined : await openDevice("cpu", threads);
    },
  };
}

/** Says once what a GPU computes products with, and why not with its matrix units. */
export function logTiles({ label, tiles }: Pick<Device, "label" | "tiles">, model: string, log: Log): void {
  if (!tiles) return;
  log("info", "device_opened", {
    model,
    device: label,
    tiles: tiles.kind,
    ...tiles.reason && { reason: tiles.reason },
  });
}

/** Says why a device has no room for even a small size. */
export function lacksRoom({ room, plan }: Pick<SessionMemory, "room" | "plan">): LacksRoom {
  return async ({ label }) => {
    const found = await room(label);
    if (!found) return undefined;
    const needed = await plan(SMALL, label);
    if (needed <= found.most) return undefined;
    return `it has ${showBytes(found.most)} of memory, the world needs ${showBytes(needed)}`;
  };
}
