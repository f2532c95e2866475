/**
 * Answers that end when the key of their request is removed.
 *
 * @module
 */

/** Bytes that are handed on at a time, and of an answer that is sent at once. */
const PART = 64 * 1024;

/** Calls its argument once the key is nobody's any more; returns what ends the wait for that. */
export type OnRevoked = (end: () => void) => () => void;

/** Breaks a long answer off when its key is removed, also one that waits for a slow client. */
export function revocableResponse(response: Response, onRevoked: OnRevoked): Response {
  const length = Number(response.headers.get("content-length") ?? NaN);
  const isShort = length <= PART || response.headers.get("content-type")?.startsWith("application/json");
  if (isShort || !response.body) return response;
  const reader = response.body.getReader();
  let rest: Uint8Array = new Uint8Array();
  let isRevoked = false;
  let off = (): void => {};
  const body = new ReadableStream<Uint8Array>({
    start(stream) {
      off = onRevoked(() => {
        isRevoked = true;
        rest = new Uint8Array();
        stream.error(new Error("The key of this request was removed"));
        void reader.cancel().catch(() => {});
      });
    },
    async pull(stream) {
      if (rest.length === 0) {
        const read = await reader.read().catch((error) => {
          off();
          throw error;
        });
        if (isRevoked) return;
        if (read.done) {
          off();
          return stream.close();
        }
        rest = read.value;
      }
      stream.enqueue(rest.subarray(0, PART));
      rest = rest.subarray(PART);
    },
    cancel(reason) {
      off();
      return reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
  return new Response(body, { status: response.status, headers: response.headers });
}
