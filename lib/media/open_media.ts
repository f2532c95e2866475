/**
 * Pictures and video in a worker of their own.
 *
 * @module
 */
import { siblingModule, spawnWorker } from "../runtime/spawn_worker.ts";
import type { WorkerHandle } from "../runtime/worker_port.ts";
import type { Media } from "./media.ts";
import { type MediaReply, type MediaRequest, type MediaWorkerOptions, receiveError } from "./media_protocol.ts";

type Handle = WorkerHandle<MediaWorkerOptions | MediaRequest, MediaReply>;

interface Pending {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

/** Options of {@link openMedia}. */
export interface OpenMediaOptions {
  /** Name of the only encoder to use; default: the first that works. Servers pass `SVC_ENCODER` on. */
  readonly encoder?: string;
}

/**
 * Pictures and video in a worker, so that no other work waits for an encoder. The worker starts with the first call; if
 * it dies, the calls under way are rejected and the next one starts another.
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
  let worker: Promise<Handle> | undefined;
  let closed = false;
  let lastId = 0;
  const pending = new Map<number, Pending>();

  const start = async (): Promise<Handle> => {
    const handle: Handle = await spawnWorker(siblingModule("media_worker", import.meta.url), { name: "media" });
    handle.postMessage({ ...options });
    handle.onMessage((reply) => {
      const call = pending.get(reply.id);
      pending.delete(reply.id);
      if (reply.ok) call?.resolve(reply.value as never);
      else call?.reject(receiveError(reply.error));
    });
    void handle.ended.then((cause) => {
      worker = undefined;
      for (const { reject } of pending.values()) reject(cause ?? closedError());
      pending.clear();
    });
    return handle;
  };
  const call = async <T>(
    request: MediaRequest extends infer R ? R extends MediaRequest ? Omit<R, "id"> : never : never,
  ) => {
    if (closed) throw closedError();
    const handle = await (worker ??= start());
    return await new Promise<T>((resolve, reject) => {
      const id = ++lastId;
      pending.set(id, { resolve, reject });
      handle.postMessage({ ...request, id } as MediaRequest);
    });
  };
  return {
    prepare: () => call({ call: "prepare", args: [] }),
    encodeChunk: (...args) => call({ call: "encodeChunk", args }),
    joinChunks: (...args) => call({ call: "joinChunks", args }),
    encodePng: (...args) => call({ call: "encodePng", args }),
    decodeImage: (...args) => call({ call: "decodeImage", args }),
    close: async () => {
      closed = true;
      await (await worker)?.terminate();
    },
  };
}

function closedError(): Error {
  return new Error("Cannot use media: it is closed, open it again");
}
