/**
 * Writes a file of parts.
 *
 * @module
 */
import { open } from "node:fs/promises";

/** Writes a new file that only its owner can read. */
export async function writeParts(path: string, parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    for await (const part of parts) await file.writeFile(part);
  } finally {
    await file.close();
  }
}
