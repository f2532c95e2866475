/**
 * Fetches the results of a batch of rollouts into a folder.
 *
 * @module
 */
import { replaceFile } from "../../lib/platform/files/atomic_write.ts";
import { mkdir, rename, stat } from "../../lib/platform/files/file_system.ts";
import { join } from "../../lib/platform/files/paths.ts";
import { readUserFile } from "../../lib/platform/files/user_files.ts";
import { sha256 } from "../../lib/world/session/journal/chain_node.ts";
import { type Batch, fileLines } from "./submit_batch.ts";
import { ITEM } from "./read_specs.ts";

/** A rollout that has ended. */
type EndedRollout = ReturnType<Batch["results"]> extends AsyncIterable<infer T> ? T : never;

/** What a folder has now. */
interface FetchedBatch {
  /** Rollouts whose files are there. */
  readonly done: number;
  /** Files that were fetched now; the others were there already. */
  readonly fetched: number;
  /** How many were set aside, and the first of them. */
  readonly failed: number;
  readonly failures: readonly { readonly item: string; readonly reason: string }[];
}

/** Failed rollouts that are named, and characters of a result. */
const MAX_NAMED = 100;
const MAX_RESULT = 64 * 1024;

/** Attempts for a file whose hash is wrong. */
const TRIES = 3;

/**
 * Fetches the videos and last frames that a folder does not have, each whole or not at all, and writes `results.jsonl`
 * with what is known of each. An interrupted fetch resumes where it stopped.
 *
 * @throws {Error} when a file repeatedly arrives with a wrong hash.
 */
export async function fetchBatch(dataset: Batch, folder: string): Promise<FetchedBatch> {
  await mkdir(folder, { recursive: true });
  const partial = join(folder, "results.jsonl.partial");
  // A gateway does not wait with its answer while files are fetched.
  await replaceFile(partial, linesOf(dataset.results()));
  const failures: { readonly item: string; readonly reason: string }[] = [];
  const counts = { done: 0, fetched: 0, failed: 0 };
  for await (const line of fileLines(partial, MAX_RESULT)) {
    if (line === "") continue;
    const { item, phase, video, frame, reason = "unknown" } = JSON.parse(line) as EndedRollout;
    if (!ITEM.test(item)) throw new Error(`Cannot fetch rollout ${JSON.stringify(item)}: its name is no file's`);
    if (video && await fetchFile(dataset, item, "video", video, join(folder, `${item}.mp4`))) counts.fetched++;
    if (frame && await fetchFile(dataset, item, "frame", frame, join(folder, `${item}.png`))) counts.fetched++;
    counts[phase]++;
    if (phase === "failed" && failures.length < MAX_NAMED) failures.push({ item, reason });
  }
  await rename(partial, join(folder, "results.jsonl"));
  return { ...counts, failures };
}

async function* linesOf(results: AsyncIterable<EndedRollout>): AsyncGenerator<Uint8Array, void, void> {
  const encoder = new TextEncoder();
  for await (const result of results) yield encoder.encode(`${JSON.stringify(result)}\n`);
}

/** Whether it was not there. */
async function fetchFile(
  dataset: Batch,
  item: string,
  which: "video" | "frame",
  { sha256: hash, size }: NonNullable<EndedRollout["video"]>,
  path: string,
): Promise<boolean> {
  const isRight = async (bytes: Uint8Array | undefined): Promise<boolean> =>
    bytes?.length === size && await sha256(bytes) === hash;
  const known = await stat(path).catch(() => undefined);
  if (known?.size === size && await isRight(await readUserFile(path))) return false;
  for (let tries = 1; tries <= TRIES; tries++) {
    const bytes = await dataset.file(item, which);
    if (!await isRight(bytes)) continue;
    await replaceFile(path, bytes);
    return true;
  }
  throw new Error(`Cannot fetch the ${which} of rollout ${item}: it came with another hash ${TRIES} times`);
}
