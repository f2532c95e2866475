/**
 * Takes multipart bodies apart while they arrive. Parsers in common use pass over parts that they do not understand; this
 * one refuses them, since a field that is lost would change the answer.
 *
 * @module
 */
import { type PartHead, readPartHead } from "./part_head.ts";
import { invalidRequest } from "../../errors/make_error.ts";
import type { SvcError } from "../../errors/svc_error.ts";

/** What comes next in a body. */
export type PartEvent =
  | { readonly kind: "head"; readonly head: PartHead }
  /** A view of the chunk or of memory that the next call reuses. */
  | { readonly kind: "data"; readonly bytes: Uint8Array }
  | { readonly kind: "end" };

/** Bytes of the headers of one part, and of what may stand before the first one. */
const MAX_HEAD = 8 * 1024;
const MAX_PREAMBLE = 1024;
/** Spaces after a boundary, which mail gateways add. */
const MAX_PADDING = 64;

const CR = 13;
const LF = 10;
const DASH = 45;

/** Parses one body; its work is proportional to the number of bytes, whatever they are and however they are cut. */
export class MultipartParser {
  readonly #delimiter: Uint8Array;
  #state: "preamble" | "boundary" | "head" | "body" | "done" = "preamble";
  /** Bytes that cannot be judged before more have come; at first the line break that the first boundary lacks. */
  #rest: Uint8Array = new Uint8Array([CR, LF]);
  #preamble = 0;

  constructor(boundary: string) {
    this.#delimiter = new TextEncoder().encode(`\r\n--${boundary}`);
  }

  /**
   * The events of the next bytes of the body.
   *
   * @throws {SvcError} 400 `invalid_multipart`.
   */
  *feed(chunk: Uint8Array): Generator<PartEvent> {
    const bytes = this.#rest.length === 0 ? chunk : joined(this.#rest, chunk);
    let at = 0;
    while (this.#state !== "done") {
      if (this.#state === "preamble" || this.#state === "body") {
        const { end, found } = this.#find(bytes, at);
        if (this.#state === "preamble") this.#skip(end - at);
        else if (end > at) yield { kind: "data", bytes: bytes.subarray(at, end) };
        at = end;
        if (!found) break;
        if (this.#state === "body") yield { kind: "end" };
        this.#state = "boundary";
        at += this.#delimiter.length;
      } else if (this.#state === "boundary") {
        const next = this.#afterBoundary(bytes, at);
        if (next === undefined) break;
        at = next;
      } else {
        const end = endOfHead(bytes, at);
        if ((end ?? bytes.length) - at > MAX_HEAD) {
          throw wrong(`the headers of a part have more than ${MAX_HEAD} bytes`);
        }
        if (end === undefined) break;
        yield { kind: "head", head: readPartHead(bytes.subarray(at, end)) };
        this.#state = "body";
        at = end + 4;
      }
    }
    this.#rest = this.#state === "done" ? new Uint8Array() : bytes.slice(at);
  }

  /**
   * Ends the body.
   *
   * @throws {SvcError} 400 `invalid_multipart` when its last boundary has not come.
   */
  finish(): void {
    if (this.#state !== "done") throw wrong("it ends before its last boundary");
  }

  /** What precedes the first boundary is for mail programs without an idea of parts. */
  #skip(bytes: number): void {
    this.#preamble += bytes;
    if (this.#preamble > MAX_PREAMBLE) throw wrong(`it has more than ${MAX_PREAMBLE} bytes before its first boundary`);
  }

  /** Where the line after a boundary ends; undefined when its end has not come. */
  #afterBoundary(bytes: Uint8Array, at: number): number | undefined {
    let next = at;
    while (bytes[next] === 32 || bytes[next] === 9) next++;
    if (next - at > MAX_PADDING) throw wrong("a boundary is followed by too many spaces");
    if (bytes.length - next < 2) return undefined;
    const [first, second] = [bytes[next], bytes[next + 1]];
    if (first === DASH && second === DASH && next === at) this.#state = "done";
    else if (first === CR && second === LF) this.#state = "head";
    else throw wrong("a boundary is followed by other text");
    return next + 2;
  }

  /** Where the next delimiter starts, or what may be the start of one at the end of the bytes. */
  #find(bytes: Uint8Array, from: number): { readonly end: number; readonly found: boolean } {
    for (let at = bytes.indexOf(CR, from); at >= 0; at = bytes.indexOf(CR, at)) {
      let i = 1;
      while (i < this.#delimiter.length && bytes[at + i] === this.#delimiter[i]) i++;
      if (i === this.#delimiter.length) return { end: at, found: true };
      if (at + i >= bytes.length) return { end: at, found: false };
      // Its first byte is the only CR of a delimiter, so the next one starts behind what matched.
      at += i;
    }
    return { end: bytes.length, found: false };
  }
}

/** Where the empty line after headers starts; undefined when it has not come. */
function endOfHead(bytes: Uint8Array, from: number): number | undefined {
  if (bytes[from] === CR && bytes[from + 1] === LF) return from;
  for (let at = bytes.indexOf(CR, from); at >= 0; at = bytes.indexOf(CR, at + 1)) {
    if (bytes[at + 1] === LF && bytes[at + 2] === CR && bytes[at + 3] === LF) return at;
  }
  return undefined;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}

function wrong(found: string): SvcError {
  const message = `Cannot read the form: ${found}, expected a complete body of multipart/form-data`;
  return invalidRequest("invalid_multipart", message);
}
