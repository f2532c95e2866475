/**
 * Pictures and video in a worker of their own.
 *
 * @module
 */
import { type CarriedError, reviveError } from "../../errors/carried_error.ts";
import { RpcClient } from "../../platform/rpc/rpc_client.ts";
import type { WorkerHandle } from "../../platform/rpc/rpc_port.ts";
import { siblingModule, spawnWorker } from "../../platform/workers/spawn_worker.ts";
import { EncoderError } from "./h264.ts";
import type { Media } from "./media.ts";
import type { MediaCall, MediaService } from "./media_service.ts";

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
const workers = new Map<string, { readonly worker: MediaWorker; users: number }>();

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
  const shared = workers.get(url.href) ?? { worker: new MediaWorker(url), users: 0 };
  workers.set(url.href, shared);
  shared.users++;
  let closed = false;

  const send = async <C extends MediaCall>(
    method: C,
    args: Parameters<Media[C]>,
    transfer: readonly ArrayBuffer[] = [],
  ): Promise<MediaService[C]["answer"]> => {
    if (closed) throw new Error("Cannot use media: it is closed, open it again");
    return await shared.worker.call(method, [options.encoder, ...args], transfer);
  };
  const call = <C extends MediaCall>(method: C) => (...args: Parameters<Media[C]>) => send(method, args);
  return {
    prepare: call("prepare"),
    encodeChunk: async (frames, chunk) => {
      const data = new Uint8Array(frames.data); // a message would copy it twice, and leave both to garbage collectors
      return await send("encodeChunk", [{ ...frames, data }, chunk], [data.buffer]);
    },
    joinChunks: call("joinChunks"),
    readVideoFrames: call("readVideoFrames"),
    encodePng: call("encodePng"),
    decodeImage: call("decodeImage"),
    close: async () => {
      if (closed) return;
      closed = true;
      if (--shared.users > 0) return;
      workers.delete(url.href);
      await shared.worker.stop();
    },
  };
}

interface Running {
  readonly worker: WorkerHandle;
  readonly client: RpcClient<MediaService>;
}

/** Starts a worker with the first call, and again with the first call after it has died. */
class MediaWorker {
  readonly #url: URL;
  #running: Promise<Running> | undefined;

  constructor(url: URL) {
    this.#url = url;
  }

  async call<C extends MediaCall>(
    method: C,
    args: MediaService[C]["args"],
    transfer: readonly ArrayBuffer[],
  ): Promise<MediaService[C]["answer"]> {
    const { client } = await (this.#running ??= this.#start());
    return await client.call(method, args, { transfer });
  }

  /** Stops the worker; pending calls reject at once, even those whose answers are on their way. */
  async stop(): Promise<void> {
    const running = await this.#running;
    if (!running) return;
    running.client.close(new Error("Cannot finish the media work: its worker was closed meanwhile"));
    await running.worker.terminate();
  }

  async #start(): Promise<Running> {
    const worker = await spawnWorker(this.#url, { name: "media" });
    const ended = worker.ended.then((cause) => {
      this.#running = undefined;
      return cause ?? new Error("Cannot finish the media work: its worker has ended");
    });
    return { worker, client: new RpcClient(worker, { ended, revive }) };
  }
}

/** Puts an error together, with its own class where callers distinguish classes. */
function revive(error: CarriedError): Error {
  switch (error.name) {
    case "EncoderError":
      return new EncoderError(error.message);
    case "RangeError":
      return new RangeError(error.message);
    default:
      return reviveError(error);
  }
}
