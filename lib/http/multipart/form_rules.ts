/**
 * What the form of a route may hold.
 *
 * @module
 */
import type { PartHead } from "./multipart_parser.ts";
import { essence } from "../request_body.ts";
import { closestWord } from "../../errors/closest_word.ts";
import { invalidField, invalidRequest } from "../../errors/svc_error.ts";
import { show } from "../../errors/show.ts";

/** A field whose value is text. */
export interface TextPart {
  /** How often it may come; once by default. */
  readonly max?: number;
}

/** A field whose value is an uploaded file. */
interface FilePart extends TextPart {
  /**
   * Content types, their beginnings such as `image/`, their ends such as `+json`, or `*` for all; absent ones and
   * `application/octet-stream` always go.
   */
  readonly types: readonly string[];
}

/** The rules of a form. */
export interface FormRules {
  /** What follows "Cannot" in errors. */
  readonly action: string;
  /** Bytes of the whole body. */
  readonly maxBytes: number;
  /** Fields of text, by their names. */
  readonly texts: Readonly<Record<string, TextPart>>;
  /** Files, by the names of their fields. A name may be in both lists: what has a file name is a file. */
  readonly files: Readonly<Record<string, FilePart>>;
}

/** What a part is, judged by its headers alone. */
export function partKind(head: PartHead, rules: FormRules, before: number): "text" | "file" {
  const { action } = rules;
  const name = show(head.name);
  const text = Object.hasOwn(rules.texts, head.name) ? rules.texts[head.name] : undefined;
  const file = Object.hasOwn(rules.files, head.name) ? rules.files[head.name] : undefined;
  if (!text && !file) {
    const meant = closestWord(head.name, [...Object.keys(rules.texts), ...Object.keys(rules.files)]);
    const remedy = meant === undefined ? "remove it" : `did you mean ${show(meant)}?`;
    throw invalidRequest("unknown_field", `Cannot ${action}: there is no field ${name}, ${remedy}`, head.name);
  }
  const isFile = head.filename !== undefined || !["", "text/plain", "application/json"].includes(head.type);
  if (isFile && !file) throw invalidField(head.name, `Cannot ${action}: ${name} is a file, expected text`);
  if (!isFile && !text) throw invalidField(head.name, `Cannot ${action}: ${name} is text, expected an uploaded file`);
  const { max = 1 } = (isFile ? file : text)!;
  if (before >= max) {
    const message = `Cannot ${action}: ${name} is given ${max === 1 ? "twice" : `more than ${max} times`}, expected ` +
      (max === 1 ? "it once" : "fewer");
    throw invalidRequest("duplicate_field", message, head.name);
  }
  if (!isFile) checkCharset(head, action);
  else if (!hasType(head, file!)) {
    const message = `Cannot ${action}: ${name} has the content type ${show(head.type)}, expected ` +
      file!.types.map((type) => type.endsWith("/") ? `${type}*` : type).join(", ");
    throw invalidField(head.name, message);
  }
  return isFile ? "file" : "text";
}

function hasType({ type }: PartHead, { types }: FilePart): boolean {
  const kind = essence(type);
  if (kind === "" || kind === "application/octet-stream") return true;
  return types.some((expected) =>
    expected === "*" || kind === expected ||
    (expected.endsWith("/") && kind.startsWith(expected)) || (expected.startsWith("+") && kind.endsWith(expected))
  );
}

function checkCharset({ name, charset = "utf-8" }: PartHead, action: string): void {
  if (/^(utf-?8|us-ascii)$/.test(charset)) return;
  const message = `Cannot ${action}: ${show(name)} has the charset ${show(charset)}, expected UTF-8`;
  throw invalidField(name, message);
}

/** Bytes of all texts of a form, in UTF-8. */
export const MAX_TEXT_BYTES: number = 512 * 1024;

const FIRST_BUFFER = 256;

/** Collects the text of one field after another, in one buffer: a client may send it byte by byte. */
export class FormText {
  #buffer = new Uint8Array(FIRST_BUFFER);
  #length = 0;
  #before = 0;

  /** Adds bytes to the text; false when all texts together have too many. */
  add(bytes: Uint8Array): boolean {
    const length = this.#length + bytes.length;
    if (this.#before + length > MAX_TEXT_BYTES) return false;
    if (length > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(2 * this.#buffer.length, length));
      larger.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = larger;
    }
    this.#buffer.set(bytes, this.#length);
    this.#length = length;
    return true;
  }

  /** Ends the text; undefined when it is not UTF-8. */
  end(): string | undefined {
    const bytes = this.#buffer.subarray(0, this.#length);
    this.#before += this.#length;
    this.#length = 0;
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      return undefined;
    }
  }
}
