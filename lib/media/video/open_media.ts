/**
 * Pictures and video in a worker of their own.
 *
 * @module
 */
import { siblingModule } from "../../platform/workers/spawn_worker.ts";
import type { Media } from "./media.ts";
import { MediaConnection } from "./media_connection.ts";
import type { MediaQuestion } from "./media_protocol.ts";

/** Options of {@link openMedia}. */
export interface OpenMediaOptions {
  /** Name of the only encoder to use; default: the first that works. Servers pass `SVC_ENCODER` on. */
  readonly encoder?: string;
  /** The worker's module, where a bundler has moved it; default: `media_worker` beside this one. */
  readonly worker?: URL;
}

/**
 * One worker for all users of a process: native codecs may be loaded in one thread only. Deno 2.9 crashes, now and then,
 * when one thread encodes and another one decodes with `@napi-rs/webcodecs`.
 */
const connections = new Map<string, { readonly connection: MediaConnection; users: number }>();

/**
 * Pictures and video in a worker, so that no other work waits for an encoder. The worker starts with the first call and
 * ends when the last of its users in this process closes; if it dies, the calls under way are rejected and the next one
 * starts another.
 *
 * @example
 * ```ts
 * import { openMedia } from "@svc/sdk/media";
 * const media = openMedia();
 * const frames = { width: 96, height: 64, count: 12, data: new Uint8Array(96 * 64 * 3 * 12) };
 * const chunk = await media.encodeChunk(frames, { fps: 24, firstFrame: 9, container: "fmp4" });
 * console.assert(chunk.frames === 12 && chunk.duration === 0.5);
 * await media.close();
 * ```
 */
export function openMedia(options: OpenMediaOptions = {}): Media {
  const url = options.worker ?? siblingModule("media_worker", import.meta.url);
  const shared = connections.get(url.href) ?? { connection: new MediaConnection(url), users: 0 };
  connections.set(url.href, shared);
  shared.users++;
  let closed = false;

  const ask = async <T>(question: MediaQuestion): Promise<T> => {
    if (closed) throw new Error("Cannot use media: it is closed, open it again");
    return await shared.connection.ask<T>(options.encoder, question);
  };
  return {
    prepare: () => ask({ call: "prepare", args: [] }),
    encodeChunk: (...args) => ask({ call: "encodeChunk", args }),
    joinChunks: (...args) => ask({ call: "joinChunks", args }),
    readVideoFrames: (...args) => ask({ call: "readVideoFrames", args }),
    encodePng: (...args) => ask({ call: "encodePng", args }),
    decodeImage: (...args) => ask({ call: "decodeImage", args }),
    close: async () => {
      if (closed) return;
      closed = true;
      if (--shared.users > 0) return;
      connections.delete(url.href);
      await shared.connection.stop();
    },
  };
}
