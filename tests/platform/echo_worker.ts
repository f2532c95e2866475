/** Worker of spawn_worker_test.ts: echoes bytes back and throws texts as errors. */
import { parentPort } from "../../lib/platform/workers/parent_port.ts";

const port = await parentPort();
port.onMessage((message) => {
  if (typeof message === "string") throw new Error(message);
  const bytes = message as Uint8Array<ArrayBuffer>;
  void port.send(bytes, [bytes.buffer]);
});
