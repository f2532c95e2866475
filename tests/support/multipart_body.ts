/** A part of a form as it is sent. */
export interface SentPart {
  readonly name: string;
  readonly content: string | Uint8Array;
  readonly filename?: string;
  readonly type?: string;
}

const encoder = new TextEncoder();

/** Bytes one after another. */
export function concat(...parts: readonly (string | Uint8Array)[]): Uint8Array<ArrayBuffer> {
  const bytes = parts.map((part) => typeof part === "string" ? encoder.encode(part) : part);
  const whole = new Uint8Array(bytes.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of bytes) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** The body of a form, as clients write it. */
export function multipartBody(boundary: string, parts: readonly SentPart[]): Uint8Array<ArrayBuffer> {
  return concat(
    ...parts.flatMap(({ name, content, filename, type }) => [
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"` +
      (filename === undefined ? "" : `; filename="${filename}"`) + "\r\n" +
      (type === undefined ? "" : `content-type: ${type}\r\n`) + "\r\n",
      content,
      "\r\n",
    ]),
    `--${boundary}--\r\n`,
  );
}
