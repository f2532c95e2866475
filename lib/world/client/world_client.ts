import type {
  CheckpointRecord,
  StartCheck,
  WorldEvent,
  WorldHealth,
  WorldSnapshot,
  WorldStart,
} from "../protocol/wire.ts";
import type { JobRecord } from "../protocol/job_record.ts";
import type { RolloutRequestBody, TransitionRequestBody } from "../protocol/requests/request_bodies.ts";
import { abortableWait } from "../protocol/abortable_wait.ts";
import type {
  EventsOptions,
  FetchedChunk,
  RolloutBatch,
  WorldClientOptions,
  WorldRequestOptions,
} from "./client_options.ts";
import type { WalkRecord } from "../protocol/walk_record.ts";
import { completed, followEvents, followJob } from "./follow.ts";
import { rolloutBatch } from "./rollout_batch.ts";
import { WorldApiError } from "./world_api_error.ts";
import { jsonBody, WorldTransport } from "./world_transport.ts";

const SESSION = "/v1/world/session";
const CHECKPOINTS = `${SESSION}/checkpoints`;

/**
 * A typed client of the world session server. It needs nothing but `fetch`, so it runs in browsers too. Every method
 * throws a {@linkcode WorldApiError} when the server refuses or cannot be reached.
 *
 * @example Walk, look around, and take the chunks as they are made
 * ```ts
 * import { WorldClient } from "@svc/sdk/client";
 *
 * async function walk(image: Blob): Promise<void> {
 *   const client = new WorldClient("http://127.0.0.1:8791");
 *   await client.uploadSource(image);
 *   const walked = await client.startRollout({ prompt: "a corridor", actionSeq: ["w", "l"], numOutputFrames: 6 });
 *   for await (const { chunk, bytes } of client.chunks(walked.jobId)) {
 *     console.log(chunk.pixelFrameRange, bytes.length);
 *   }
 *   const here = await client.createCheckpoint("the corner");
 *   const turned = await client.startTransition({
 *     prompt: "a corridor",
 *     camera: { motion: "yawLeft", translationMeters: [0, 0, 0], rotationDegrees: [0, -15, 0] },
 *   });
 *   console.log((await client.awaitJob(turned.jobId)).receipt?.terminalWorldPose);
 *   await client.restoreCheckpoint(here.checkpointId);
 * }
 * ```
 */
export class WorldClient {
  /** Base URL of the server, without a trailing slash. */
  readonly baseUrl: string;
  readonly #transport: WorldTransport;
  readonly #wait: NonNullable<WorldClientOptions["wait"]>;

  /**
   * A client of one server.
   *
   * @param baseUrl Its address, such as `http://127.0.0.1:8791`.
   */
  constructor(baseUrl: string | URL, options: WorldClientOptions = {}) {
    this.#transport = new WorldTransport(baseUrl, options);
    this.#wait = options.wait ?? abortableWait;
    this.baseUrl = this.#transport.baseUrl;
  }

  /** Whether the server is up, and its phase; never needs the key and never waits for the model. */
  async health(options?: WorldRequestOptions): Promise<WorldHealth> {
    const health = await this.#transport.json<WorldHealth>("/health", options);
    if (health.object === "world.health") return health;
    throw new WorldApiError(
      `Cannot use ${this.baseUrl}: its /health is not a world server's, ` +
        `expected "object":"world.health"; start one with svc world serve`,
      { status: 200, code: "unexpected_response" },
    );
  }

  /** The image that comes with the model, and its prompt; fails with `start_not_found` when there is none. */
  start(options?: WorldRequestOptions): Promise<WorldStart> {
    return this.#transport.json("/v1/world/start", options);
  }

  /** The image that comes with the model: a PNG file, suitable for {@linkcode uploadSource}. */
  startImage(options?: WorldRequestOptions): Promise<Uint8Array> {
    return this.media("/v1/world/start/image", options);
  }

  /**
   * A picture of a described place from the server's image model: a PNG file, suitable for {@linkcode uploadSource}.
   *
   * @param place Equal seeds give equal pictures; 42 by default.
   */
  startPicture(
    place: { readonly prompt: string; readonly seed?: number | string },
    options?: WorldRequestOptions,
  ): Promise<Uint8Array> {
    return this.#transport.bytes("/v1/world/start/picture", { ...options, method: "POST", body: jsonBody(place) });
  }

  /** The state of the session. */
  session(options?: WorldRequestOptions): Promise<WorldSnapshot> {
    return this.#transport.json(SESSION, options);
  }

  /** The record of the walk: its states, and the requests that make every move again. */
  walk(options?: WorldRequestOptions): Promise<WalkRecord> {
    return this.#transport.json(`${SESSION}/walk`, options);
  }

  /** Loads and warms up the world; resolves when that is done. */
  prepare(options?: WorldRequestOptions): Promise<WorldSnapshot> {
    return this.#transport.json(`${SESSION}/prepare`, { ...options, method: "POST" });
  }

  /** Starts a new world from an image file of any size (PNG, JPEG, WebP, GIF, AVIF, BMP or TIFF, at most 32 MiB). */
  uploadSource(image: Uint8Array | Blob, options?: WorldRequestOptions): Promise<WorldSnapshot> {
    return this.#transport.json(`${SESSION}/source`, { ...options, method: "POST", body: imageBody(image) });
  }

  /** What a world that began with an image file would begin with; changes nothing. */
  checkSource(image: Uint8Array | Blob, options?: WorldRequestOptions): Promise<StartCheck> {
    return this.#transport.json(`${SESSION}/source/check`, { ...options, method: "POST", body: imageBody(image) });
  }

  /** Discards the walk so far; the next move starts from the given image, or needs an upload when there is none. */
  reset(sourceImage?: string, options?: WorldRequestOptions): Promise<WorldSnapshot> {
    const body = sourceImage === undefined ? {} : { body: jsonBody({ sourceImage }) };
    return this.#transport.json(`${SESSION}/reset`, { ...options, method: "POST", ...body });
  }

  /** Releases the models and the walk; the next prepare or move loads them again. */
  unload(options?: WorldRequestOptions): Promise<WorldSnapshot> {
    return this.#transport.json(`${SESSION}/unload`, { ...options, method: "POST" });
  }

  /**
   * Starts a camera move; returns its job, to be followed with {@linkcode awaitJob} or {@linkcode chunks}. The exact
   * inverse of the last move is replayed without generating.
   */
  startTransition(request: TransitionRequestBody, options?: WorldRequestOptions): Promise<JobRecord> {
    return this.#transport.json(`${SESSION}/transitions`, { ...options, method: "POST", body: jsonBody(request) });
  }

  /**
   * Batch rollouts under a name, when the server is the gateway of a fleet. `submit` adds specs, each once: bodies of
   * rollouts with an `id`, and where they do not start from the world's own picture with the SHA-256 of an uploaded one
   * as `source`; or the same as JSON, one per line.
   */
  rollouts(dataset: string): RolloutBatch {
    return rolloutBatch(this.#transport, dataset);
  }

  /** Starts a walk along keys; returns its job, as {@linkcode startTransition} does. */
  startRollout(request: RolloutRequestBody, options?: WorldRequestOptions): Promise<JobRecord> {
    return this.#transport.json(`${SESSION}/rollouts`, { ...options, method: "POST", body: jsonBody(request) });
  }

  /** Saves the current state of the session as a checkpoint with a name of 1 to 200 characters. */
  createCheckpoint(name: string, options?: WorldRequestOptions): Promise<CheckpointRecord> {
    return this.#transport.json(CHECKPOINTS, { ...options, method: "POST", body: jsonBody({ name }) });
  }

  /** The checkpoints, oldest first. */
  checkpoints(options?: WorldRequestOptions): Promise<CheckpointRecord[]> {
    return this.#transport.json(CHECKPOINTS, options);
  }

  /** Returns to a checkpoint, which is kept. */
  restoreCheckpoint(id: string, options?: WorldRequestOptions): Promise<WorldSnapshot> {
    return this.#transport.json(`${checkpointPath(id)}/restore`, { ...options, method: "POST" });
  }

  /** Deletes a checkpoint; returns its record. */
  deleteCheckpoint(id: string, options?: WorldRequestOptions): Promise<CheckpointRecord> {
    return this.#transport.json(checkpointPath(id), { ...options, method: "DELETE" });
  }

  /** The image of a checkpoint: a PNG file. */
  checkpointFrame(id: string, options?: WorldRequestOptions): Promise<Uint8Array> {
    return this.media(`${checkpointPath(id)}/media/frame`, options);
  }

  /** The current record of a job. */
  job(id: string, options?: WorldRequestOptions): Promise<JobRecord> {
    return this.#transport.json(jobPath(id), options);
  }

  /** Cancels a job; one that has already ended is returned unchanged. */
  cancel(id: string, options?: WorldRequestOptions): Promise<JobRecord> {
    return this.#transport.json(jobPath(id), { ...options, method: "DELETE" });
  }

  /**
   * Follows a job to its end and returns the completed record. An aborted signal stops the wait with the signal's
   * reason and does not affect the job; {@linkcode cancel} does. `onProgress` gets the record whenever it has changed, the
   * first and the final one included.
   *
   * @throws {WorldApiError} with the job's own error when it failed, with the code `job_cancelled` when it was
   * cancelled
   */
  async awaitJob(
    id: string,
    { signal, onProgress }: WorldRequestOptions & { readonly onProgress?: (job: JobRecord) => void } = {},
  ): Promise<JobRecord> {
    let last: JobRecord | undefined;
    for await (const job of this.#follow(id, signal)) {
      onProgress?.(job);
      last = job;
    }
    return completed(last as JobRecord);
  }

  /**
   * Yields every chunk of a job in order, as soon as its file can be fetched, and ends with the job.
   *
   * @throws {WorldApiError} as {@linkcode awaitJob} does, after the chunks that were made
   */
  async *chunks(id: string, options?: WorldRequestOptions): AsyncGenerator<FetchedChunk, void, void> {
    let last: JobRecord | undefined;
    let next = 0;
    for await (const job of this.#follow(id, options?.signal)) {
      for (const chunk of job.chunks.slice(next)) {
        yield { chunk, bytes: await this.media(chunk.mediaPath, options) };
        next += 1;
      }
      last = job;
    }
    completed(last as JobRecord);
  }

  /**
   * Yields what happens in the session, beginning with a snapshot, for as long as the loop runs. A connection that
   * breaks is reopened and resumes after the last event, or with a fresh snapshot when too much was missed.
   *
   * @throws {WorldApiError} when the first attempt fails, and when the server refuses; the signal's reason when aborted
   *
   * @example Show the progress of whatever the session does
   * ```ts
   * import { WorldClient } from "@svc/sdk/client";
   *
   * async function watch(client: WorldClient, signal: AbortSignal): Promise<void> {
   *   for await (const { event, data } of client.events({ signal })) {
   *     if (event === "snapshot") console.log(data.phase);
   *     else if (event === "job") console.log(data.status, data.progress?.fraction);
   *     else console.log(data.mediaPath);
   *   }
   * }
   * ```
   */
  events(options: EventsOptions = {}): AsyncGenerator<WorldEvent, void, void> {
    return followEvents(this.#transport, this.#wait, options);
  }

  /** The whole video of a completed job: an MP4 file. */
  output(id: string, options?: WorldRequestOptions): Promise<Uint8Array> {
    return this.media(`${jobPath(id)}/media/output`, options);
  }

  /** The last frame of a completed job: a PNG file. */
  terminalFrame(id: string, options?: WorldRequestOptions): Promise<Uint8Array> {
    return this.media(`${jobPath(id)}/media/terminal-frame`, options);
  }

  /** The current image of the session: a PNG file; undefined when there is none. */
  async currentFrame(options?: WorldRequestOptions): Promise<Uint8Array | undefined> {
    const { currentFrameMediaPath: path } = await this.session(options);
    return path === undefined ? undefined : await this.media(path, options);
  }

  /** A file by the `mediaPath` of a record. */
  media(path: string, options?: WorldRequestOptions): Promise<Uint8Array> {
    return this.#transport.bytes(path, options);
  }

  #follow(id: string, signal?: AbortSignal): AsyncGenerator<JobRecord, void, void> {
    return followJob(this.#transport, jobPath(id), this.#wait, signal);
  }
}

function imageBody(image: Uint8Array | Blob): { readonly data: Blob; readonly type: string } {
  const data = image instanceof Blob ? image : new Blob([image as Uint8Array<ArrayBuffer>]);
  return { data, type: data.type.startsWith("image/") ? data.type : "application/octet-stream" };
}

function jobPath(id: string): string {
  return `/v1/world/jobs/${encodeURIComponent(id)}`;
}

function checkpointPath(id: string): string {
  return `${CHECKPOINTS}/${encodeURIComponent(id)}`;
}
