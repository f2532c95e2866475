/**
 * Pages of long lists.
 *
 * @module
 */
import { invalidRequest } from "../errors/svc_error.ts";

/** Rows of a page that asks for no number, and of the longest one. */
const ROWS = 100;
const MOST_ROWS = 1000;

/** Which part of a list is asked for. */
export interface PageRequest {
  readonly limit: number;
  /** The position of the last row before the page; the first page without. */
  readonly after?: string | undefined;
}

/** A part of a list. */
export interface ListPage<T> {
  readonly rows: readonly T[];
  /** The position to ask for the rest with; undefined at the end. */
  readonly next?: string;
}

/**
 * Reads `limit` and `after` of a query.
 *
 * @throws {SvcError} `wrong_type` when `limit` is not a whole number from 1 to 1000, or `after` is too long.
 */
export function readPage(query: URLSearchParams): PageRequest {
  const after = query.get("after");
  const text = query.get("limit") ?? String(ROWS);
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MOST_ROWS) {
    const message = `Cannot list: limit is not a whole number from 1 to ${MOST_ROWS}, leave it out for ${ROWS}`;
    throw invalidRequest("wrong_type", message, "limit");
  }
  if (after !== null && (after === "" || after.length > 200)) {
    const message = "Cannot list: after is not a position, expected next_after of the page before";
    throw invalidRequest("wrong_type", message, "after");
  }
  return { limit, ...(after !== null && { after }) };
}

/**
 * The rows after a position. A position stays good when its row is gone.
 *
 * @param positionOf The position of a row: the list is sorted by it.
 */
export function pageOf<T>(
  all: Iterable<T>,
  { limit, after }: PageRequest,
  positionOf: (row: T) => string,
): ListPage<T> {
  const behind: { readonly at: string; readonly row: T }[] = [];
  for (const row of all) {
    const at = positionOf(row);
    if (after === undefined || at > after) behind.push({ at, row });
  }
  behind.sort((a, b) => a.at < b.at ? -1 : 1);
  const kept = behind.slice(0, limit);
  return { rows: kept.map(({ row }) => row), ...(behind.length > limit && { next: kept.at(-1)!.at }) };
}
