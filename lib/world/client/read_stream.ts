import { readLines } from "./read_lines.ts";

/** One server-sent event. */
export interface ServerSentEvent {
  /** The last id that the stream sent. */
  readonly id: string;
  /** `message` when the stream names none. */
  readonly event: string;
  readonly data: string;
}

/**
 * Reads a stream of server-sent events (HTML Standard, section 9.2.6). Comments and the `retry` field are ignored; an
 * event cut off by the end of the stream is dropped.
 *
 * @param signal Stops reading when it aborts. A request's own signal is not enough: Deno may collect the link between
 * the two while the answer is still being read.
 */
export async function* readServerSentEvents(
  body: ReadableStream<Uint8Array>,
  signal?: AbortSignal,
): AsyncGenerator<ServerSentEvent, void, void> {
  let id = "";
  let event = "";
  let data: string[] = [];
  for await (const line of readLines(body, signal)) {
    if (line === "") {
      if (data.length > 0) yield { id, event: event || "message", data: data.join("\n") };
      event = "";
      data = [];
      continue;
    }
    const [, field, value] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? [];
    if (field === "data") data.push(value ?? "");
    else if (field === "event") event = value ?? "";
    else if (field === "id" && !value?.includes("\0")) id = value ?? "";
  }
}
