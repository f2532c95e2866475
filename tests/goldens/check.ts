/**
 * What a module's check is.
 *
 * @module
 */
import type { Device } from "../../lib/compute/tensor/mod.ts";
import type { Comparison, Golden } from "./golden.ts";

/** Runs our module on the inputs of a golden and compares every output. */
export type Check = (golden: Golden, device: Device) => Promise<void> | void;

/** Checks by the kind of their golden files. */
export type Checks = Readonly<Record<string, Check>>;

/** Compares the content of a JSON file with what our code makes of it. */
export type JsonCheck = (json: unknown) => Comparison[] | Promise<Comparison[]>;
