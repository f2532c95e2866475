/**
 * Writes records of operations, each in a folder of its own.
 *
 * @module
 */
import type {
  OpenRunRecord,
  RunInput,
  RunKind,
  RunOutput,
  RunPlan,
  RunRecorder,
} from "../../api/service/run_recorder.ts";
import { copyPrivate, replaceFile, writeNewFile } from "../../platform/files/atomic_write.ts";
import { diskReason } from "../../platform/files/disk_reason.ts";
import { hashFile } from "../../platform/files/hash_file.ts";
import { mkdir, rm } from "../../platform/files/file_system.ts";
import { basename, join, pathToFileURL, resolve } from "../../platform/files/paths.ts";
import { holdLockFile } from "../../platform/locks/lock_holder.ts";
import { SvcError } from "../../errors/svc_error.ts";
import { lockFile, recordFile, type RunArtifact, type RunRecordFile } from "./run_layout.ts";
import { makePrivateFolder } from "../../platform/files/work_folder.ts";
import { optionError } from "../../errors/option_error.ts";

const PRIVATE = 0o600;

/** Options of {@linkcode runRecordFolder}. */
interface RunRecordOptions {
  readonly kind: RunKind;
  /** The folder that the folders of all records of the kind are made in; it exists. */
  readonly root: string;
  readonly now?: () => Date;
}

/** Keeps records below a folder. A record is complete at any moment: its file is replaced in one step. */
export function runRecordFolder({ kind, root, now = () => new Date() }: RunRecordOptions): RunRecorder {
  return {
    begin: (plan) =>
      written(async () => {
        const id = crypto.randomUUID();
        const folder = join(root, `${kind}-${id}`);
        const record = new RecordFolder(kind, id, folder, now);
        try {
          await record.begin(plan);
          return record;
        } catch (error) {
          await record.remove();
          throw error;
        }
      }),
  };
}

class RecordFolder implements OpenRunRecord {
  readonly #kind: RunKind;
  readonly #folder: string;
  readonly #now: () => Date;
  #record: RunRecordFile;
  #unlock: () => Promise<void> = () => Promise.resolve();

  constructor(kind: RunKind, id: string, folder: string, now: () => Date) {
    this.#kind = kind;
    this.#folder = folder;
    this.#now = now;
    const time = now().toISOString();
    const empty = { requested: {}, artifacts: [] };
    this.#record = { schemaVersion: 1, id, createdAt: time, updatedAt: time, state: "preparing", ...empty };
  }

  async begin({ requested, effective, details, inputs }: RunPlan): Promise<void> {
    await mkdir(join(this.#folder, "inputs"), { recursive: true, mode: 0o700 });
    this.#unlock = await holdLockFile(join(this.#folder, lockFile(this.#kind)));
    await this.#write({ ...details, requested, effective });
    const copies: RunArtifact[] = [];
    for (const input of inputs) copies.push(await this.#copy(input.path, join("inputs", nameOf(input))));
    await this.#write({ state: "running", ...this.#kind === "image" ? { inputs: copies } : { input: copies[0] } });
  }

  succeed(outputs: readonly RunOutput[]): Promise<void> {
    return written(async () => {
      const artifacts: RunArtifact[] = [];
      for (const { name, content } of outputs) {
        artifacts.push(
          typeof content === "string" ? await this.#copy(content, name) : await this.#store(content, name),
        );
      }
      await this.#write({ state: "succeeded", artifacts });
      await this.#unlock();
    });
  }

  async end(state: "failed" | "cancelled", issue: RunRecordFile["issue"]): Promise<void> {
    // The operation's own error is what its client must see.
    await this.#write({ state, issue }).catch(() => {});
    await this.#unlock().catch(() => {});
  }

  async remove(): Promise<void> {
    await this.#unlock().catch(() => {});
    await rm(this.#folder, { recursive: true, force: true }).catch(() => {});
  }

  async #write(change: { [K in keyof RunRecordFile]?: RunRecordFile[K] | undefined }): Promise<void> {
    this.#record = { ...this.#record, ...change, updatedAt: this.#now().toISOString() } as RunRecordFile;
    const text = `${JSON.stringify(this.#record, undefined, 2)}\n`;
    await replaceFile(join(this.#folder, recordFile(this.#kind)), new TextEncoder().encode(text), PRIVATE);
  }

  async #copy(from: string, name: string): Promise<RunArtifact> {
    const path = join(this.#folder, name);
    const { bytes, sha256 } = await copyPrivate(from, path);
    return { url: pathToFileURL(path).href, sha256, byteCount: bytes };
  }

  async #store(content: Uint8Array, name: string): Promise<RunArtifact> {
    const path = join(this.#folder, name);
    await writeNewFile(path, content, PRIVATE);
    const { bytes, sha256 } = await hashFile(path, () => {}, new AbortController().signal);
    return { url: pathToFileURL(path).href, sha256, byteCount: bytes };
  }
}

/** Name of an input's copy, with the ending that its client gave it if it looks like one. */
function nameOf({ name, filename }: RunInput): string {
  return name + (/\.[a-z0-9]{1,8}$/.exec(basename(filename ?? "").toLowerCase())?.[0] ?? ".bin");
}

async function written<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SvcError) throw error;
    const reason = diskReason(error);
    const code = reason?.startsWith("the disk is full") ? "disk_full" : "write_failed";
    const message = `Cannot keep the record of the operation: ${reason ?? "its folder cannot be written to"}`;
    throw new SvcError(code, message, { cause: error });
  }
}

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
