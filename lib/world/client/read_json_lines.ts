/**
 * Answers with a JSON value a line.
 *
 * @module
 */
import type { WorldRequestOptions } from "./client_options.ts";
import { readLines } from "./read_lines.ts";
import type { WorldTransport } from "./world_transport.ts";

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
    yield JSON.parse(next.value) as T;
  }
}
