/**
 * Folders that live as long as one piece of work.
 *
 * @module
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A new folder that nobody else uses. */
export interface TemporaryDirectory {
  readonly path: string;
  /** Removes it with all it holds. */
  remove(): Promise<void>;
}

/** Makes a folder below the system's one for temporary files. */
export async function makeTemporaryDirectory(): Promise<TemporaryDirectory> {
  const path = await mkdtemp(join(tmpdir(), "svc-"));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
