/**
 * The headers of a part of a form.
 *
 * @module
 */
import { PARAMETER } from "./multipart_boundary.ts";
import { invalidRequest } from "../../errors/make_error.ts";
import { show } from "../../errors/show.ts";
import type { SvcError } from "../../errors/svc_error.ts";

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

const LINE = /^([!#$%&'*+.^\w`|~-]+):[ \t]*(.*?)[ \t]*$/;

/**
 * Reads the headers of a part: the lines before the empty one.
 *
 * @throws {SvcError} 400 for what is no header, a repeated one, and an encoding that only mail has.
 */
export function readPartHead(bytes: Uint8Array): PartHead {
  const headers = new Map<string, string>();
  for (const line of new TextDecoder().decode(bytes).split("\r\n")) {
    const [, name, value] = LINE.exec(line) ?? [];
    // deno-lint-ignore no-control-regex -- these characters are what is refused
    if (name === undefined || /[\0-\x08\x0a-\x1f\x7f]/.test(value)) throw wrong(`a part has the header ${show(line)}`);
    if (headers.has(name.toLowerCase())) throw wrong(`a part has the header ${show(name)} twice`);
    headers.set(name.toLowerCase(), value);
  }
  const encoding = headers.get("content-transfer-encoding") ?? "binary";
  if (!/^(7bit|8bit|binary)$/i.test(encoding)) throw wrong(`a part is encoded as ${show(encoding)}`);
  const disposition = readValue(headers.get("content-disposition") ?? "");
  const name = disposition.parameters.get("name");
  if (disposition.value !== "form-data" || name === undefined) throw wrong("a part has no name");
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
    if (parameters.has(name)) throw wrong(`a part gives ${show(name)} twice`);
    parameters.set(name, match[2]?.replace(/\\(["\\])/g, "$1") ?? match[3]);
    end = PARAMETER.lastIndex;
  }
  if (!/^[\s;]*$/.test(header.slice(end))) throw wrong(`a part has the header ${show(header)}`);
  return { value: value.trim().toLowerCase(), parameters };
}

function wrong(found: string): SvcError {
  return invalidRequest("invalid_multipart", `Cannot read the form: ${found}, expected parts of multipart/form-data`);
}
