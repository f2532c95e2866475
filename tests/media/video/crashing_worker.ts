/** Stands in for the media worker: answers `encodePng` with a byte and dies of anything else. */
import type { MediaReply, MediaRequest } from "../../../lib/media/video/media_protocol.ts";
import { parentPort } from "../../../lib/platform/workers/parent_port.ts";

const port = await parentPort<MediaReply, MediaRequest>();
port.onMessage(({ id, question }) => {
  if (question.call !== "encodePng") throw new Error("out of luck");
  port.postMessage({ id, ok: true, value: new Uint8Array([7]) });
});
