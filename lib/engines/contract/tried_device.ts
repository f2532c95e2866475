/**
 * Devices that were tried before the one that works.
 *
 * @module
 */

/** A device that failed. */
export interface TriedDevice {
  readonly device: string;
  readonly reason: string;
}
