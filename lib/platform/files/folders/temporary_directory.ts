/**
 * Temporary folders.
 *
 * @module
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A new private folder. */
export interface TemporaryDirectory {
  readonly path: string;
  /** Removes it with its contents. */
  remove(): Promise<void>;
}

/** Creates a folder in the system's temporary directory. */
export async function makeTemporaryDirectory(): Promise<TemporaryDirectory> {
  const path = await mkdtemp(join(tmpdir(), "svc-"));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
