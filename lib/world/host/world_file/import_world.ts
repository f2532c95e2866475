/**
 * Takes a world out of its file into a state directory.
 *
 * @module
 */
import { diskError } from "../../../platform/files/disk_error.ts";
import { mkdir, open, rename, rm } from "../../../platform/files/file_system.ts";
import { dirname, join } from "../../../platform/files/paths.ts";
import { lockFolder } from "../../../platform/locks/lock_file.ts";
import { UsageError } from "../../../platform/terminal/flags.ts";
import type { SessionImage, WorldHead } from "../../session/journal/session_image.ts";
import { WorldJournal } from "../../session/journal/world_journal.ts";
import { type FoundWorld, readWorld } from "../../session/journal/read_world.ts";
import { hasJournal, journalFile } from "../journal_files.ts";
import { filesOf, nameBelow, nodesOf, pathsOf, readParts, requiredFiles } from "./world_file.ts";

/** Bytes of the longest part: the journal is one. */
const MOST = 256 * 2 ** 20;

/** What was taken in. */
export interface ImportedWorld {
  readonly world_id: string;
  readonly files: number;
}

/** The open file of a world that is being written. */
type Output = Awaited<ReturnType<typeof open>>;

/**
 * Takes a world in: it is there at the next start of a server with this state directory. Its id stays what it was, unless
 * there is such a world already. Nothing of it is believed before it is checked; a file that is damaged, cut off or
 * names files outside of the world leaves nothing behind.
 *
 * @throws {UsageError} for a file that is not a world, {FolderLockedError} while a server uses the state directory.
 */
export async function importWorld(directory: string, source: string): Promise<ImportedWorld> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const lock = await lockFolder(directory, { onWait: () => {}, onLost: () => {} });
  const temporary = join(directory, "worlds", `.import-${crypto.randomUUID()}`);
  try {
    await mkdir(temporary, { recursive: true, mode: 0o700 });
    return await take(directory, source, temporary);
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (error instanceof RangeError) {
      throw new UsageError(`Cannot import ${source}: ${message}, expected a file of svc world export`);
    }
    if (code === "ENOENT" || code === "EISDIR") throw new UsageError(`Cannot import ${source}: there is no such file`);
    throw diskError(error, `Cannot import ${source} into ${directory}`);
  } finally {
    await rm(temporary, { recursive: true, force: true });
    await lock.release();
  }
}

async function take(directory: string, source: string, temporary: string): Promise<ImportedWorld> {
  let world: CheckedWorld | undefined;
  let file: Output | undefined;
  /** Bytes of each file. */
  const sizes = new Map<string, number>();
  let name = "";
  try {
    for await (const { kind, data } of readParts(source, MOST)) {
      if (kind === "j" && !world) {
        world = await checkedWorld(directory, data);
      } else if (kind === "n" && world) {
        await file?.close();
        name = new TextDecoder().decode(data.subarray(0, 512));
        if (!world.names.has(name) || sizes.has(name)) throw new RangeError("it has a file that its world has not");
        sizes.set(name, 0);
        await mkdir(dirname(join(temporary, name)), { recursive: true, mode: 0o700 });
        file = await open(join(temporary, name), "wx", 0o600);
      } else if (kind === "d" && file) {
        await file.writeFile(data);
        sizes.set(name, sizes.get(name)! + data.length);
      } else if (kind !== "e") {
        throw new RangeError("its parts are in no order");
      }
    }
  } finally {
    await file?.close();
  }
  if (!world) throw new RangeError("it has no journal");
  const missing = [...world.required].find((required) => !sizes.get(required));
  if (missing !== undefined) throw new RangeError(`it lacks ${missing}, which its world needs`);
  const { head, image, found, folder } = world;
  const { journal } = await WorldJournal.open(journalFile(temporary), join(folder, "/"));
  await journal.start(head, image, nodesOf(image, found), found.origin);
  await rename(temporary, folder);
  return { world_id: head.id, files: sizes.size };
}

interface CheckedWorld {
  readonly head: WorldHead;
  readonly image: SessionImage;
  readonly found: FoundWorld;
  /** Where it is going to be. */
  readonly folder: string;
  /** The files that it may have. */
  readonly names: ReadonlySet<string>;
  /** Those that it must have. */
  readonly required: ReadonlySet<string>;
}

/** A journal from elsewhere, of which every path leads into the folder of its world. */
async function checkedWorld(directory: string, bytes: Uint8Array): Promise<CheckedWorld> {
  const others = join(directory, "worlds");
  const first = readWorld(bytes, "/").found.head;
  const isTaken = first && (await hasJournal(join(others, first.id)) || await isDefault(directory, first.id));
  const id = first && !isTaken ? first.id : crypto.randomUUID();
  const folder = join(others, id);
  const root = join(folder, "/");
  const { found } = readWorld(bytes, root);
  const { head, image } = found;
  if (found.state !== "whole" || !head || !image) throw new RangeError("its journal is damaged");
  const isInside = (path: string): boolean => nameBelow(root, path) !== undefined;
  // A video that a client had named is not part of its world.
  const jobs = image.jobs.filter((job) => pathsOf(job).every(isInside));
  const checked = { ...image, jobs };
  if (!pathsOf(checked).every(isInside)) throw new RangeError("it names files outside of its world");
  const nodes = nodesOf(checked, found);
  return {
    head: { ...head, id },
    image: checked,
    found,
    folder,
    names: filesOf(checked, nodes, root),
    required: requiredFiles(checked, nodes, root),
  };
}

async function isDefault(directory: string, id: string): Promise<boolean> {
  const bytes = await journalFile(directory).read(MOST);
  return bytes !== undefined && readWorld(bytes, join(directory, "/")).found.head?.id === id;
}
