import { abortableWait } from "./abortable_wait.ts";
import { PollInterval } from "./poll_interval.ts";
import { readWorldApiError, WorldApiError } from "./world_api_error.ts";
import type { ChunkRecord, JobRecord, RolloutRequestBody, WorldHealth, WorldSnapshot } from "../world/wire.ts";

/** Settings of a {@linkcode WorldClient}. */
export interface WorldClientOptions {
  /** Bearer token, for a server that was started with one. */
  readonly apiKey?: string;
  /** Sends the requests; the platform's own `fetch` when omitted. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Waits between two looks at a job, in milliseconds; rejects when the signal aborts. A timer when omitted. */
  readonly wait?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

/** Settings of one request. */
export interface WorldRequestOptions {
  /** Gives up waiting for the answer; what the server does is not changed by that. */
  readonly signal?: AbortSignal;
}

/** Settings of {@linkcode WorldClient.awaitJob}. */
export interface AwaitJobOptions extends WorldRequestOptions {
  /** Called with the record each time that it differs from the last one, the first and the final one included. */
  readonly onProgress?: (job: JobRecord) => void;
}

/** One chunk of a rollout together with its file. */
export interface FetchedChunk {
  /** Its place in the job. */
  readonly chunk: ChunkRecord;
  /** A self-contained fragmented MP4 whose timestamps are absolute within the job. */
  readonly bytes: Uint8Array;
}

/**
 * A typed client of the world session server. It needs nothing but `fetch`, so it runs in browsers too. Every method
 * throws a {@linkcode WorldApiError} when the server refuses or cannot be reached.
 *
 * @example Walk two blocks and take the chunks as they are made
 * ```ts
 * import { WorldClient } from "@svc/sdk";
 *
 * async function walk(image: Blob): Promise<void> {
 *   const client = new WorldClient("http://127.0.0.1:8791");
 *   await client.uploadSource(image);
 *   const job = await client.startRollout({ prompt: "a corridor", action_seq: ["w", "l"], num_output_frames: 6 });
 *   for await (const { chunk, bytes } of client.chunks(job.job_id)) {
 *     console.log(chunk.pixel_frame_range, bytes.length);
 *   }
 * }
 * ```
 */
export class WorldClient {
  /** Where the server is, without a slash at the end. */
  readonly baseUrl: string;
  readonly #options: WorldClientOptions;

  /**
   * A client of one server.
   *
   * @param baseUrl Where it is, such as `http://127.0.0.1:8791`.
   */
  constructor(baseUrl: string | URL, options: WorldClientOptions = {}) {
    this.baseUrl = new URL(baseUrl).href.replace(/\/+$/, "");
    this.#options = options;
  }

  /** Whether the server is there and what it does; never needs the key and never waits for the model. */
  async health(options?: WorldRequestOptions): Promise<WorldHealth> {
    const health = await this.#json<WorldHealth>("GET", "/health", undefined, options);
    if (health.object === "world.health") return health;
    throw new WorldApiError(
      `Cannot use ${this.baseUrl}: its /health is not that of a world server, ` +
        `expected "object":"world.health"; start one with svc world serve`,
      { status: 200, code: "unexpected_response" },
    );
  }

  /** The state of the session. */
  session(options?: WorldRequestOptions): Promise<WorldSnapshot> {
    return this.#json("GET", "/v1/world/session", undefined, options);
  }

  /** Loads and warms the world; answers when that is done. */
  prepare(options?: WorldRequestOptions): Promise<WorldSnapshot> {
    return this.#json("POST", "/v1/world/session/prepare", undefined, options);
  }

  /** Starts a new world from an image file of any size (PNG, JPEG, WebP, GIF, AVIF, BMP or TIFF, at most 32 MiB). */
  uploadSource(image: Uint8Array | Blob, options?: WorldRequestOptions): Promise<WorldSnapshot> {
    const blob = image instanceof Blob ? image : new Blob([image as Uint8Array<ArrayBuffer>]);
    const type = blob.type.startsWith("image/") ? blob.type : "application/octet-stream";
    return this.#json("POST", "/v1/world/session/source", { body: blob, type }, options);
  }

  /** Forgets the walk so far; the next rollout starts from the image, or needs an upload when there is none. */
  reset(sourceImage?: string, options?: WorldRequestOptions): Promise<WorldSnapshot> {
    const body = sourceImage === undefined ? undefined : jsonBody({ source_image: sourceImage });
    return this.#json("POST", "/v1/world/session/reset", body, options);
  }

  /** Releases the models and the walk; the next prepare or rollout loads them again. */
  unload(options?: WorldRequestOptions): Promise<WorldSnapshot> {
    return this.#json("POST", "/v1/world/session/unload", undefined, options);
  }

  /** Starts a walk; the answer is its job, which is then followed with {@linkcode awaitJob} or {@linkcode chunks}. */
  startRollout(request: RolloutRequestBody, options?: WorldRequestOptions): Promise<JobRecord> {
    return this.#json("POST", "/v1/world/session/rollouts", jsonBody(request), options);
  }

  /** The record of a job as it is now. */
  job(id: string, options?: WorldRequestOptions): Promise<JobRecord> {
    return this.#json("GET", jobPath(id), undefined, options);
  }

  /** Asks for a job's end; a job that has ended already is returned unchanged. */
  cancel(id: string, options?: WorldRequestOptions): Promise<JobRecord> {
    return this.#json("DELETE", jobPath(id), undefined, options);
  }

  /**
   * Follows a job to its end and returns the record of its completion. An aborted signal ends the waiting with the
   * signal's reason and leaves the job alone; {@linkcode cancel} ends the job.
   *
   * @throws {WorldApiError} with the job's own error when it failed, with the code `job_cancelled` when it was cancelled
   */
  async awaitJob(id: string, options: AwaitJobOptions = {}): Promise<JobRecord> {
    let last: JobRecord | undefined;
    for await (const job of this.#follow(id, options.signal)) {
      options.onProgress?.(job);
      last = job;
    }
    return completed(last as JobRecord);
  }

  /**
   * Yields every chunk of a job as soon as its file can be fetched, in order, and ends with the job.
   *
   * @throws {WorldApiError} as {@linkcode awaitJob} does, after the chunks that were made
   */
  async *chunks(id: string, options?: WorldRequestOptions): AsyncGenerator<FetchedChunk, void, void> {
    let last: JobRecord | undefined;
    let next = 0;
    for await (const job of this.#follow(id, options?.signal)) {
      for (const chunk of job.chunks.slice(next)) {
        yield { chunk, bytes: await this.#bytes(chunk.media_path, options) };
        next += 1;
      }
      last = job;
    }
    completed(last as JobRecord);
  }

  /** The whole video of a completed job: one MP4 file. */
  output(id: string, options?: WorldRequestOptions): Promise<Uint8Array> {
    return this.#bytes(`${jobPath(id)}/media/output`, options);
  }

  /** The last frame of a completed job: one PNG file. */
  terminalFrame(id: string, options?: WorldRequestOptions): Promise<Uint8Array> {
    return this.#bytes(`${jobPath(id)}/media/terminal-frame`, options);
  }

  /** Yields the record whenever it has changed, until it says that the job has ended. */
  async *#follow(id: string, signal?: AbortSignal): AsyncGenerator<JobRecord, void, void> {
    const interval = new PollInterval();
    const wait = this.#options.wait ?? abortableWait;
    let seen = "";
    while (true) {
      const job = await this.job(id, signal === undefined ? {} : { signal });
      const text = JSON.stringify(job);
      const changed = text !== seen;
      seen = text;
      if (changed) yield job;
      if (hasEnded(job)) return;
      await wait(interval.after(changed), signal);
    }
  }

  async #bytes(path: string, options?: WorldRequestOptions): Promise<Uint8Array> {
    const response = await this.#send("GET", path, undefined, options);
    try {
      return new Uint8Array(await response.arrayBuffer());
    } catch (cause) {
      throw this.#unreachable(cause, options);
    }
  }

  async #json<T>(method: string, path: string, body?: Body, options?: WorldRequestOptions): Promise<T> {
    const response = await this.#send(method, path, body, options);
    try {
      return await response.json() as T;
    } catch (cause) {
      options?.signal?.throwIfAborted();
      throw new WorldApiError(
        `Cannot read the answer to ${method} ${path}: it is no JSON, expected a world server's answer`,
        { status: response.status, code: "unexpected_response" },
        { cause },
      );
    }
  }

  async #send(method: string, path: string, body?: Body, options?: WorldRequestOptions): Promise<Response> {
    const headers = new Headers();
    if (body !== undefined) headers.set("content-type", body.type);
    if (this.#options.apiKey !== undefined) headers.set("authorization", `Bearer ${this.#options.apiKey}`);
    const request = new Request(this.baseUrl + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: body.body }),
      ...(options?.signal === undefined ? {} : { signal: options.signal }),
    });
    let response: Response;
    try {
      response = await (this.#options.fetch ?? fetch)(request);
    } catch (cause) {
      throw this.#unreachable(cause, options);
    }
    if (!response.ok) throw await readWorldApiError(response, `${method} ${path}`);
    return response;
  }

  /** The error of a connection that failed; an aborted request throws the signal's reason instead. */
  #unreachable(cause: unknown, options?: WorldRequestOptions): WorldApiError {
    options?.signal?.throwIfAborted();
    return new WorldApiError(
      `Cannot reach a world server at ${this.baseUrl}: the connection failed, ` +
        "check the address or start a server with svc world serve",
      { status: 0, code: "unreachable" },
      { cause },
    );
  }
}

interface Body {
  readonly body: Blob | string;
  readonly type: string;
}

function jsonBody(value: unknown): Body {
  return { body: JSON.stringify(value), type: "application/json" };
}

function jobPath(id: string): string {
  return `/v1/world/jobs/${encodeURIComponent(id)}`;
}

function hasEnded(job: JobRecord): boolean {
  return job.status === "completed" || job.status === "cancelled" || job.status === "failed";
}

function completed(job: JobRecord): JobRecord {
  if (job.status === "completed") return job;
  if (job.status === "cancelled") {
    throw new WorldApiError("Cannot finish the walk: the job was cancelled, start another one", {
      status: 200,
      code: "job_cancelled",
    });
  }
  throw new WorldApiError(job.error?.message ?? "Cannot finish the walk: the job failed without saying why", {
    status: 200,
    code: job.error?.code ?? "unexpected_response",
    ...(job.error?.type === undefined ? {} : { type: job.error.type }),
    ...(job.error?.param === undefined ? {} : { param: job.error.param }),
  });
}
