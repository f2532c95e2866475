/**
 * Files of rollout specs: one JSON object per line.
 *
 * @module
 */
import { invalidRequest, SvcError } from "../../lib/errors/svc_error.ts";
import { readRolloutRequest } from "../../lib/world/protocol/requests/rollout_request.ts";

/** Characters of a line. */
export const MAX_LINE: number = 64 * 1024;

/** Rollouts of a dataset. */
export const MAX_SPECS = 1_000_000;

/** A spec that is one. */
export interface ReadSpec {
  /** Its line in the file, from 1. */
  readonly line: number;
  /** Its `id`, else made of the number of its line. */
  readonly item: string;
  /** A file of the submitter's machine, or the SHA-256 of an image that was uploaded. */
  readonly source?: string | undefined;
  /** The request without `id` and `source`. */
  readonly request: Readonly<Record<string, unknown>>;
}

/** What names of rollouts in a dataset look like. */
export const ITEM: RegExp = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/**
 * Checks every line.
 *
 * @param first Number of the first line.
 * @throws {SvcError} with the number of the first line that is wrong.
 */
export function readSpecs(text: string, first = 1): ReadSpec[] {
  const specs: ReadSpec[] = [];
  const reader = new SpecReader();
  let start = 0;
  for (let line = first; start <= text.length; line++) {
    const found = text.indexOf("\n", start);
    const end = found === -1 ? text.length : found;
    const spec = reader.read(text.slice(start, end), line);
    start = end + 1;
    if (spec) specs.push(spec);
  }
  reader.end(first);
  return specs;
}

/** Checks lines one after another, and keeps their ids alone. */
export class SpecReader {
  readonly #seen = new Map<string, number>();

  /** Specs so far. */
  get count(): number {
    return this.#seen.size;
  }

  /**
   * The spec of a line; undefined where it is empty.
   *
   * @throws {SvcError} when it is wrong, or its id is that of another one.
   */
  read(text: string, line: number): ReadSpec | undefined {
    if (text.length > MAX_LINE) throw wrong(line, `it has more than ${MAX_LINE} characters, expected fewer`);
    const content = text.trim();
    if (content === "") return undefined;
    const spec = readSpec(content, line);
    const before = this.#seen.get(spec.item);
    if (before !== undefined) throw wrong(line, `its id ${spec.item} is that of line ${before}`);
    this.#seen.set(spec.item, line);
    if (this.count > MAX_SPECS) throw wrong(line, `a dataset has at most ${MAX_SPECS} rollouts`);
    return spec;
  }

  /** @throws {SvcError} when there was no spec. */
  end(first = 1): void {
    if (this.count === 0) throw wrong(first, "there is none, expected one JSON object per line");
  }
}

function readSpec(content: string, line: number): ReadSpec {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    throw wrong(line, "it is not JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw wrong(line, "it is not a JSON object");
  const { id, source, ...request } = value as Record<string, unknown>;
  const item = id === undefined ? `line-${String(line).padStart(6, "0")}` : id;
  if (typeof item !== "string" || !ITEM.test(item)) {
    throw wrong(line, "its id is invalid, expected 1 to 64 letters, digits, hyphens and underscores");
  }
  if (source !== undefined && (typeof source !== "string" || source === "" || source.length > 4096)) {
    throw wrong(line, "its source is invalid, expected the path of an image");
  }
  try {
    const { sourceImage, output } = readRolloutRequest(request);
    if (sourceImage !== undefined || output !== undefined) {
      throw wrong(line, "it has a source_image or an output, which are files of a server: use source");
    }
  } catch (error) {
    if (error instanceof SvcError && error.code !== "invalid_rollout_spec") throw wrong(line, error.message);
    throw error;
  }
  return { line, item, ...(source !== undefined && { source }), request };
}

function wrong(line: number, reason: string): SvcError {
  return invalidRequest("invalid_rollout_spec", `Cannot use line ${line} of the specs: ${reason}`);
}
