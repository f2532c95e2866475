/**
 * What an arworld in a worker is made from.
 *
 * @module
 */
import type { DeviceChoice } from "./open_device.ts";

/** Sent to the worker before its first call. */
export interface ArworldSettings {
  readonly id: string;
  /** Path or URL of the folder with the causal weights. */
  readonly path: string;
  /** Path or URL of the folder with text encoder, VAE and tokenizer. */
  readonly basePath: string;
  readonly device: DeviceChoice;
  /** Threads of the CPU device; all cores by default. */
  readonly threads?: number;
}
