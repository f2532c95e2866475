/**
 * Reads answers as they come: lines, a JSON value a line, and server-sent events.
 *
 * @module
 */
import type { WorldRequestOptions } from "./client_options.ts";
import { fromWire } from "../../json/wire_form.ts";
import type { WorldTransport } from "./world_transport.ts";

/** One server-sent event. */
interface ServerSentEvent {
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

/** Reads values as they come, trusted to have the server's schema. */
export async function* readJsonLines<T>(
  transport: WorldTransport,
  path: string,
  options: WorldRequestOptions = {},
): AsyncGenerator<T, void, void> {
  const { body } = await transport.send(path, options);
  if (!body) return;
  const lines = readLines(body, options.signal);
  while (true) {
    const next = await lines.next().catch((cause) => {
      throw transport.unreachable(cause, options);
    });
    options.signal?.throwIfAborted();
    if (next.done) return;
    yield fromWire<T>(JSON.parse(next.value));
  }
}

/** Splits text into lines at any of the three line endings; an unterminated last line is left out. */
export async function* readLines(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<string, void, void> {
  const reader = body.getReader();
  const stop = () => void reader.cancel().catch(() => {});
  signal?.addEventListener("abort", stop);
  const decoder = new TextDecoder();
  let rest = "";
  try {
    while (true) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      // A carriage return at the end may be the first half of a CRLF.
      const lines = rest.split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? "";
      yield* lines;
    }
  } finally {
    signal?.removeEventListener("abort", stop);
    await reader.cancel().catch(() => {});
  }
}
