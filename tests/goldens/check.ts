/**
 * What a module's check is.
 *
 * @module
 */
import type { Device } from "../../lib/compute/tensor/mod.ts";
import type { Golden } from "./golden.ts";

/** Runs our module on the inputs of a golden and compares every output. */
export type Check = (golden: Golden, device: Device) => Promise<void> | void;

/** Checks by the kind of their golden files. */
export type Checks = Readonly<Record<string, Check>>;
