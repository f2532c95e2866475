/**
 * Folders of model files on disk or at a URL.
 *
 * @module
 */
import type { ModelRoot } from "../../models/checkpoint/model_root.ts";

/** Files up to this size are read at once, which is much faster than tensor by tensor. */
const READ_WHOLE = 256 * 2 ** 20;

/**
 * A folder of model files: a path, a `file:` URL, or one that `fetch` can read.
 *
 * @param wholeUpTo Files of a path up to this size are read whole when they are opened.
 *
 * @example
 * ```ts ignore
 * const root = modelRoot(new URL("../../models/corridor-nano/base", import.meta.url));
 * const config = await root.open("config.json");
 * ```
 */
export function modelRoot(location: string | URL, wholeUpTo: number = READ_WHOLE): ModelRoot {
  const text = String(location);
  return /^https?:/.test(text) ? remoteRoot(text) : localRoot(location, wholeUpTo);
}

function localRoot(location: string | URL, wholeUpTo: number): ModelRoot {
  const isUrl = location instanceof URL || location.startsWith("file:");
  let folder = isUrl ? decodeURIComponent(new URL(location).pathname) : location;
  folder = folder.replace(/(?<=^\/|[^/])\/+$/, "");
  if (/^\/[A-Za-z]:/.test(folder)) folder = folder.slice(1); // file:///C:/models is C:/models on Windows
  return {
    name: folder,
    async open(file) {
      const { openRandomAccess } = await import("../../platform/files/read_part.ts");
      return await openRandomAccess(`${folder}/${file}`, wholeUpTo);
    },
  };
}

function remoteRoot(location: string): ModelRoot {
  const folder = location.replace(/(?<!\/)\/+$/, "");
  return {
    name: folder,
    async open(file) {
      const response = await fetch(`${folder}/${file}`);
      if (response.status === 404) {
        await response.body?.cancel();
        return undefined;
      }
      if (!response.ok) throw new Error(`Cannot read ${folder}/${file}: the server answered ${response.status}`);
      const bytes = new Uint8Array(await response.arrayBuffer());
      return { size: bytes.length, read: (at, length) => Promise.resolve(bytes.subarray(at, at + length)) };
    },
  };
}
