/** Worker of spawn_worker_test.ts: echoes bytes back and throws texts as errors. */
import { parentPort } from "../../lib/platform/workers/parent_port.ts";

const port = await parentPort<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer> | string>();
port.onMessage((message) => {
  if (typeof message === "string") throw new Error(message);
  port.postMessage(message, [message.buffer]);
});
