/** Stands in for the media worker: answers `encodePng` with a byte and dies of anything else. */
import { parentPort } from "../../../lib/platform/workers/parent_port.ts";

const port = await parentPort();
port.onMessage((message) => {
  const { id, method } = message as { readonly id: number; readonly method: string };
  if (method !== "encodePng") throw new Error("out of luck");
  void port.send({ kind: "answer", id, answer: new Uint8Array([7]) });
});
