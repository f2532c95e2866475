/**
 * The results of a dataset as a stream of lines.
 *
 * @module
 */
import { hasEnded, type RolloutRecord } from "./rollout_records.ts";

/** Characters that are handed on at a time. */
const PART = 64 * 1024;

/** A JSON object a line for each rollout that has ended; reads on as the client takes them. */
export function resultLines(records: AsyncGenerator<RolloutRecord, void, void>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(stream) {
      let text = "";
      while (text.length < PART) {
        const { done, value } = await records.next();
        if (!done && hasEnded(value)) text += lineOf(value);
        if (!done) continue;
        if (text !== "") stream.enqueue(encoder.encode(text));
        return stream.close();
      }
      stream.enqueue(encoder.encode(text));
    },
    async cancel() {
      await records.return();
    },
  }, { highWaterMark: 0 });
}

function lineOf({ item, phase, attempt, result, reason }: RolloutRecord): string {
  return `${JSON.stringify({ item, phase, attempts: attempt, ...result, ...(reason !== undefined && { reason }) })}\n`;
}
