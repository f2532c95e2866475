/**
 * The files of a session in memory, for a world without a disk.
 *
 * @module
 */
import { conflict, SvcError } from "../../lib/errors/svc_error.ts";
import { show } from "../../lib/errors/show.ts";
import type { StoredFile, WorldFiles } from "../../lib/world/session/world_files.ts";

/** Where the state directory seems to be. */
const ROOT = "/world/";

interface MemoryFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly modified: number;
}

/**
 * An empty state directory in memory. There is nothing beside it: files that clients name are refused.
 *
 * @param now Milliseconds since 1970.
 */
export function memoryFiles(now: () => number): WorldFiles {
  const files = new Map<string, MemoryFile>();
  return {
    statePath: (name) => ROOT + name,
    list: () => {
      const names = [...files.keys()].map((path) => path.slice(ROOT.length).split("/")[0]);
      return Promise.resolve([...new Set(names)]);
    },
    sizes: () => Promise.resolve(new Map(Array.from(files, ([path, { bytes }]) => [path, bytes.length]))),
    writeNew: (path, bytes) => {
      if (files.has(path)) {
        const message = `Cannot write ${show(path)}: the file exists already, choose another name`;
        return Promise.reject(conflict("output_exists", message, "output"));
      }
      files.set(path, { bytes: bytes.slice(), modified: now() });
      return Promise.resolve();
    },
    remove: (path) => {
      for (const known of [...files.keys()]) {
        if (known === path || known.startsWith(`${path}/`)) files.delete(known);
      }
      return Promise.resolve();
    },
    open: (path) => {
      const file = files.get(path);
      return Promise.resolve(file && storedFile(file));
    },
    readClientFile: (path) => Promise.reject(noFiles(path)),
    clientOutput: (path) => Promise.reject(noFiles(path)),
  };
}

function storedFile({ bytes, modified }: MemoryFile): StoredFile {
  return {
    size: bytes.length,
    modified,
    stream: (start, end) => new Blob([bytes.subarray(start, end + 1)]).stream(),
  };
}

function noFiles(path: string): SvcError {
  const message = `Cannot use ${show(path)}: this world has no disk, send the image itself and fetch what it makes`;
  return new SvcError("path_not_allowed", message);
}
