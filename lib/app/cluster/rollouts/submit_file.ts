/**
 * Submits a file of rollout specs.
 *
 * @module
 */
import { stat } from "../../../platform/files/file_system.ts";
import { dirname, resolve } from "../../../platform/files/paths.ts";
import { readUserFile } from "../../../platform/files/user_files.ts";
import { UsageError } from "../../../platform/terminal/flags.ts";
import { MAX_IMAGE_BYTES } from "../../../media/images/image_limits.ts";
import type { RolloutDataset } from "./rollout_dataset.ts";
import { MAX_LINE, readSpecs } from "./read_specs.ts";

/** Bytes of a file of specs. */
const MAX_FILE = 512 * 2 ** 20;

/** Lines and characters of one request. */
const LINES = 5000;
const CHARACTERS = 4 * 2 ** 20 - MAX_LINE;

/** What has become of the specs of a file. */
export interface Submitted {
  readonly specs: number;
  /** Those that the dataset did not have. */
  readonly added: number;
}

/**
 * Submits all specs of a file, after all were checked; again, it adds only those that are missing. The `source` of a
 * spec is an image beside the file.
 *
 * @throws {SvcError} with the number of the first line that is wrong.
 */
export async function submitFile(dataset: RolloutDataset, path: string, pool: string | undefined): Promise<Submitted> {
  const size = (await stat(path).catch(() => undefined))?.size ?? 0;
  if (size > MAX_FILE) {
    throw new UsageError(`Cannot submit ${path}: it has ${size} bytes, expected at most ${MAX_FILE}`);
  }
  const bytes = await readUserFile(path);
  if (!bytes) throw new UsageError(`Cannot submit ${path}: the file does not exist`);
  const specs = readSpecs(new TextDecoder().decode(bytes));
  const images = new Map<string, Uint8Array>();
  for (const { source, line } of specs) {
    if (source === undefined || images.has(source)) continue;
    const image = resolve(dirname(path), source);
    const length = (await stat(image).catch(() => undefined))?.size;
    if (length === undefined || length > MAX_IMAGE_BYTES) {
      const found = length === undefined
        ? "does not exist"
        : `has ${length} bytes, expected at most ${MAX_IMAGE_BYTES}`;
      throw new UsageError(`Cannot use line ${line} of the specs: its source ${source} ${found}`);
    }
    images.set(source, new Uint8Array());
  }
  const hashes = new Map<string, string>();
  for (const source of images.keys()) {
    const image = await readUserFile(resolve(dirname(path), source));
    if (!image) throw new Error(`Cannot upload ${source}: the file is gone`);
    hashes.set(source, (await dataset.addSource(image)).sha256);
  }
  let added = 0;
  for (let i = 0; i < specs.length;) {
    const first = specs[i].line;
    const lines: string[] = [];
    for (let length = 0; i < specs.length && length < CHARACTERS && lines.length < LINES; i++) {
      const { line, item, source, request } = specs[i];
      while (lines.length < line - first) lines.push(""); // so that the gateway counts as the file does
      const hash = source === undefined ? {} : { source: hashes.get(source) };
      lines.push(JSON.stringify({ ...request, id: item, ...hash }));
      length += lines.at(-1)!.length;
    }
    const given = { firstLine: first, ...(pool !== undefined && { pool }) };
    added += (await dataset.submit(lines.join("\n"), given)).added;
  }
  return { specs: specs.length, added };
}
