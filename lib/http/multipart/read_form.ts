/**
 * Reads the form of a request while it arrives: texts into memory, files into a private folder.
 *
 * @module
 */
import { type FormRules, FormText, MAX_TEXT_BYTES, partKind } from "./form_rules.ts";
import { MultipartParser, type PartHead } from "./multipart_parser.ts";
import type { UploadSlot } from "./upload_slots.ts";
import { discardRest, tooLarge } from "../request_body.ts";
import { invalidField, invalidRequest, SvcError } from "../../errors/svc_error.ts";
import { show } from "../../errors/show.ts";

/** A file that is being written. */
export interface UploadWriter {
  /** Writes the bytes, which may be reused afterwards. */
  write(bytes: Uint8Array): Promise<void>;
  /** Completes the file. */
  close(): Promise<StoredFile>;
  /** Gives up. */
  abandon(): Promise<void>;
}

/** A complete file. */
export interface StoredFile {
  readonly path: string;
  readonly bytes: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

/** A private folder for one request. */
export interface UploadFolder {
  readonly path: string;
  /** Starts a new file in it. */
  create(name: string): Promise<UploadWriter>;
  /** Removes it with all files. */
  remove(): Promise<void>;
}

/** An uploaded file. */
export interface UploadedFile extends StoredFile {
  /** Name of its field. */
  readonly field: string;
  /** Content type that the client has declared; empty when it has none. */
  readonly type: string;
  /** As the client has sent it: to be shown, never a path to use. */
  readonly filename: string | undefined;
}

/** A form that has been read. */
export interface UploadForm {
  /** Values of the texts, by the names of their fields, in the order of the body. */
  readonly texts: ReadonlyMap<string, readonly string[]>;
  /** In the order of the body. */
  readonly files: readonly UploadedFile[];
}

/**
 * Reads a form.
 *
 * @param boundary As the content type names it.
 * @param slot Counts the bytes.
 * @throws {SvcError} 413 as soon as the body is longer than the rules allow, 400 for a form or part that breaks them, 503
 * when all uploads together are too large.
 */
export async function readForm(
  request: Request,
  { boundary, rules, folder, slot }: {
    readonly boundary: string;
    readonly rules: FormRules;
    readonly folder: UploadFolder;
    readonly slot: UploadSlot;
  },
): Promise<UploadForm> {
  const parts = new FormParts(rules, folder);
  const parser = new MultipartParser(boundary);
  const reader = request.body?.getReader();
  let size = 0;
  try {
    while (reader) {
      const { done, value } = await reader.read().catch((error) => {
        if (error instanceof SvcError) throw error; // of a body that was decoded
        throw invalidRequest("incomplete_body", "Cannot read the form: the connection ended before it was complete");
      });
      if (done) break;
      size += value.length;
      if (size > rules.maxBytes) throw tooLarge(rules.maxBytes);
      slot.take(value.length);
      for (const event of parser.feed(value)) {
        if (event.kind === "head") await parts.begin(event.head);
        else if (event.kind === "data") await parts.add(event.bytes);
        else await parts.end();
      }
    }
    parser.finish();
    return parts;
  } catch (error) {
    void discardRest(reader);
    await parts.abandon();
    throw error;
  }
}

/** The parts of a form as they come. */
class FormParts implements UploadForm {
  readonly texts = new Map<string, string[]>();
  readonly files: UploadedFile[] = [];
  readonly #rules: FormRules;
  readonly #folder: UploadFolder;
  readonly #text = new FormText();
  #head: PartHead | undefined;
  #writer: UploadWriter | undefined;

  constructor(rules: FormRules, folder: UploadFolder) {
    this.#rules = rules;
    this.#folder = folder;
  }

  async begin(head: PartHead): Promise<void> {
    const before = this.files.filter(({ field }) => field === head.name).length +
      (this.texts.get(head.name)?.length ?? 0);
    const kind = partKind(head, this.#rules, before);
    this.#head = head;
    this.#writer = kind === "file" ? await this.#folder.create(`upload-${this.files.length}`) : undefined;
  }

  async add(bytes: Uint8Array): Promise<void> {
    if (this.#writer) return await this.#writer.write(bytes);
    if (this.#text.add(bytes)) return;
    const { name } = this.#head!;
    const found = `the texts up to ${show(name)} have more than ${MAX_TEXT_BYTES} bytes, expected fewer`;
    throw invalidField(name, `Cannot ${this.#rules.action}: ${found}`);
  }

  async end(): Promise<void> {
    const { name, type, filename } = this.#head!;
    if (this.#writer) {
      const file = await this.#writer.close();
      this.#writer = undefined;
      if (file.bytes === 0) throw invalidField(name, `Cannot ${this.#rules.action}: the file ${show(name)} is empty`);
      this.files.push({ ...file, field: name, type, filename });
      return;
    }
    const text = this.#text.end();
    if (text === undefined) throw invalidField(name, `Cannot ${this.#rules.action}: ${show(name)} is not UTF-8`);
    this.texts.set(name, [...this.texts.get(name) ?? [], text]);
  }

  async abandon(): Promise<void> {
    await this.#writer?.abandon();
  }
}
