/**
 * A model's files beside the page.
 *
 * @module
 */
import type { ModelRoot } from "../../lib/models/checkpoint/model_root.ts";

/** A folder at a URL; each file is fetched once, and those named are fetched at once. */
export function fetchedFolder(url: URL, early: readonly string[] = []): ModelRoot {
  const fetched = new Map<string, Promise<Uint8Array<ArrayBuffer> | undefined>>();
  const bytesOf = (file: string): Promise<Uint8Array<ArrayBuffer> | undefined> => {
    const known = fetched.get(file) ?? fetchFile(new URL(file, url));
    fetched.set(file, known);
    known.catch(() => fetched.delete(file)); // the next try may find the network again
    return known;
  };
  for (const file of early) void bytesOf(file);
  return {
    name: url.href.replace(/\/$/, ""),
    async open(file) {
      const bytes = await bytesOf(file);
      return bytes &&
        { size: bytes.length, read: (at, length) => Promise.resolve(bytes.subarray(at, at + length)) };
    },
  };
}

/** A file's bytes; undefined when there is none. */
export async function fetchFile(url: URL): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const response = await fetch(url);
  if (response.ok) return new Uint8Array(await response.arrayBuffer());
  await response.body?.cancel();
  if (response.status === 404) return undefined;
  throw new Error(`Cannot read ${url.pathname}: the server answered ${response.status}, expected the file; try again`);
}
