/**
 * Folders for run records.
 *
 * @module
 */
import { UsageError } from "../../platform/terminal/flags.ts";
import { makePrivateFolder } from "../../platform/files/private_folder.ts";

/** Folders named on the command line; undefined keeps no records. */
export interface RunRecordFolders {
  readonly imageRunRecords?: string | undefined;
  readonly transcriptionRunRecords?: string | undefined;
}

/**
 * Creates the folders, readable by this user only.
 *
 * @returns A sentence for each kind of record that this version has no routes for.
 * @throws {UsageError} when a folder cannot be created or written to.
 */
export async function openRunRecords(folders: RunRecordFolders): Promise<readonly string[]> {
  const asked = [
    ["--image-run-records", folders.imageRunRecords, "images"],
    ["--transcription-run-records", folders.transcriptionRunRecords, "transcriptions"],
  ] as const;
  const notes: string[] = [];
  for (const [flag, folder, what] of asked) {
    if (folder === undefined) continue;
    const obstacle = await makePrivateFolder(folder);
    if (obstacle) {
      throw new UsageError(`Cannot use ${flag} ${folder}: ${obstacle}, expected a writable folder`);
    }
    notes.push(`${folder} stays empty: this version has no routes for ${what}, so nothing is recorded`);
  }
  return notes;
}
