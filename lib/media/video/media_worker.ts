/**
 * The media worker: answers the calls of {@link openMedia}.
 *
 * @module
 */
import { freeArray, Moved } from "../../platform/rpc/rpc_service.ts";
import { serveCalls } from "../../platform/rpc/serve_calls.ts";
import { parentPort } from "../../platform/workers/parent_port.ts";
import { runProcess } from "../../platform/processes/run_process.ts";
import { localMedia } from "./local_media.ts";
import type { Media } from "./media.ts";
import type { MediaService } from "./media_service.ts";

const byEncoder = new Map<string | undefined, Media>();

function mediaOf(encoder: string | undefined): Media {
  const media = byEncoder.get(encoder) ?? localMedia({ runProcess, ...(encoder !== undefined && { encoder }) });
  byEncoder.set(encoder, media);
  return media;
}

// The memory of an answer is unused here afterwards: it is moved instead of copied.
serveCalls<MediaService>(await parentPort(), {
  prepare: (_call, encoder) => mediaOf(encoder).prepare(),
  encodeChunk: async (_call, encoder, frames, options) => {
    const chunk = await mediaOf(encoder).encodeChunk(frames, options);
    freeArray(frames.data); // megabytes a chunk, of which a garbage collector would let many wait
    return new Moved(chunk);
  },
  joinChunks: async (_call, encoder, ...args) => new Moved(await mediaOf(encoder).joinChunks(...args)),
  readVideoFrames: async (_call, encoder, ...args) => new Moved(await mediaOf(encoder).readVideoFrames(...args)),
  encodePng: async (_call, encoder, ...args) => new Moved(await mediaOf(encoder).encodePng(...args)),
  decodeImage: async (_call, encoder, ...args) => new Moved(await mediaOf(encoder).decodeImage(...args)),
});
