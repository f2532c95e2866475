/** Worker of spawn_worker_test.ts: echoes bytes back, throws texts as errors and waits on a number. */
import { parentPort } from "../../lib/platform/workers/parent_port.ts";

const port = await parentPort();
port.onMessage((message) => {
  if (typeof message === "string") throw new Error(message);
  if (message instanceof Int32Array) {
    Atomics.store(message, 0, 1);
    Atomics.wait(message, 0, 1);
    Atomics.store(message, 0, 3);
    return;
  }
  const bytes = message as Uint8Array<ArrayBuffer>;
  void port.send(bytes, [bytes.buffer]);
});
