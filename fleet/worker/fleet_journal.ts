/**
 * The journal of a world in the broker of a fleet, in the place of a file: what it has not taken has not happened.
 *
 * @module
 */
import type { BlobStore } from "../files/blob_store.ts";
import type { JournalEntry, JournalStore } from "../protocol/broker.ts";
import type { FencedLog } from "../protocol/fenced_log.ts";
import { sha256 } from "../../lib/world/session/journal/chain_node.ts";
import type { JournalFile } from "../../lib/world/session/journal/world_journal.ts";
import { decodeEntry, encodeEntry, type FleetAnswer, type FleetFile, type FleetRequest } from "./fleet_entries.ts";
import type { FleetFiles } from "./fleet_files.ts";

/** Bytes of a journal that travel in a message; more become a blob. */
const INLINE = 256 * 1024;

/** Answers that a world keeps. */
const ANSWERS = 200;

/** What the entries of a world say. */
interface FoundEntries {
  /** The world's own journal. */
  readonly bytes: Uint8Array;
  readonly files: ReadonlyMap<string, FleetFile>;
  readonly answers: readonly FleetAnswer[];
  /** Requests that have changed the world and whose answers are not known, the oldest first. */
  readonly open: readonly FleetRequest[];
  /** The newest move; its job may not have ended. */
  readonly move: FleetRequest | undefined;
}

/**
 * Reads the entries of a world.
 *
 * @throws {Error} when a blob is missing or damaged, or an entry is.
 */
export async function readEntries(entries: readonly JournalEntry[], blobs: BlobStore): Promise<FoundEntries> {
  let parts: Uint8Array[] = [];
  const files = new Map<string, FleetFile>();
  const answers = new Map<string, FleetAnswer>();
  const open = new Map<string, FleetRequest>();
  let move: FleetRequest | undefined;
  for (const { data } of entries) {
    const { head, bytes } = decodeEntry(data);
    if (head.kind === "owner") continue;
    if (head.kind === "answer") {
      answers.set(head.answer.key, head.answer);
      open.delete(head.answer.key);
      continue;
    }
    if (head.kind === "base") {
      parts = [];
      files.clear();
    }
    for (const request of head.open ?? []) open.set(request.key, request);
    for (const answer of head.answers ?? []) answers.set(answer.key, answer);
    for (const name of head.removed) files.delete(name);
    for (const [name, file] of head.files) files.set(name, file);
    if (head.request && !answers.has(head.request.key)) open.set(head.request.key, head.request);
    if (head.request?.move) move = head.request;
    parts.push(head.blob ? await blobOf(head.blob, blobs) : bytes);
  }
  const bytes = new Uint8Array(await new Blob(parts as Uint8Array<ArrayBuffer>[]).arrayBuffer());
  return { bytes, files, answers: [...answers.values()], open: [...open.values()], move };
}

async function blobOf({ sha256: expected, size }: FleetFile, blobs: BlobStore): Promise<Uint8Array> {
  const bytes = await blobs.get(expected);
  if (!bytes || bytes.length !== size || await sha256(bytes) !== expected) {
    throw new Error("Cannot read the journal of a world: a blob is missing or damaged");
  }
  return bytes;
}

/** What a journal works with. */
interface FleetJournalOptions {
  readonly log: FencedLog;
  readonly journals: JournalStore;
  readonly session: string;
  readonly blobs: BlobStore;
  readonly files: FleetFiles;
  readonly found: FoundEntries;
  /** The request that the present work belongs to; asked once for each. */
  readonly request: () => FleetRequest | undefined;
}

/** Writes the journal of a world into the broker. */
export class FleetJournal implements JournalFile {
  readonly #options: FleetJournalOptions;
  readonly #answers: Map<string, FleetAnswer>;
  readonly #open: Map<string, FleetRequest>;
  #move: FleetRequest | undefined;

  constructor(options: FleetJournalOptions) {
    this.#options = options;
    this.#answers = new Map(options.found.answers.map((answer) => [answer.key, answer]));
    this.#open = new Map(options.found.open.map((request) => [request.key, request]));
    this.#move = options.found.move;
  }

  /** The answer to a request with this key. */
  answer(key: string): FleetAnswer | undefined {
    return this.#answers.get(key);
  }

  /** A request that has changed the world, and whose answer is not known. */
  unanswered(key: string): FleetRequest | undefined {
    return this.#open.get(key);
  }

  read(limit: number): Promise<Uint8Array | undefined> {
    const { bytes } = this.#options.found;
    return Promise.resolve(bytes.length > 0 && bytes.length <= limit ? bytes : undefined);
  }

  async append(bytes: Uint8Array): Promise<void> {
    await this.#write("more", bytes);
  }

  async replace(bytes: Uint8Array): Promise<void> {
    const sequence = await this.#write("base", bytes);
    const { journals, session } = this.#options;
    await journals.trim(session, sequence).catch(() => {}); // the next base does it too
  }

  setAside(): Promise<void> {
    return Promise.resolve(); // the entries stay until the next base
  }

  /** Keeps the answer to a request. */
  async answered(answer: FleetAnswer): Promise<void> {
    await this.#options.log.append(encodeEntry({ kind: "answer", answer }));
    this.#answers.set(answer.key, answer);
    this.#open.delete(answer.key);
    for (const key of this.#answers.keys()) {
      if (this.#answers.size <= ANSWERS) break;
      this.#answers.delete(key);
    }
  }

  async #write(kind: "base" | "more", bytes: Uint8Array): Promise<number> {
    const { log, blobs, files } = this.#options;
    const request = this.#options.request() ?? (kind === "base" ? this.#move : undefined);
    const changes = await files.changes();
    const isBase = kind === "base";
    const blob = bytes.length > INLINE ? { sha256: await sha256(bytes), size: bytes.length } : undefined;
    if (blob) await blobs.put(blob.sha256, bytes);
    const head = {
      kind,
      files: isBase ? [...files.known] : changes.files,
      removed: isBase ? [] : changes.removed,
      ...(blob && { blob }),
      ...(request && { request }),
      ...(isBase && { answers: fitting([...this.#answers.values()]), open: [...this.#open.values()] }),
    };
    const sequence = await log.append(encodeEntry(head, blob ? undefined : bytes));
    if (request && !this.#answers.has(request.key)) this.#open.set(request.key, request);
    if (request?.move) this.#move = request;
    return sequence;
  }
}

/** The newest answers that fit into a message beside its other parts. */
function fitting(answers: readonly FleetAnswer[]): FleetAnswer[] {
  let size = 0;
  const kept: FleetAnswer[] = [];
  for (const answer of answers.toReversed()) {
    size += answer.body.length + 500;
    if (size > INLINE) break;
    kept.unshift(answer);
  }
  return kept;
}
