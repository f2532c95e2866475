/**
 * Finds records of operations below a folder.
 *
 * @module
 */
import type { RunKind } from "../../api/service/run_recorder.ts";
import { readdir } from "../../platform/files/file_system.ts";
import { basename, join } from "../../platform/files/paths.ts";
import { readPart } from "../../platform/files/read_part.ts";
import { isHeld } from "../../platform/locks/lock_holder.ts";
import { lockFile, recordFile, RUN_KINDS, type RunRecordFile, type RunState } from "./run_layout.ts";

/** A record in a list, with the names of `svc run list --json`. */
export interface RunEntry {
  readonly id: string;
  readonly kind: RunKind;
  /** Folder of the record. */
  readonly path: string;
  readonly relative_path: string;
  readonly depth: number;
  /** Whether there is anything to look at: `active`, `ok`, `failed`, `cancelled`. */
  readonly status: "active" | "ok" | "failed" | "cancelled";
  /** `interrupted` when the process that wrote it is gone; `unreadable` when it is not a record. */
  readonly state: RunState | "interrupted" | "unreadable";
  readonly created_at?: string;
  readonly updated_at?: string;
  readonly summary: string;
  readonly command: string;
  /** Name of the file of the record. */
  readonly format: string;
  readonly event_count: number;
  readonly artifact_count: number;
  readonly diagnostic_count: number;
  readonly blocker_count: number;
  readonly actions: readonly string[];
}

/** What a search has found. */
export interface RunList {
  readonly root: string;
  readonly scanned_directory_count: number;
  /** Of all records found. */
  readonly entry_count: number;
  /** The newest first. */
  readonly entries: readonly RunEntry[];
}

/** Bounds of a search. */
export interface ListOptions {
  /** How many folders deep; 0 is the folder itself. */
  readonly maxDepth: number;
  /** Most entries of the list. */
  readonly limit: number;
}

/** Most folders that are looked into: more are not a folder of records. */
const MAX_FOLDERS = 100_000;

/** Longest record: it holds a prompt and some numbers. */
const MAX_RECORD_BYTES = 4 * 2 ** 20;

/**
 * Searches a folder; links are not followed.
 *
 * @param root An absolute path.
 * @throws the system's error when it cannot be read.
 */
export async function listRuns(root: string, { maxDepth, limit }: ListOptions): Promise<RunList> {
  const entries: RunEntry[] = [];
  let folders: string[] = [""];
  let scanned = 0;
  for (let depth = 0; depth <= maxDepth && folders.length > 0; depth++) {
    const below: string[] = [];
    for (const folder of folders) {
      if (++scanned > MAX_FOLDERS) throw new Error(`it has more than ${MAX_FOLDERS} folders`);
      const found = await readdir(join(root, folder), { withFileTypes: true }).catch((error) => {
        if (depth === 0) throw error;
        return []; // removed meanwhile, or not ours
      });
      const kind = RUN_KINDS.find((kind) => found.some((one) => one.name === recordFile(kind) && one.isFile()));
      if (kind) entries.push(await readEntry(root, folder, depth, kind));
      else below.push(...found.filter((one) => one.isDirectory()).map(({ name }) => join(folder, name)));
    }
    folders = below;
  }
  entries.sort((a, b) => (b.created_at ?? "").localeCompare(a.created_at ?? "") || a.id.localeCompare(b.id));
  return { root, scanned_directory_count: scanned, entry_count: entries.length, entries: entries.slice(0, limit) };
}

async function readEntry(root: string, folder: string, depth: number, kind: RunKind): Promise<RunEntry> {
  const path = join(root, folder);
  const record = await readRecord(join(path, recordFile(kind)));
  const state = await stateOf(path, kind, record);
  return {
    id: record?.id ?? basename(path).replace(`${kind}-`, ""),
    kind,
    path,
    relative_path: folder === "" ? "." : folder,
    depth,
    status: statuses[state],
    state,
    ...record && { created_at: record.createdAt, updated_at: record.updatedAt },
    summary: summaryOf(kind, record),
    command: "svc api serve",
    format: recordFile(kind),
    event_count: 0,
    artifact_count: record?.artifacts.length ?? 0,
    diagnostic_count: record && !record.issue ? 0 : 1,
    blocker_count: 0,
    actions: [],
  };
}

async function stateOf(path: string, kind: RunKind, record: RunRecordFile | undefined): Promise<RunEntry["state"]> {
  if (!record) return "unreadable";
  if (!isOpen(record) || await isHeld(join(path, lockFile(kind)))) return record.state;
  // It may have ended between the two looks.
  const now = await readRecord(join(path, recordFile(kind)));
  return !now || isOpen(now) ? "interrupted" : now.state;
}

function isOpen({ state }: RunRecordFile): boolean {
  return state === "preparing" || state === "running";
}

const statuses: Readonly<Record<RunEntry["state"], RunEntry["status"]>> = {
  preparing: "active",
  running: "active",
  succeeded: "ok",
  failed: "failed",
  cancelled: "cancelled",
  interrupted: "failed",
  unreadable: "failed",
};

async function readRecord(path: string): Promise<RunRecordFile | undefined> {
  try {
    const bytes = await readPart(path, 0, MAX_RECORD_BYTES);
    const record = JSON.parse(new TextDecoder().decode(bytes)) as RunRecordFile;
    const texts = [record.id, record.createdAt, record.updatedAt, record.state];
    const isOne = texts.every((text) => typeof text === "string") && Object.hasOwn(statuses, record.state) &&
      Array.isArray(record.artifacts) && typeof record.requested === "object" && record.requested !== null;
    return isOne ? record : undefined;
  } catch {
    return undefined;
  }
}

/** What a person recognises an operation by: its model and its prompt or its reason to fail. */
function summaryOf(kind: RunKind, record: RunRecordFile | undefined): string {
  if (!record) return "the record cannot be read";
  const { effective = {}, requested, issue } = record;
  const model = String(effective["model"] ?? requested["model"] ?? "");
  const about = issue?.message ?? (kind === "image" ? requested["prompt"] : effective["format"]) ?? "";
  const text = [model, String(about)].filter((word) => word !== "").join(": ");
  return text.length > 120 ? `${text.slice(0, 117)}...` : text;
}
