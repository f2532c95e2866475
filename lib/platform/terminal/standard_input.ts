/**
 * Standard input.
 *
 * @module
 */
import process from "node:process";

/** All bytes of standard input, until it ends. */
export async function readStandardInput(): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of process.stdin) parts.push(new Uint8Array(part));
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** The text of a pipe or file; undefined where a person could type. */
export async function readPipe(): Promise<string | undefined> {
  return process.stdin.isTTY === true ? undefined : new TextDecoder().decode(await readStandardInput());
}
