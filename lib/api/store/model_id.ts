/**
 * Ids of models: also the names of their folders, so they are the same on every file system.
 *
 * @module
 */
import { show } from "../../errors/show.ts";
import { SvcError } from "../../errors/svc_error.ts";

const EXPECTED = "expected up to 96 lower-case letters, digits and . _ - that begin and end with a letter or digit";

/** Names that Windows keeps for devices. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/;

/** Whether `id` has the form of an id. */
export function isModelId(id: string): boolean {
  return id.length <= 96 && /^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/.test(id) && !DEVICE.test(id);
}

/** @throws {SvcError} `invalid_id`. */
export function checkModelId(id: string): string {
  if (isModelId(id)) return id;
  throw new SvcError("invalid_id", `Cannot use the model id ${show(id)}: ${EXPECTED}`);
}

/**
 * The id of a repository that nobody has named: its own name without the owner, in the letters of ids.
 *
 * @throws {SvcError} `invalid_id` when nothing is left of it.
 */
export function idOfRepository(repository: string): string {
  const name = repository.slice(repository.lastIndexOf("/") + 1).toLowerCase();
  return checkModelId(name.replace(/[^a-z0-9._-]+/g, "-").slice(0, 96).replace(/^[._-]+|[._-]+$/g, ""));
}
