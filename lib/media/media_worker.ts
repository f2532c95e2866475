/**
 * The media worker: answers the calls of {@link openMedia}.
 *
 * @module
 */
import { parentPort } from "../runtime/parent_port.ts";
import { runProcess } from "../runtime/run_process.ts";
import { localMedia } from "./local_media.ts";
import type { Media } from "./media.ts";
import { type MediaReply, type MediaRequest, type MediaWorkerOptions, sendError } from "./media_protocol.ts";

const port = await parentPort<MediaReply, MediaWorkerOptions | MediaRequest>();
let media: Media | undefined;

port.onMessage(async (message) => {
  if (!("call" in message)) {
    media = localMedia({ ...message, runProcess });
    return;
  }
  const { id } = message;
  try {
    const value = await answer(media!, message);
    port.postMessage({ id, ok: true, value }, ownedBuffers(value));
  } catch (error) {
    port.postMessage({ id, ok: false, error: sendError(error) });
  }
});

function answer(media: Media, request: MediaRequest): ReturnType<Media[MediaRequest["call"]]> {
  switch (request.call) {
    case "prepare":
      return media.prepare();
    case "encodeChunk":
      return media.encodeChunk(...request.args);
    case "joinChunks":
      return media.joinChunks(...request.args);
    case "encodePng":
      return media.encodePng(...request.args);
    case "decodeImage":
      return media.decodeImage(...request.args);
  }
}

/** The memory of a result: nobody here needs it any more, so that it can be moved instead of copied. */
function ownedBuffers(value: Awaited<ReturnType<typeof answer>>): ArrayBuffer[] {
  if (typeof value === "string") return [];
  const bytes = value instanceof Uint8Array ? value : "bytes" in value ? value.bytes : value.data;
  return [bytes.buffer as ArrayBuffer];
}
