/**
 * Checkpoints that are not read.
 *
 * @module
 */
import type { ByteSource } from "../../../compute/tensor/mod.ts";
import { SvcError } from "../../../errors/svc_error.ts";

/** The error that says why a checkpoint is not read. */
export function refuseCheckpoint(name: string, problem: string): SvcError {
  return new SvcError("checkpoint_refused", `Cannot read ${name}: ${problem}`);
}

/**
 * Reads a range.
 *
 * @throws {SvcError} `checkpoint_refused` when the file ends before.
 */
export async function readExactly(
  name: string,
  source: ByteSource,
  offset: number,
  length: number,
): Promise<Uint8Array> {
  const inside = offset >= 0 && offset + length <= source.size;
  const bytes = inside ? await source.read(offset, length) : new Uint8Array();
  if (bytes.length === length && inside) return bytes;
  throw refuseCheckpoint(name, `it ends before byte ${offset + length}, expected a whole file`);
}
