/**
 * The state directory of a world session, and the files that its clients may name.
 *
 * @module
 */
import { fileSizes } from "../../platform/files/find_files.ts";
import { access, mkdir, readdir, rm } from "../../platform/files/file_system.ts";
import { dirname, join, resolve } from "../../platform/files/paths.ts";
import { show } from "../../errors/show.ts";
import { conflict, invalidField, invalidRequest, SvcError } from "../../errors/svc_error.ts";
import type { WorldFiles } from "../session/world_files.ts";
import { writeNewFile } from "../../platform/files/atomic_write.ts";
import { openFile } from "../../platform/files/open_file.ts";
import type { PathPolicy } from "../../platform/files/path_policy.ts";
import { readImageFile } from "../../platform/files/read_image_file.ts";

/** Options of {@linkcode stateFiles}. */
export interface StateFilesOptions {
  readonly policy: PathPolicy;
  /** Writes a new file; tests can simulate a full disk here. */
  readonly write?: (path: string, bytes: Uint8Array) => Promise<void>;
}

/** Files in an existing directory, and whatever `policy` allows elsewhere. */
export function stateFiles(directory: string, { policy, write = writeNewFile }: StateFilesOptions): WorldFiles {
  const root = resolve(directory);
  return {
    statePath: (name) => join(root, name),
    list: () => readdir(root),
    sizes: () => fileSizes(root),
    async writeNew(path, bytes) {
      try {
        if (path.startsWith(join(root, "/"))) await mkdir(dirname(path), { recursive: true });
        await write(path, bytes);
      } catch (error) {
        throw writeError(path, error);
      }
    },
    remove: (path) => rm(path, { recursive: true, force: true }),
    open: openFile,
    async readClientFile(path, limit) {
      return await readImageFile(await policy.check(path), { name: path, limit, param: "source_image" });
    },
    async clientOutput(path) {
      const target = await policy.check(path);
      if (!await exists(dirname(target))) {
        const message = `Cannot write ${show(path)}: its folder is missing, expected one that exists`;
        throw invalidRequest("output_folder_missing", message, "output");
      }
      const code = await access(target).then(() => undefined, (error) => error.code);
      if (code === undefined) throw outputExists(path);
      if (code === "ENOENT") return target;
      const reason = code === "ENAMETOOLONG" ? "its name is too long" : `the disk rejects its name (${code})`;
      throw invalidField("output", `Cannot write ${show(path)}: ${reason}, choose another`);
    },
  };
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(() => true, () => false);
}

/** The error that a client gets when a write has failed. */
export function writeError(path: string, error: unknown): Error {
  const code = (error as { code?: string }).code;
  if (code === "EEXIST") return outputExists(path);
  const options = { cause: error };
  if (code === "ENOSPC" || code === "EDQUOT") {
    const message = "Cannot write a file: the disk is full, free some space and try again";
    return new SvcError("disk_full", message, options);
  }
  const message = "Cannot write a file: the disk refused it, the server's log has the reason";
  return new SvcError("write_failed", message, options);
}

function outputExists(path: string): SvcError {
  const message = `Cannot write ${show(path)}: the file exists already, choose another name`;
  return conflict("output_exists", message, "output");
}
