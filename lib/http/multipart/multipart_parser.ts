/**
 * Takes multipart bodies apart while they arrive. Parsers in common use pass over parts that they do not understand; this
 * one refuses them, since a field that is lost would change the answer.
 *
 * @module
 */
import { invalidRequest, type SvcError } from "../../errors/svc_error.ts";
import { essence, wrongContentType } from "../request_body.ts";
import { show } from "../../errors/show.ts";

/** What comes next in a body. */
type PartEvent =
  | { readonly kind: "head"; readonly head: PartHead }
  /** A view of the chunk or of memory that the next call reuses. */
  | { readonly kind: "data"; readonly bytes: Uint8Array }
  | { readonly kind: "end" };

/** Bytes of the headers of one part, and of what may precede the first one. */
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
      // Its first byte is the only CR of a delimiter, so the next one starts after the match.
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

/** A parameter of a header: a token, or a quoted text with escapes. */
const PARAMETER: RegExp = /\s*;\s*([!#$%&'*+.^\w`|~-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s";,]+))/y;

/** What RFC 2046 allows: 1 to 70 characters, the last no space. */
const BOUNDARY = /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/;

/**
 * The boundary that a request's content type names.
 *
 * @throws {SvcError} 415 when the type is another, 400 when it has no usable boundary.
 */
export function multipartBoundary(contentType: string | null): string {
  if (essence(contentType) !== "multipart/form-data") throw wrongContentType(contentType, "multipart/form-data");
  const text = contentType!.slice(contentType!.indexOf(";") >>> 0);
  const found: string[] = [];
  PARAMETER.lastIndex = 0;
  for (let match = PARAMETER.exec(text); match; match = PARAMETER.exec(text)) {
    if (match[1].toLowerCase() === "boundary") found.push(match[2]?.replace(/\\(.)/g, "$1") ?? match[3]);
  }
  if (found.length === 1 && BOUNDARY.test(found[0])) return found[0];
  const message = `Cannot read the form: its content type is ${show(contentType)}, ` +
    "expected multipart/form-data with one boundary of 1 to 70 characters";
  throw invalidRequest("invalid_multipart", message);
}

/** What the headers of a part say. */
export interface PartHead {
  /** Name of its field. */
  readonly name: string;
  /** As the client has sent it: never a path to use. */
  readonly filename?: string;
  /** Content type in lower case without parameters; empty when absent. */
  readonly type: string;
  /** Charset in lower case, if the content type has one. */
  readonly charset?: string;
}

const LINE = /^([!#$%&'*+.^\w`|~-]+):(.*)$/;

/**
 * Reads the headers of a part: the lines before the empty one.
 *
 * @throws {SvcError} 400 for what is not a header, a repeated one, and an encoding that only mail has.
 */
function readPartHead(bytes: Uint8Array): PartHead {
  const headers = new Map<string, string>();
  for (const line of new TextDecoder().decode(bytes).split("\r\n")) {
    const [, name, value] = LINE.exec(line) ?? [];
    // deno-lint-ignore no-control-regex -- these characters are what is refused
    if (name === undefined || /[\0-\x08\x0a-\x1f\x7f]/.test(value)) {
      throw wrongHead(`a part has the header ${show(line)}`);
    }
    if (headers.has(name.toLowerCase())) throw wrongHead(`a part has the header ${show(name)} twice`);
    headers.set(name.toLowerCase(), value.trim());
  }
  const encoding = headers.get("content-transfer-encoding") ?? "binary";
  if (!/^(7bit|8bit|binary)$/i.test(encoding)) throw wrongHead(`a part is encoded as ${show(encoding)}`);
  const disposition = readValue(headers.get("content-disposition") ?? "");
  const name = disposition.parameters.get("name");
  if (disposition.value !== "form-data" || name === undefined) throw wrongHead("a part has no name");
  const type = readValue(headers.get("content-type") ?? "");
  const filename = disposition.parameters.get("filename*") ?? disposition.parameters.get("filename");
  const charset = type.parameters.get("charset")?.toLowerCase();
  return {
    name,
    type: type.value,
    ...(filename === undefined ? {} : { filename }),
    ...(charset === undefined ? {} : { charset }),
  };
}

/** A header's value and its parameters, with names in lower case. */
function readValue(header: string): { readonly value: string; readonly parameters: ReadonlyMap<string, string> } {
  const value = /^[^;]*/.exec(header)![0];
  const parameters = new Map<string, string>();
  PARAMETER.lastIndex = value.length;
  let end = value.length;
  for (let match = PARAMETER.exec(header); match; match = PARAMETER.exec(header)) {
    const name = match[1].toLowerCase();
    if (parameters.has(name)) throw wrongHead(`a part gives ${show(name)} twice`);
    parameters.set(name, match[2]?.replace(/\\(["\\])/g, "$1") ?? match[3]);
    end = PARAMETER.lastIndex;
  }
  if (!/^[\s;]*$/.test(header.slice(end))) throw wrongHead(`a part has the header ${show(header)}`);
  return { value: value.trim().toLowerCase(), parameters };
}

function wrongHead(found: string): SvcError {
  return invalidRequest("invalid_multipart", `Cannot read the form: ${found}, expected parts of multipart/form-data`);
}
