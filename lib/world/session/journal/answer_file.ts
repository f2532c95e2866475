/**
 * Answers to requests with an `Idempotency-Key`, in a file.
 *
 * @module
 */
import * as v from "valibot";
import { joinBytes } from "../../../media/images/bytes.ts";
import type { AnswerStore, KeptRequest } from "../answer_store.ts";
import { countField, idField } from "../../protocol/wire_fields.ts";
import { readRecords, RecordWriter } from "./journal_records.ts";
import type { JournalFile } from "./world_journal.ts";

/** Largest file that is read. */
const MAX_FILE = 128 * 2 ** 20;

/** The file is written anew when it has grown by this many bytes, and by as many as it had then. */
const GROWTH = 2 ** 20;

const requestSchema = v.strictObject({
  key: v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,255}$/)),
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
  /** Bytes now, and when it was written anew; 0 when it has to be. */
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
    this.#base = 0; // what is not written whole is written anew
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
