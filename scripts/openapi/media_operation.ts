import type { Operation } from "./operation.ts";

/** A file that can be fetched in parts. */
export const media = (
  path: string,
  id: string,
  summary: string,
  type: string,
  tag: Operation["tag"],
  errors: Operation["errors"],
): Operation => ({
  method: "get",
  path,
  id,
  tag,
  summary,
  headers: ["Range", "If-Range", "If-None-Match"],
  answers: {
    200: {
      description: "The whole file",
      content: { type },
      headers: ["ETag", "Accept-Ranges", "Content-Length"],
    },
    206: {
      description: "The part that Range asks for",
      content: { type },
      headers: ["ETag", "Accept-Ranges", "Content-Length", "Content-Range"],
    },
    304: {
      description: "The client's copy is current: its ETag is among If-None-Match",
      headers: ["ETag", "Accept-Ranges"],
    },
  },
  errors: { ...errors, 416: ["range_not_satisfiable"] },
});
