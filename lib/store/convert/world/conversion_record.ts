/**
 * What a conversion owns in its folder, and `conversion.json`, its record of that. Three kinds of files are its own: the
 * weights, the record, and what a killed run has left of either. Configurations, tokenizers, templates and licences are
 * written by it and belong to the user from then on: the record has what was written, so that a later run distinguishes
 * an edit from its own text. A field or file that was edited stays; the rest follows the sources. Other files are never
 * touched.
 *
 * @module
 */
import { SvcError } from "../../../errors/svc_error.ts";
import { isObject } from "../../../json/json_text.ts";
import { replaceFile } from "../../../platform/files/atomic_write.ts";
import { mkdir, readdir, readFile, rm } from "../../../platform/files/file_system.ts";
import { dirname, join } from "../../../platform/files/paths.ts";

/** Name of the record in the folder of a world. */
export const RECORD = "conversion.json";

/** Under this name it has what was written into files that the user may edit; all other names are those of parts. */
const WRITTEN = "files";

/** Configurations of at most so many bytes are merged field by field; larger files are kept or replaced whole. */
const MAX_MERGED = 64 * 2 ** 10;

type JsonObject = Readonly<Record<string, unknown>>;

/** What a conversion wrote into a file. */
interface WrittenFile {
  readonly sha256?: string;
  /** The fields, of a JSON object. */
  readonly content?: JsonObject;
}

/** The record of a folder while a conversion holds its lock. */
export interface ConversionRecord {
  readonly output: string;
  /** What {@linkcode RECORD} has by the names of parts. */
  readonly parts: Record<string, unknown>;
  readonly written: Record<string, WrittenFile>;
  /** What this run left as the user has it, such as `default_fps of base/config.json`. */
  readonly kept: string[];
}

/**
 * Reads the record.
 *
 * @throws {SvcError} `unsuitable_files` when it is there and no JSON object.
 */
export async function openRecord(output: string): Promise<ConversionRecord> {
  const { [WRITTEN]: written, ...parts } = await readOwn(output, RECORD) ?? {};
  return { output, parts, written: (isObject(written) ? written : {}) as Record<string, WrittenFile>, kept: [] };
}

/** Writes the record. */
export async function saveRecord({ output, parts, written }: ConversionRecord): Promise<void> {
  await replaceFile(join(output, RECORD), jsonBytes({ ...parts, [WRITTEN]: written }));
}

/**
 * Refuses configurations that cannot be read: rewriting them would lose the user's edits.
 *
 * @throws {SvcError} `unsuitable_files`.
 */
export async function checkConfig({ output }: ConversionRecord, path: string): Promise<void> {
  await readOwn(output, path);
}

/** Brings the fields of a part into a configuration that other parts have fields in, too. */
export async function writeConfig(record: ConversionRecord, path: string, fields: JsonObject): Promise<void> {
  // As the file has them: NaN and infinity become null.
  const next = JSON.parse(JSON.stringify(fields)) as JsonObject;
  const there = await readOwn(record.output, path);
  const before = there && record.written[path]?.content;
  const { merged, kept } = mergeFields(there ?? {}, before, next, false);
  record.kept.push(...kept.map((field) => `${field} of ${path}`));
  if (!isSame(merged, there)) await replaceFile(join(record.output, path), jsonBytes(merged));
  record.written[path] = { content: { ...before, ...next } };
}

/** Writes a file that is taken as it is, unless the user has edited the one that an earlier run wrote. */
export async function writeCopy(record: ConversionRecord, path: string, bytes: Uint8Array): Promise<void> {
  const target = join(record.output, path);
  const there = await readFile(target).catch(ignoreMissing);
  const sha256 = await hashOf(bytes);
  const found = there && await hashOf(there);
  const before = record.written[path];
  const content = objectIn(bytes);
  record.written[path] = { sha256, ...content && { content } };
  if (found === sha256) return;
  if (there === undefined || found === before?.sha256) {
    await mkdir(dirname(target), { recursive: true });
    return await replaceFile(target, bytes);
  }
  const edited = objectIn(there);
  if (!content || !edited) {
    record.kept.push(path);
    return;
  }
  const { merged, kept } = mergeFields(edited, before?.content, content, true);
  record.kept.push(...kept.map((field) => `${field} of ${path}`));
  if (!isSame(merged, edited)) await replaceFile(target, jsonBytes(merged));
}

/**
 * Removes the temporary files of runs that were killed; call it while holding the lock of the folder. Only names that a
 * conversion gives are looked at.
 *
 * @param paths The files that a conversion writes into the folder.
 */
export async function removeDeadWrites(output: string, paths: readonly string[]): Promise<void> {
  const temporary = /^\.(.+)\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/;
  const own = new Set([RECORD, "server.lock", ...paths]);
  for (const folder of new Set([...own].map(dirname))) {
    for (const name of await readdir(join(output, folder)).catch(() => [] as string[])) {
      const [, target] = temporary.exec(name) ?? [];
      if (target === undefined || !own.has(folder === "." ? target : `${folder}/${target}`)) continue;
      await rm(join(output, folder, name), { recursive: true, force: true });
    }
  }
}

/**
 * The fields of `next` in place of those that are as `before` had them; others are kept and named.
 *
 * @param before What the earlier run wrote; undefined where that is not known.
 * @param whole Whether fields that only `before` has are to go, too.
 */
function mergeFields(
  current: JsonObject,
  before: JsonObject | undefined,
  next: JsonObject,
  whole: boolean,
): { readonly merged: JsonObject; readonly kept: readonly string[] } {
  const merged: Record<string, unknown> = { ...current };
  const kept: string[] = [];
  for (const key of new Set([...Object.keys(next), ...whole ? Object.keys(before ?? {}) : []])) {
    const [ours, theirs, wanted] = [before, current, next].map((fields) =>
      fields !== undefined && Object.hasOwn(fields, key) ? fields[key] : undefined
    );
    if (isSame(theirs, wanted)) continue;
    if (isObject(theirs) && isObject(wanted)) {
      const inner = mergeFields(theirs, isObject(ours) ? ours : undefined, wanted, true);
      merged[key] = inner.merged;
      kept.push(...inner.kept.map((field) => `${key}.${field}`));
    } else if (!isSame(theirs, ours)) kept.push(key);
    else if (wanted === undefined) delete merged[key];
    else merged[key] = wanted;
  }
  return { merged, kept };
}

/** Whether two values of JSON are the same, whatever the order of their fields. */
function isSame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, i) => isSame(item, b[i]));
  if (!isObject(a) || !isObject(b)) return a === b;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]));
}

/** A JSON object of the folder; undefined where there is no file. */
async function readOwn(output: string, path: string): Promise<JsonObject | undefined> {
  const bytes = await readFile(join(output, path)).catch(ignoreMissing);
  if (bytes === undefined) return undefined;
  const object = parseObject(bytes);
  if (object) return object;
  throw new SvcError(
    "unsuitable_files",
    `Cannot write ${join(output, path)}: it is not a JSON object, expected one: correct it, or move it away`,
  );
}

function objectIn(bytes: Uint8Array): JsonObject | undefined {
  return bytes.length > MAX_MERGED ? undefined : parseObject(bytes);
}

function parseObject(bytes: Uint8Array): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function jsonBytes(value: JsonObject): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(value, undefined, 2)}\n`);
}

async function hashOf(bytes: Uint8Array): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array(bytes)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function ignoreMissing(error: { code?: string }): undefined {
  if (error.code !== "ENOENT") throw error;
}
