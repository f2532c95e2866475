/**
 * The media worker: answers the calls of {@link openMedia}.
 *
 * @module
 */
import { carryError } from "../../errors/carried_error.ts";
import { parentPort } from "../../platform/workers/parent_port.ts";
import { runProcess } from "../../platform/processes/run_process.ts";
import { localMedia } from "./local_media.ts";
import type { Media } from "./media.ts";
import type { MediaCall, MediaQuestion, MediaReply, MediaRequest } from "./media_protocol.ts";

type Answer = Awaited<ReturnType<Media[MediaCall]>>;

const port = await parentPort<MediaReply, MediaRequest>();
const byEncoder = new Map<string | undefined, Media>();

port.onMessage(async ({ id, encoder, question }) => {
  const media = byEncoder.get(encoder) ?? localMedia({ runProcess, ...(encoder !== undefined && { encoder }) });
  byEncoder.set(encoder, media);
  try {
    const value = await answer(media, question);
    port.postMessage({ id, ok: true, value }, ownedBuffers(value));
  } catch (error) {
    port.postMessage({ id, ok: false, error: carryError(error) });
  }
});

function answer(media: Media, question: MediaQuestion): Promise<Answer> {
  switch (question.call) {
    case "prepare":
      return media.prepare();
    case "encodeChunk":
      return media.encodeChunk(...question.args);
    case "joinChunks":
      return media.joinChunks(...question.args);
    case "readVideoFrames":
      return media.readVideoFrames(...question.args);
    case "encodePng":
      return media.encodePng(...question.args);
    case "decodeImage":
      return media.decodeImage(...question.args);
  }
}

/** The memory of a reply: unused here afterwards, so that it can be transferred instead of copied. */
function ownedBuffers(value: Answer): ArrayBuffer[] {
  if (typeof value === "string") return [];
  if (value instanceof Uint8Array) return [value.buffer];
  if ("ok" in value) return value.ok ? [value.frames.data.buffer as ArrayBuffer] : [];
  return [("bytes" in value ? value.bytes : value.data).buffer as ArrayBuffer];
}
