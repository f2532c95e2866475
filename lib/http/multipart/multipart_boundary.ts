/**
 * The boundary of a multipart body.
 *
 * @module
 */
import { essence, wrongContentType } from "../request_body.ts";
import { invalidRequest } from "../../errors/make_error.ts";
import { show } from "../../errors/show.ts";

/** A parameter of a header: a token, or a quoted text with escapes. */
export const PARAMETER: RegExp = /\s*;\s*([!#$%&'*+.^\w`|~-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s";,]+))/y;

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
