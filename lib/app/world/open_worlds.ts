/**
 * The worlds of a server on the disk: the sessions that an earlier process has left, and new ones.
 *
 * @module
 */
import type { Media } from "../../media/video/media.ts";
import { openMedia } from "../../media/video/open_media.ts";
import { removeLeftovers } from "../../platform/files/atomic_write.ts";
import { mkdir, readdir, rename, rm } from "../../platform/files/file_system.ts";
import { pathPolicy } from "../../platform/files/path_policy.ts";
import { join } from "../../platform/files/paths.ts";
import type { Log } from "../../platform/processes/log.ts";
import type { ArtifactKind } from "../../world/session/artifacts.ts";
import type { Backend } from "../../world/session/backend.ts";
import { openKeeper } from "../../world/session/journal/open_keeper.ts";
import type { WorldHead } from "../../world/session/journal/session_image.ts";
import { admitSize, type SessionMemory, SharedMemory } from "../../world/session/session_memory.ts";
import { DEFAULT_FRAMES } from "../../world/protocol/requests/transition_request.ts";
import type { SessionLimits, WorldSessionOptions } from "../../world/session/session_options.ts";
import { SvcError } from "../../errors/svc_error.ts";
import { WorldSession } from "../../world/session/world_session.ts";
import { type OpenedWorld, Worlds } from "../../world/session/worlds.ts";
import { AnswerFile } from "../../world/session/journal/answer_file.ts";
import { answersFile, hasJournal, journalFile, stateStore } from "../../world/host/journal_files.ts";
import type { ServedModel } from "./served_model.ts";
import { stateFiles } from "../../world/host/state_files.ts";
import { noteUnkept, removeUnkept, removeUnkeptWorld } from "../../world/host/unkept_files.ts";

/** What the worlds of a server depend on. */
export interface OpenWorldsOptions {
  readonly served: ServedModel;
  /** The state directory. */
  readonly directory: string;
  /** Folders besides it that requests may name files in. */
  readonly allowPaths: readonly string[];
  /** Whether worlds outlive the process. */
  readonly journal: boolean;
  readonly encoder?: string | undefined;
  /** Of each world. */
  readonly limits?: SessionLimits | undefined;
  readonly maxWorlds?: number | undefined;
  readonly log: Log;
}

/** Ends the name of the folder of a world that is being removed. */
const REMOVED = ".removed";

/** The name of the folder of a world besides the first. */
const WORLD_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Opens the first world and all that an earlier process has left. */
export async function openWorlds(options: OpenWorldsOptions): Promise<Worlds> {
  const { directory, journal, served, log } = options;
  const newId = (): string => crypto.randomUUID();
  const clock = (): Date => new Date();
  const others = join(directory, "worlds");
  const memory = new SharedMemory(served.memory);
  const newHead = (id: string): WorldHead => ({
    id,
    backend: served.backend.name,
    created_at: clock().toISOString(),
  });
  const openSession = (
    folder: string,
    backend: Backend,
    media: Media,
    kept: Pick<WorldSessionOptions, "keeper" | "onFiles" | "lastNumber">,
  ): WorldSession => {
    const session: WorldSession = new WorldSession({
      backend,
      record: served.record,
      roots: served.roots,
      memory: memory.for(() => session),
      media,
      files: filesOf(folder, options.allowPaths),
      clock,
      newId,
      ...kept,
      ...options.limits,
      onEvent: ({ level, event, detail }) => log(level, event, detail),
    });
    return session;
  };
  const openWorld = async (folder: string, head: WorldHead, remove: () => Promise<void>): Promise<OpenedWorld> => {
    const lastNumber = await removeUnkept(folder);
    const media = openMedia(options.encoder === undefined ? {} : { encoder: options.encoder });
    if (!journal) {
      const onFiles = (kind: ArtifactKind, number: number) => noteUnkept(folder, kind, number);
      return { head, session: openSession(folder, served.openBackend(), media, { onFiles, lastNumber }), remove };
    }
    const states = stateStore(folder);
    const { backend, chain } = served.openKept(states);
    const opened = await openKeeper({
      file: journalFile(folder),
      states,
      files: filesOf(folder, options.allowPaths),
      decodeImage: (bytes) => media.decodeImage(bytes),
      chain,
      head,
      backend: backend.name,
      model: served.fingerprint,
      newId,
      clock,
      onEvent: ({ level, event, detail }) => log(level, event, detail),
    });
    const session = openSession(folder, backend, media, { keeper: opened.keeper });
    const answers = await AnswerFile.open(answersFile(folder, "world"));
    return { head: opened.head, session, answers, remove };
  };
  const openOther = async (head: WorldHead): Promise<OpenedWorld> => {
    const folder = join(others, head.id);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return await openWorld(folder, head, async () => {
      await rename(folder, folder + REMOVED); // a world is there or it is not, whenever the process ends
      await rm(folder + REMOVED, { recursive: true, force: true });
    });
  };
  await removeLeftovers(directory);
  const first = await openWorld(directory, newHead(newId()), () => Promise.resolve());
  const restored: OpenedWorld[] = [];
  await removeEnded(others);
  for (const id of journal ? await worldFolders(others) : []) restored.push(await openOther(newHead(id)));
  return new Worlds({
    first,
    restored,
    areKept: journal,
    maxWorlds: options.maxWorlds,
    newId,
    clock,
    open: openOther,
    admit: () => admitWorld(memory.forNewWorld(), served.roots, first.session.snapshot().model.device),
  });
}

/** Refuses a world whose frames of the model's own size would not fit beside those that work now. */
async function admitWorld(memory: SessionMemory, roots: ServedModel["roots"], device: string): Promise<void> {
  try {
    const { defaults: { width = memory.unit, height = memory.unit } } = await roots();
    await admitSize(memory, device, "open a world", { width, height, frames: DEFAULT_FRAMES });
  } catch (error) {
    // The first move reports any other reason; it may ask for a smaller size.
    if (error instanceof SvcError && error.code === "memory_pressure") throw error;
  }
}

/** Ids of the worlds that an earlier process has left. */
async function worldFolders(others: string): Promise<string[]> {
  const ids: string[] = [];
  for (const name of await readdir(others).catch(() => [])) {
    if (WORLD_ID.test(name) && await hasJournal(join(others, name))) ids.push(name);
  }
  return ids;
}

/** Removes what killed servers have left of worlds that were deleted or had no journal. */
async function removeEnded(others: string): Promise<void> {
  for (const name of await readdir(others).catch(() => [])) {
    const folder = join(others, name);
    const isDeleted = name.endsWith(REMOVED) && WORLD_ID.test(name.slice(0, -REMOVED.length));
    if (isDeleted) await rm(folder, { recursive: true, force: true });
    else if (WORLD_ID.test(name) && !await hasJournal(folder)) await removeUnkeptWorld(folder);
  }
}

function filesOf(folder: string, allowPaths: readonly string[]): ReturnType<typeof stateFiles> {
  return stateFiles(folder, { policy: pathPolicy([".", folder, ...allowPaths]) });
}
