/**
 * Folders for run records.
 *
 * @module
 */
import type { RunRecorder } from "../../api/service/run_recorder.ts";
import { makePrivateFolder } from "../../platform/files/work_folder.ts";
import { resolve } from "../../platform/files/paths.ts";
import { optionError } from "../../platform/terminal/flags.ts";
import { runRecordFolder } from "./run_record_folder.ts";

/** Folders; undefined keeps no records. */
export interface RunRecordFolders {
  readonly imageRunRecords?: string | undefined;
  readonly transcriptionRunRecords?: string | undefined;
}

/** What keeps the records of each kind, where they are to be kept. */
export interface RunRecorders {
  readonly image: RunRecorder | undefined;
  readonly transcription: RunRecorder | undefined;
}

/**
 * Creates the folders, readable by this user only.
 *
 * @throws {UsageError} when a folder cannot be created or written to.
 */
export async function openRunRecords(folders: RunRecordFolders): Promise<RunRecorders> {
  const open = async (
    kind: "image" | "transcription",
    option: keyof RunRecordFolders,
  ): Promise<RunRecorder | undefined> => {
    const folder = folders[option];
    if (folder === undefined) return undefined;
    const obstacle = await makePrivateFolder(folder);
    if (obstacle === undefined) return runRecordFolder({ kind, root: resolve(folder) });
    throw optionError((name) => `Cannot use ${name(option)} ${folder}: ${obstacle}, expected a writable folder`);
  };
  return {
    image: await open("image", "imageRunRecords"),
    transcription: await open("transcription", "transcriptionRunRecords"),
  };
}
