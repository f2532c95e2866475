import { IDEMPOTENCY_KEY } from "../../lib/world/session/journal/answer_file.ts";
import type { JsonObject } from "./both_spellings.ts";
import { headerText as text, serverHeaders } from "./headers.ts";

/** Headers of answers. */
export const componentHeaders: Record<string, JsonObject> = {
  ...serverHeaders,
  Location: text("Path of the job or the world", { pattern: "/v1/world(s/|/jobs/)" }),
  ETag: text("A strong tag of the file, or of the state of the job", { pattern: '^"[^"]+"$' }),
  "Accept-Ranges": text("The file can be fetched in parts", { const: "bytes" }),
  "Content-Length": text("Bytes of the body, for HEAD of the body of GET", { pattern: "^[0-9]+$" }),
  "Content-Range": text("The range of bytes, or the size of the file", {
    pattern: "^bytes ([0-9]+-[0-9]+|\\*)/[0-9]+$",
  }),
  "Content-Security-Policy": text("What the page may load"),
};

const optional = (name: string, description: string): JsonObject => ({
  name,
  in: "header",
  required: false,
  description,
  schema: { type: "string" },
});

/** Headers of requests. */
export const componentParameters: Record<string, JsonObject> = {
  "Idempotency-Key": {
    ...optional(
      "Idempotency-Key",
      "Names this request: sent again with the same key, it is answered again, not done again",
    ),
    schema: { type: "string", pattern: IDEMPOTENCY_KEY.source },
  },
  Range: optional("Range", "One range of bytes"),
  "If-Range": optional("If-Range", "The ETag of the file that Range applies to; any other file is sent whole"),
  "If-None-Match": optional("If-None-Match", "ETags that the client has"),
  Prefer: optional(
    "Prefer",
    "wait=<seconds>, at most 10: answers when the job is not in the state of If-None-Match any more",
  ),
  "Last-Event-ID": optional("Last-Event-ID", "The id of the last event that the client has seen"),
};
