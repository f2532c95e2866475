/**
 * What the proof of bounds knows of a kernel, and what it derives.
 *
 * @module
 */
import type { KernelParams } from "./kernel_interface.ts";

/** A variant of a kernel, as far as its reach depends on it. */
export interface KernelVariant {
  /** Pipeline-overridable constants. */
  readonly constants: Readonly<Record<string, number>>;
  /** Numbers in an element, by binding. */
  readonly lanes: ReadonlyMap<string, number>;
  /** The value of a constant that its text declares as a number. @throws {RangeError} when there is none. */
  readonly constant: (name: string) => number;
  /** Whether its text has a function or an array in workgroup memory of this name. */
  readonly declares: (name: string) => boolean;
}

/** Numbers up to the last one that is read or written, by binding: 0 for one that is bound and left alone. */
export type Reach = Readonly<Record<string, number>>;

/** The reach of one kernel. @throws {RangeError} for parameters whose reach is not known. */
export type ReachOf = (p: KernelParams, variant: KernelVariant) => Reach;

/** One past the last element of a strided block. */
export function strided(start: number, sizes: readonly number[], strides: readonly number[]): number {
  return sizes.reduce((end, size, i) => end + (size - 1) * strides[i], start + 1);
}
