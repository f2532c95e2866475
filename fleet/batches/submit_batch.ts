/**
 * Submits a batch of rollouts: a file of specs, read line by line.
 *
 * @module
 */
import { stat } from "../../lib/platform/files/file_system.ts";
import { dirname, resolve } from "../../lib/platform/files/paths.ts";
import { readUserFile } from "../../lib/platform/files/user_files.ts";
import { UsageError } from "../../lib/platform/terminal/flags.ts";
import { MAX_IMAGE_BYTES } from "../../lib/media/images/image_format.ts";
import type { WorldClient } from "../../lib/world/client/world_client.ts";
import { MAX_LINE, type ReadSpec, SpecReader } from "./read_specs.ts";
import { openFile } from "../../lib/platform/files/open_file.ts";

/** The rollouts of a fleet under one name. */
export type Batch = ReturnType<WorldClient["rollouts"]>;

/** Lines and characters of one request. */
const LINES = 5000;
const CHARACTERS = 4 * 2 ** 20 - MAX_LINE;

/** What has become of the specs of a file. */
interface Submitted {
  readonly specs: number;
  /** Those that the dataset did not have. */
  readonly added: number;
}

/**
 * Submits all specs of a file, after all were checked; again, it adds only those that are missing. The `source` of a
 * spec is an image beside the file. The file is read twice, and never kept.
 *
 * @throws {SvcError} with the number of the first line that is wrong.
 */
export async function submitBatch(dataset: Batch, path: string, pool: string | undefined): Promise<Submitted> {
  const hashes = await addSources(dataset, path, await checkFile(path));
  let specs = 0;
  let added = 0;
  let lines: string[] = [];
  let firstLine = 1;
  let length = 0;
  const send = async (): Promise<void> => {
    if (length > 0) added += (await dataset.submit(lines.join("\n"), { firstLine, ...(pool && { pool }) })).added;
    lines = [];
    length = 0;
  };
  for await (const { line, item, source, request } of specsOf(path)) {
    if (length === 0) firstLine = line;
    while (lines.length < line - firstLine) lines.push(""); // so that the gateway counts as the file does
    const hash = source === undefined ? {} : { source: hashes.get(source) };
    lines.push(JSON.stringify({ ...request, id: item, ...hash }));
    length += lines.at(-1)!.length;
    specs++;
    if (length >= CHARACTERS || lines.length >= LINES) await send();
  }
  await send();
  return { specs, added };
}

/** Checks a file; resolves with the sources that it names. */
async function checkFile(path: string): Promise<ReadonlySet<string>> {
  const sources = new Set<string>();
  for await (const { source, line } of specsOf(path)) {
    if (source === undefined || sources.has(source)) continue;
    const size = (await stat(resolve(dirname(path), source)).catch(() => undefined))?.size;
    if (size === undefined || size > MAX_IMAGE_BYTES) {
      const found = size === undefined ? "does not exist" : `has ${size} bytes, expected at most ${MAX_IMAGE_BYTES}`;
      throw new UsageError(`Cannot use line ${line} of the specs: its source ${source} ${found}`);
    }
    sources.add(source);
  }
  return sources;
}

/** Uploads images; resolves with their hashes. */
async function addSources(
  dataset: Batch,
  path: string,
  sources: Iterable<string>,
): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  for (const source of sources) {
    const image = await readUserFile(resolve(dirname(path), source));
    if (!image) throw new Error(`Cannot upload ${source}: the file is gone`);
    hashes.set(source, (await dataset.addSource(image)).sha256);
  }
  return hashes;
}

async function* specsOf(path: string): AsyncGenerator<ReadSpec, void, void> {
  const reader = new SpecReader();
  let line = 0;
  for await (const text of fileLines(path, MAX_LINE)) {
    const spec = reader.read(text, ++line);
    if (spec) yield spec;
  }
  reader.end();
}

/**
 * Reads the lines of a file on demand.
 *
 * @param most Characters of a line: of a longer one only the beginning is returned, with more characters than these, and
 * nothing else.
 * @throws {UsageError} when there is no such file.
 */
export async function* fileLines(path: string, most: number): AsyncGenerator<string, void, void> {
  const file = await openFile(path);
  if (!file) throw new UsageError(`Cannot read ${path}: there is no such file`);
  const decoder = new TextDecoder();
  let rest = "";
  if (file.size > 0) {
    for await (const part of file.stream(0, file.size - 1)) {
      const lines = (rest + decoder.decode(part, { stream: true })).split("\n");
      rest = lines.pop()!;
      yield* lines;
      if (rest.length > most) return yield rest;
    }
  }
  yield rest + decoder.decode();
}
