/**
 * The journal of a world, and its states, as files.
 *
 * @module
 */
import { replaceFile, writeNewFile } from "../../platform/files/atomic_write.ts";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "../../platform/files/file_system.ts";
import { join } from "../../platform/files/paths.ts";
import type { StateFiles } from "../session/journal/chain_node.ts";
import type { JournalFile } from "../session/journal/world_journal.ts";
import { writeError } from "./state_files.ts";

/** The folder of the journal in the state directory of a world. */
export const JOURNAL_FOLDER = "journal";

/** The name of the journal in it. */
const JOURNAL = "world.journal";

/** Whether a folder holds a world that was kept. */
export async function hasJournal(directory: string): Promise<boolean> {
  return await stat(join(directory, JOURNAL_FOLDER, JOURNAL)).then((info) => info.isFile(), () => false);
}

/** The journal of a world in its state directory. */
export function journalFile(directory: string): JournalFile {
  return fileIn(join(directory, JOURNAL_FOLDER), JOURNAL);
}

/**
 * Answers that outlive their process, in a state directory.
 *
 * @param of What they are about.
 */
export function answersFile(directory: string, of: "world" | "server"): JournalFile {
  return fileIn(join(directory, JOURNAL_FOLDER), `${of}.answers`);
}

function fileIn(folder: string, name: string): JournalFile {
  const path = join(folder, name);
  return {
    read: (limit) => readUpTo(path, limit),
    async append(bytes, flush) {
      try {
        const file = await open(path, "a", 0o600);
        try {
          await file.writeFile(bytes);
          if (flush) await file.datasync();
        } finally {
          await file.close();
        }
      } catch (error) {
        throw writeError(path, error);
      }
    },
    async replace(bytes) {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await replaceFile(path, bytes, 0o600);
      } catch (error) {
        throw writeError(path, error);
      }
    },
    async setAside() {
      await rename(path, join(folder, `${name}.damaged`));
    },
  };
}

/** The states of a world's model in its state directory. */
export function stateStore(directory: string): StateFiles {
  const folder = join(directory, JOURNAL_FOLDER);
  return {
    async write(name, bytes) {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeNewFile(join(folder, name), bytes, 0o600);
      } catch (error) {
        throw writeError(join(folder, name), error);
      }
    },
    read: (name, limit) => readUpTo(join(folder, name), limit),
    remove: (name) => rm(join(folder, name), { force: true }),
    list: async () => (await readdir(folder).catch(() => [])).filter((name) => /^chain-\d{6,15}\.state$/.test(name)),
  };
}

async function readUpTo(path: string, limit: number): Promise<Uint8Array | undefined> {
  const info = await stat(path).catch(() => undefined);
  return info?.isFile() && info.size <= limit ? new Uint8Array(await readFile(path)) : undefined;
}
