/**
 * Ids of models, which are also the names of their folders, and paths below such a folder.
 *
 * @module
 */
import { show } from "../../errors/show.ts";
import { SvcError } from "../../errors/svc_error.ts";

const EXPECTED = "expected up to 96 lower-case letters, digits and . _ - that start and end with a letter or digit";

/** Names that Windows reserves for devices. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/;

/** Whether `id` is well-formed. */
export function isModelId(id: string): boolean {
  return id.length <= 96 && /^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/.test(id) && !DEVICE.test(id);
}

/** @throws {SvcError} `invalid_id`. */
export function checkModelId(id: string): string {
  if (isModelId(id)) return id;
  throw new SvcError("invalid_id", `Cannot use the model id ${show(id)}: ${EXPECTED}`);
}

/**
 * The default id of a repository: its own name without the owner, with the letters allowed in ids.
 *
 * @throws {SvcError} `invalid_id` when nothing is left of it.
 */
export function idOfRepository(repository: string): string {
  const name = repository.slice(repository.lastIndexOf("/") + 1).toLowerCase();
  return checkModelId(name.replace(/[^a-z0-9._-]+/g, "-").slice(0, 96).replace(/^[._-]+|(?<![._-])[._-]+$/g, ""));
}

/** Whether an untrusted path names a file below the model's folder on every system: plain names separated by `/`. */
export function isModelPath(path: string): boolean {
  return path.length <= 1024 && path.split("/").every(isPlainName);
}

/**
 * Neither hidden nor special: no `..`, no drive, no stream, no control characters, nothing that Windows would trim.
 */
function isPlainName(name: string): boolean {
  return name !== "" && name.length <= 255 && !/^\.|[. ]$|[\\:*?"<>|\p{Cc}]/u.test(name);
}
