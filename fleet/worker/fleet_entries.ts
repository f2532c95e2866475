/**
 * What a worker writes into the journal of a world in a fleet: the bytes of the world's own journal, the names of the
 * files that they speak of, the requests that they come from, and the answers to those.
 *
 * @module
 */
import * as v from "valibot";
import { joinBytes } from "../../lib/media/images/bytes.ts";

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
export type FleetHead =
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
