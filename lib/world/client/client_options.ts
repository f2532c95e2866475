import type { ChunkRecord, JobRecord } from "../protocol/wire.ts";
import type { WorldApiError } from "./world_api_error.ts";

/** Settings of a {@linkcode WorldClient}. */
export interface WorldClientOptions {
  /** Bearer token, for a server that was started with one. */
  readonly apiKey?: string;
  /** Sends the requests; the platform's own `fetch` when omitted. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Waits before the next look or attempt, in milliseconds; rejects when the signal aborts. A timer when omitted. */
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

/** Settings of {@linkcode WorldClient.events}. */
export interface EventsOptions extends WorldRequestOptions {
  /** Called each time that the server has taken the connection, at first and again after each loss. */
  readonly onOpen?: () => void;
  /** Called each time that the connection is lost, or that another attempt at it has failed. */
  readonly onLost?: (error: WorldApiError) => void;
}

/** One chunk of a job together with its file. */
export interface FetchedChunk {
  /** Its place in the job. */
  readonly chunk: ChunkRecord;
  /** A self-contained fragmented MP4 whose timestamps are absolute within the job. */
  readonly bytes: Uint8Array;
}
