/**
 * Writes a world into one file.
 *
 * @module
 */
import { diskError } from "../../../platform/files/disk_error.ts";
import { openFile } from "../../../platform/files/open_file.ts";
import { open, rename, rm } from "../../../platform/files/file_system.ts";
import { join } from "../../../platform/files/paths.ts";
import { UsageError } from "../../../platform/terminal/flags.ts";
import { MAX_JOURNAL, WorldJournal } from "../../session/journal/world_journal.ts";
import { readWorld } from "../../session/journal/read_world.ts";
import { hasJournal, journalFile } from "../journal_files.ts";
import { encodePart, filesOf, MAGIC, nodesOf, PART, type PartKind, requiredFiles } from "./world_file.ts";

/** What was written. */
export interface ExportedWorld {
  readonly world_id: string;
  readonly path: string;
  readonly bytes: number;
  readonly files: number;
}

/**
 * Writes a world of a state directory into a new file. A server may be using it: what is written is the world as it was
 * after one of its moves.
 *
 * @param id A world's id, or `default`.
 * @throws {UsageError} when there is no such world, a file of it is gone or the file exists.
 */
export async function exportWorld(directory: string, id: string, target: string): Promise<ExportedWorld> {
  const folder = await folderOf(directory, id);
  const root = join(folder, "/");
  const bytes = await journalFile(folder).read(MAX_JOURNAL);
  const { found } = readWorld(bytes ?? new Uint8Array(), root);
  const { head, image, origin } = found;
  if (!head || !image) {
    throw new UsageError(`Cannot export world ${id}: it has shown no picture yet, upload a source first`);
  }
  const nodes = nodesOf(image, found);
  const required = requiredFiles(image, nodes, root);
  let journal: Uint8Array = new Uint8Array();
  const copy = await WorldJournal.open({
    read: () => Promise.resolve(undefined),
    append: () => Promise.resolve(),
    replace: (written) => {
      journal = written;
      return Promise.resolve();
    },
    setAside: () => Promise.resolve(),
  }, root);
  await copy.journal.start(head, image, nodes, origin);
  const temporary = `${target}.${crypto.randomUUID()}.tmp`;
  const file = await open(temporary, "wx", 0o600).catch((error) => {
    throw new UsageError(`Cannot write ${target}: ${error.code}, expected a folder that exists`);
  });
  let [size, count] = [0, 0];
  const write = async (kind: PartKind, data: Uint8Array): Promise<void> => {
    const part = encodePart(kind, data);
    await file.writeFile(part);
    size += part.length;
  };
  try {
    try {
      await file.writeFile(MAGIC);
      await write("j", journal);
      for (const name of filesOf(image, nodes, root)) {
        const source = await openFile(join(folder, name));
        if (!source && required.has(name)) throw new UsageError(`Cannot export world ${id}: it lacks ${name}`);
        if (!source) continue; // a folder, or a video that had to make room
        await write("n", new TextEncoder().encode(name));
        for (let at = 0; at < source.size; at += PART) {
          const part = source.stream(at, Math.min(source.size, at + PART) - 1);
          await write("d", new Uint8Array(await new Response(part).arrayBuffer()));
        }
        count++;
      }
      await write("e", new Uint8Array());
      await file.sync();
    } finally {
      await file.close();
    }
    if (await openFile(target)) throw new UsageError(`Cannot write ${target}: it exists already, choose another name`);
    await rename(temporary, target);
  } catch (error) {
    throw diskError(error, `Cannot write ${target}`);
  } finally {
    await rm(temporary, { force: true });
  }
  return { world_id: head.id, path: target, bytes: MAGIC.length + size, files: count };
}

/** The folder of a world in a state directory: the first one is known by its id too. */
async function folderOf(directory: string, id: string): Promise<string> {
  const known = id.toLowerCase();
  const folder = join(directory, "worlds", known);
  const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(known);
  if (isId && await hasJournal(folder)) return folder;
  if (await hasJournal(directory)) {
    const bytes = await journalFile(directory).read(MAX_JOURNAL);
    const { found } = readWorld(bytes ?? new Uint8Array(), join(directory, "/"));
    if (known === "default" || found.head?.id === known) return directory;
  }
  throw new UsageError(
    `Cannot find world ${JSON.stringify(id)} in ${directory}: expected an id of GET /v1/worlds, or default`,
  );
}
