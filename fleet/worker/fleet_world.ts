/**
 * A world of a fleet on this worker: opened from its journal in the broker, closed for another worker.
 *
 * @module
 */
import type { BlobStore } from "../files/blob_store.ts";
import type { JournalEntry, JournalStore, SessionRecord } from "../protocol/broker.ts";
import type { FencedLog } from "../protocol/fenced_log.ts";
import type { Seat } from "../protocol/worker_seats.ts";
import { openMedia } from "../../lib/media/video/open_media.ts";
import { mkdir, rm } from "../../lib/platform/files/file_system.ts";
import { pathPolicy } from "../../lib/platform/files/path_policy.ts";
import { join } from "../../lib/platform/files/paths.ts";
import { AsyncContext } from "../../lib/platform/processes/runtime.ts";
import type { Log } from "../../lib/platform/processes/log.ts";
import { openKeeper } from "../../lib/world/session/journal/open_keeper.ts";
import { WorldSession } from "../../lib/world/session/world_session.ts";
import type { Worlds } from "../../lib/world/session/worlds.ts";
import { stateStore } from "../../lib/world/host/journal_files.ts";
import type { ServedModel } from "../../lib/app/world/served_model.ts";
import { stateFiles } from "../../lib/world/host/state_files.ts";
import { fleetClock } from "../nats/connect_fleet.ts";
import type { FleetRequest } from "./fleet_entries.ts";
import { FleetJournal, readEntries } from "./fleet_journal.ts";
import type { SessionLimits } from "../../lib/world/session/session_options.ts";
import { FleetFiles } from "./fleet_files.ts";

/** The work that a request with a key does; its entry in the journal names it once. */
export interface RequestWork {
  readonly request: FleetRequest;
  isWritten: boolean;
}

/** What worlds of a fleet share on a worker. */
export interface FleetWorldOptions {
  readonly served: ServedModel;
  readonly worlds: Worlds;
  readonly blobs: BlobStore;
  readonly journals: JournalStore;
  /** Folder of the worlds' files. */
  readonly directory: string;
  readonly encoder?: string | undefined;
  /** Of each world. */
  readonly limits: SessionLimits;
  readonly log: Log;
  /** Milliseconds that a job may take to end when the world is left. */
  readonly grace: number;
}

/** A world of a fleet that is open here. */
export interface FleetWorld extends Seat {
  readonly journal: FleetJournal;
  readonly log: FencedLog;
  /** Aborts when the world belongs to another worker, or is about to. */
  readonly left: AbortSignal;
  /** A move whose job has not ended, to be made again. */
  readonly unfinished: FleetRequest | undefined;
  /** When its last request was, and how many streams of events are open. */
  readonly use: { last: number; streams: number };
  /** Whether no job runs. */
  readonly isIdle: boolean;
  /** Runs work of a request. */
  run<T>(request: FleetRequest, work: () => Promise<T>): Promise<T>;
}

/** Milliseconds between two looks at a job. */
const LOOK = 25;

/** Opens a world. */
export async function openFleetWorld(
  options: FleetWorldOptions,
  session: string,
  record: SessionRecord,
  log: FencedLog,
  entries: readonly JournalEntry[],
): Promise<FleetWorld> {
  const { served, worlds, blobs, journals, log: write } = options;
  await worlds.admit(); // where it is refused, the ticket goes to another worker
  const folder = join(options.directory, session);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await readEntries(entries, blobs);
  const work = new AsyncContext<RequestWork>();
  const ended = new AbortController();
  const files = new FleetFiles({
    blobs,
    root: folder,
    known: found.files,
    clock: fleetClock(),
    ended: ended.signal,
  });
  const request = (): FleetRequest | undefined => {
    const current = work.current;
    if (!current || current.isWritten) return undefined;
    current.isWritten = true;
    return current.request;
  };
  const journal = new FleetJournal({ log, journals, session, blobs, files, found, request });
  const world = files.world(stateFiles(folder, { policy: pathPolicy([folder]) }));
  const states = files.states(stateStore(folder));
  const media = openMedia(options.encoder === undefined ? {} : { encoder: options.encoder });
  const { backend, chain } = served.openKept(states);
  const newId = (): string => crypto.randomUUID();
  const clock = (): Date => new Date();
  const { name, pool, created_at } = record;
  const opened = await openKeeper({
    file: journal,
    states,
    files: world,
    decodeImage: (bytes) => media.decodeImage(bytes),
    chain,
    head: { id: session, backend: backend.name, created_at, pool, ...(name !== undefined && { name }) },
    backend: backend.name,
    model: served.fingerprint,
    newId,
    clock,
    resumes: true,
    onEvent: ({ level, event, detail }) => write(level, event, detail),
  });
  const worldSession = new WorldSession({
    backend,
    record: served.record,
    roots: served.roots,
    memory: served.memory,
    media,
    files: world,
    clock,
    newId,
    newJobId: () => work.current?.request.move?.job ?? newId(),
    keeper: opened.keeper,
    ...options.limits,
    onEvent: ({ level, event, detail }) => write(level, event, detail),
  });
  const left = new AbortController();
  worlds.adopt({ head: opened.head, session: worldSession, remove: () => Promise.resolve() });
  const job = found.move?.move?.job;
  const hasEnded = job === undefined || opened.keeper.restored?.jobs.some(({ jobId }) => jobId === job);
  return {
    journal,
    log,
    left: left.signal,
    use: { last: performance.now(), streams: 0 },
    get isIdle() {
      return isIdle(worldSession);
    },
    unfinished: hasEnded ? undefined : found.move,
    run: (request, call) => work.run({ request, isWritten: false }, call),
    async close(why) {
      left.abort();
      if (why === "leaving") {
        await untilIdle(worldSession, options.grace);
        await worldSession.park();
      }
      ended.abort();
      await worlds.release(session);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Waits for the job that runs. */
async function untilIdle(session: WorldSession, grace: number): Promise<void> {
  for (let waited = 0; waited < grace && !isIdle(session); waited += LOOK) {
    await new Promise((resolve) => setTimeout(resolve, LOOK));
  }
}

function isIdle(session: WorldSession): boolean {
  try {
    session.checkIdle("leave the world");
    return true;
  } catch {
    return false;
  }
}
