import type { ChunkRecord } from "../protocol/job_record.ts";
import type { WorldApiError } from "./world_api_error.ts";

/** Options of a {@linkcode WorldClient}. */
export interface WorldClientOptions {
  /** Bearer token, for a server started with an API key. */
  readonly apiKey?: string;
  /** Sends the requests; the platform's `fetch` by default. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Waits before the next poll or attempt, in milliseconds; rejects when the signal aborts. A timer by default. */
  readonly wait?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

/** Options of one request. */
export interface WorldRequestOptions {
  /** Stops waiting for the answer; the server is not affected. */
  readonly signal?: AbortSignal;
}

/** Options of {@linkcode WorldClient.events}. */
export interface EventsOptions extends WorldRequestOptions {
  /** Called whenever the connection opens, at first and after each loss. */
  readonly onOpen?: () => void;
  /** Called whenever the connection is lost or another attempt at it fails. */
  readonly onLost?: (error: WorldApiError) => void;
}

/** One chunk of a job with its file. */
export interface FetchedChunk {
  /** Its record in the job. */
  readonly chunk: ChunkRecord;
  /** A self-contained fragmented MP4 whose timestamps are absolute within the job. */
  readonly bytes: Uint8Array;
}

/** A batch of rollouts under a name; see {@linkcode WorldClient.rollouts}. */
export interface RolloutBatch {
  /** Adds specs, each once. */
  submit(
    specs: string | readonly object[],
    options?: WorldRequestOptions & { readonly pool?: string; readonly firstLine?: number },
  ): Promise<{ readonly added: number; readonly known: number }>;
  /** Uploads a picture that specs name by its SHA-256. */
  addSource(
    image: Uint8Array,
    options?: WorldRequestOptions,
  ): Promise<{ readonly sha256: string; readonly size: number }>;
  /** Counts its rollouts. */
  status(options?: WorldRequestOptions): Promise<{
    readonly rollouts: number;
    readonly waiting: number;
    readonly running: number;
    readonly done: number;
    readonly failed: number;
    readonly failures: readonly { readonly item: string; readonly reason: string; readonly attempts: number }[];
  }>;
  /** Those that are done or failed, one after another. */
  results(options?: WorldRequestOptions): AsyncIterable<{
    readonly item: string;
    readonly phase: "done" | "failed";
    readonly attempts: number;
    readonly video?: { readonly sha256: string; readonly size: number };
    readonly frame?: { readonly sha256: string; readonly size: number };
    readonly pixelsSha256?: string;
    readonly pixelFrameCount?: number;
    readonly seconds?: number;
    readonly reason?: string;
  }>;
  /** The video of one as MP4, or its last frame as PNG. */
  file(item: string, which: "video" | "frame", options?: WorldRequestOptions): Promise<Uint8Array>;
  /** Ends and forgets all. */
  remove(options?: WorldRequestOptions): Promise<{ readonly removed: number }>;
}
