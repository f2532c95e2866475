/**
 * What models in workers are made from; sent to the worker before its first call.
 *
 * @module
 */
import type { DeviceChoice } from "./open_device.ts";

/** What every model is made from. */
export interface ModelSettings {
  readonly id: string;
  readonly device: DeviceChoice;
  /** Threads of the CPU device; all cores by default. */
  readonly threads?: number;
}

/** What an arworld is made from. */
export interface ArworldSettings extends ModelSettings {
  /** Path or URL of the folder with the causal weights. */
  readonly path: string;
  /** Path or URL of the folder with text encoder, VAE and tokenizer. */
  readonly basePath: string;
}

/** What an actionworld is made from. */
export interface ActionworldSettings extends ModelSettings {
  /** Path or URL of the snapshot. */
  readonly path: string;
}
