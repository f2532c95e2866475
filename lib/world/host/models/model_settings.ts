/**
 * The settings of models in workers; sent to the worker before its first call.
 *
 * @module
 */
import type { DecoderChoice } from "../../../models/arworld/loader.ts";
import type { DeviceChoice } from "../../../compute/device/open_device.ts";

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
