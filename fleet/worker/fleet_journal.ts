/**
 * The journal of a world in the broker of a fleet, in the place of a file: what it has not taken has not happened.
 *
 * An entry has the bytes of the world's own journal, the names of the files that they speak of, the requests that they
 * come from, and the answers to those.
 *
 * @module
 */
import type { BlobStore } from "../files/blob_store.ts";
import type { JournalEntry, JournalStore } from "../protocol/broker.ts";
import type { FencedLog } from "../protocol/fenced_log.ts";
import { sha256 } from "../../lib/world/session/journal/chain_node.ts";
import type { JournalFile } from "../../lib/world/session/journal/world_journal.ts";
import type { FleetFiles } from "./fleet_files.ts";
import * as v from "valibot";
import { joinBytes } from "../../lib/media/images/join_bytes.ts";

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

/** A file of a world as a blob. */
export interface FleetFile {
  readonly sha256: string;
  readonly size: number;
}

/** A request with an Idempotency-Key that has changed a world. */
export interface FleetRequest {
  readonly key: string;
  /** Method and path. */
  readonly target: string;
  /** SHA-256 of its body. */
  readonly digest: string;
  /** Of a move, which another worker may have to make again: its job, and its body. */
  readonly move?: { readonly job: string; readonly body: string } | undefined;
}

/** An answer to such a request. */
export interface FleetAnswer {
  readonly key: string;
  readonly target: string;
  readonly digest: string;
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

/** An entry without its bytes. */
type FleetHead =
  | { readonly kind: "owner"; readonly worker: string }
  | {
    /** `base` takes the place of all bytes before it. */
    readonly kind: "base" | "more";
    /** Bytes that are a blob; else they follow. */
    readonly blob?: FleetFile | undefined;
    readonly files: readonly (readonly [string, FleetFile])[];
    readonly removed: readonly string[];
    readonly request?: FleetRequest | undefined;
    /** Of a base: those that are kept. */
    readonly answers?: readonly FleetAnswer[] | undefined;
    /** Of a base: requests that have changed the world, and whose answers are not known. */
    readonly open?: readonly FleetRequest[] | undefined;
  }
  | { readonly kind: "answer"; readonly answer: FleetAnswer };

const text = v.string();
const hash = v.pipe(text, v.regex(/^[0-9a-f]{64}$/));
const file = v.object({ sha256: hash, size: v.pipe(v.number(), v.integer(), v.minValue(0)) });
const key = { key: text, target: text, digest: text };
const answer = v.object({
  ...key,
  status: v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(299)),
  headers: v.array(v.tuple([text, text])),
  body: text,
});
const request = v.object({ ...key, move: v.exactOptional(v.object({ job: text, body: text })) });
const headSchema = v.variant("kind", [
  v.object({ kind: v.literal("owner"), worker: text }),
  v.object({
    kind: v.picklist(["base", "more"]),
    blob: v.exactOptional(file),
    files: v.array(v.tuple([v.pipe(text, v.regex(/^[\w-][\w.-]*(\/[\w-][\w.-]*)?$/)), file])),
    removed: v.array(text),
    request: v.exactOptional(request),
    answers: v.exactOptional(v.array(answer)),
    open: v.exactOptional(v.array(request)),
  }),
  v.object({ kind: v.literal("answer"), answer }),
]);

/** An entry as bytes: a line of JSON, then the bytes of the world's journal. */
export function encodeEntry(head: FleetHead, bytes: Uint8Array = new Uint8Array()): Uint8Array<ArrayBuffer> {
  return joinBytes([new TextEncoder().encode(`${JSON.stringify(head)}\n`), bytes]);
}

/**
 * An entry from bytes.
 *
 * @throws {Error} when it is none of this version.
 */
export function decodeEntry(data: Uint8Array): { readonly head: FleetHead; readonly bytes: Uint8Array } {
  const end = data.indexOf(10);
  const line = new TextDecoder().decode(data.subarray(0, end));
  const head = v.safeParse(headSchema, end < 0 ? undefined : JSON.parse(line));
  if (!head.success) throw new Error("Cannot read the journal of a world: an entry is damaged or of another version");
  return { head: head.output as FleetHead, bytes: data.subarray(end + 1) };
}
