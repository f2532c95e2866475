/**
 * Answers to requests with an `Idempotency-Key` that outlive their process: what is kept of each, and the file.
 *
 * @module
 */
import * as v from "valibot";
import { joinBytes } from "../../../media/images/bytes.ts";
import { countField, idField } from "../../protocol/wire_fields.ts";
import { readRecords, RecordWriter } from "./journal_records.ts";
import type { JournalFile } from "./world_journal.ts";

/** What a request was, as far as two of them have to be equal. */
export interface Fingerprint {
  readonly target: string;
  /** Bytes of the body; absent when the handler did not look at it. */
  readonly length?: number;
  readonly digest: string;
}

/** An answer as it is given again. */
export interface GivenAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array<ArrayBuffer>;
}

/** A request with a key. */
export interface KeptRequest extends Fingerprint {
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The id of what it makes, which was chosen before it was made. */
  readonly id?: string;
  /** Absent while the request is being answered. */
  readonly answer?: GivenAnswer;
}

/** Keeps requests. */
export interface AnswerStore {
  /** Those that an earlier process has left, the oldest first; of one key the last one counts. */
  readonly found: readonly KeptRequest[];
  /**
   * Adds one.
   *
   * @param all Everything that is to be kept now, with this one, the oldest first.
   */
  keep(request: KeptRequest, all: () => readonly KeptRequest[]): Promise<void>;
}

/** Largest file that is read. */
const MAX_FILE = 128 * 2 ** 20;

/** The file is rewritten when it has grown by this many bytes, and by as many as it had then. */
const GROWTH = 2 ** 20;

/** What a key is made of. */
export const IDEMPOTENCY_KEY: RegExp = /^[\x21-\x7e]{1,255}$/;

const requestSchema = v.strictObject({
  key: v.pipe(v.string(), v.regex(IDEMPOTENCY_KEY)),
  at: v.number(),
  target: v.string(),
  length: v.exactOptional(countField),
  digest: v.string(),
  id: v.exactOptional(idField),
  answer: v.exactOptional(v.strictObject({
    status: v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(299)),
    headers: v.array(
      v.strictTuple([v.picklist(["content-type", "location"]), v.pipe(v.string(), v.regex(/^[ -~]*$/))]),
    ),
    body: v.pipe(v.string(), v.base64()),
  })),
});

/** Keeps answers in a file; those that are whole are found again, whatever has become of the rest. */
export class AnswerFile implements AnswerStore {
  readonly #file: JournalFile;
  readonly found: readonly KeptRequest[];
  #records = new RecordWriter();
  /** Bytes now, and when it was rewritten; 0 when it has to be. */
  #size = 0;
  #base = 0;
  #tail: Promise<void> = Promise.resolve();

  private constructor(file: JournalFile, found: readonly KeptRequest[]) {
    this.#file = file;
    this.found = found;
  }

  /** Reads what a file holds. */
  static async open(file: JournalFile): Promise<AnswerFile> {
    const { payloads } = readRecords(await file.read(MAX_FILE) ?? new Uint8Array());
    return new AnswerFile(file, payloads.flatMap((payload) => readRequest(payload) ?? []));
  }

  async keep(request: KeptRequest, all: () => readonly KeptRequest[]): Promise<void> {
    const done = this.#tail.then(() => this.#write(request, all));
    this.#tail = done.catch(() => {});
    await done;
  }

  async #write(request: KeptRequest, all: () => readonly KeptRequest[]): Promise<void> {
    const base = this.#base;
    this.#base = 0; // a partial write is followed by a rewrite
    if (base === 0 || this.#size > 2 * base + GROWTH) {
      const records = new RecordWriter();
      const parts = [records.start(), ...all().map((kept) => records.record(bytesOf(kept)))];
      await this.#file.replace(joinBytes(parts));
      this.#records = records;
      this.#size = this.#base = parts.reduce((sum, { length }) => sum + length, 0);
      return;
    }
    const bytes = this.#records.record(bytesOf(request));
    await this.#file.append(bytes, true);
    this.#size += bytes.length;
    this.#base = base;
  }
}

function bytesOf({ answer, ...request }: KeptRequest): Uint8Array {
  const body = answer && btoa(Array.from(answer.body, (byte) => String.fromCharCode(byte)).join(""));
  return new TextEncoder().encode(JSON.stringify({ ...request, ...(answer && { answer: { ...answer, body } }) }));
}

function readRequest(payload: Uint8Array): KeptRequest | undefined {
  try {
    const { answer, ...request } = v.parse(requestSchema, JSON.parse(new TextDecoder().decode(payload)));
    if (!answer) return request;
    return { ...request, answer: { ...answer, body: Uint8Array.from(atob(answer.body), (c) => c.charCodeAt(0)) } };
  } catch {
    return undefined; // of another version
  }
}
