/**
 * Turns any checkpoint of tensors into one safetensors file.
 *
 * @module
 */
import { openSafetensors, safetensorsHead } from "../../compute/tensor/mod.ts";
import { SvcError } from "../../errors/svc_error.ts";
import { diskReason } from "../../platform/files/disk_reason.ts";
import { openFileReader } from "../../platform/files/read_part.ts";
import { freeBytes } from "../../platform/files/find_files.ts";
import { hashFile } from "../../platform/files/hash_file.ts";
import { ownedTemporary, removeDeadTemporaries } from "../../platform/files/owned_temporary.ts";
import { link, open, rm } from "../../platform/files/file_system.ts";
import { makeFolder } from "../../platform/files/work_folder.ts";
import { basename, dirname, resolve } from "../../platform/files/paths.ts";
import { checkSpace } from "../free_space.ts";
import type { OnTransfer } from "../download_file.ts";
import { openCheckpoint, type OpenedCheckpoint } from "./open_checkpoint.ts";

/** What to convert. */
export interface ConvertOptions {
  /** A file, an index of shards, or a folder. */
  readonly source: string;
  /** The file to write, which must not exist unless it is the result of the same source. */
  readonly output: string;
  /** The part of a torch checkpoint to take where several have tensors. */
  readonly part?: string | undefined;
}

/** What came out. */
export interface ConvertedTensors {
  readonly tensors: number;
  readonly bytes: number;
  /** Whether it was there already, made from the same source. */
  readonly found: boolean;
}

/** Under this name the file's metadata has the SHA-256 of its sources. */
const SOURCE_HASH = "source_sha256";

/**
 * Writes the tensors under their own names, in their own types, bit by bit the same. The file appears when it is whole.
 *
 * @throws {SvcError} `checkpoint_refused`, `unsuitable_files`, `output_exists`, `disk_full`.
 * @throws the reason of `signal`.
 */
export async function convertTensors(
  { source, output, part }: ConvertOptions,
  onTransfer: OnTransfer,
  signal: AbortSignal,
): Promise<ConvertedTensors> {
  const checkpoint = await openCheckpoint(source, part);
  try {
    const { identity } = await hashSources(checkpoint, part, onTransfer, signal);
    await removeDeadTemporaries(output);
    const found = await findResult(output, identity);
    if (found) return { ...found, found: true };
    const metadata = new Map([["format", "pt"], [SOURCE_HASH, identity]]);
    const { bytes: head, order } = safetensorsHead(checkpoint.tensors, metadata);
    const bytes = head.length + order.reduce((sum, { byteLength }) => sum + byteLength, 0);
    const folder = dirname(resolve(output));
    await makeFolder(folder).catch((error) => {
      const problem = `Cannot write ${output}: its folder cannot be made (${error.code}), choose another place`;
      throw new SvcError("unsuitable_files", problem, { cause: error });
    });
    checkSpace(`convert ${source}`, bytes, await freeBytes(folder), "another output");
    const temporary = await ownedTemporary(output);
    const target = await open(temporary, "wx");
    try {
      try {
        let done = 0;
        const write = async (data: Uint8Array) => {
          signal.throwIfAborted();
          await target.writeFile(data);
          onTransfer({ step: "convert", path: basename(output), done: done += data.length, total: bytes });
        };
        await write(head);
        for (const tensor of order) for await (const data of tensor.read()) await write(data);
        await target.sync();
      } finally {
        await target.close();
      }
      await link(temporary, output).catch((error) => {
        throw error.code === "EEXIST" ? exists(output) : error;
      });
    } catch (error) {
      const reason = diskReason(error);
      throw reason === undefined ? error : new SvcError("disk_full", `Cannot convert ${source}: ${reason}`);
    } finally {
      await rm(temporary, { force: true });
    }
    return { tensors: order.length, bytes, found: false };
  } finally {
    await checkpoint.close();
  }
}

/** A file that was converted. */
export interface SourceFile {
  readonly file: string;
  readonly bytes: number;
  /** As `sha256sum` prints it. */
  readonly sha256: string;
}

/** The sources of a conversion. */
export interface HashedSources {
  /** A hash of the tensors' files and of what is taken of them: the same where a run would give the same. */
  readonly identity: string;
  /** The files, the index before its shards. */
  readonly files: readonly [SourceFile, ...SourceFile[]];
}

/** Hashes the files of a checkpoint. */
export async function hashSources(
  { files, index }: OpenedCheckpoint,
  part: string | undefined,
  onTransfer: OnTransfer,
  signal: AbortSignal,
): Promise<HashedSources> {
  const hashed: SourceFile[] = [];
  for (const path of index === undefined ? files : [index, ...files]) {
    const reader = await openFileReader(path);
    await reader.close();
    let done = 0;
    const count = (bytes: number) =>
      onTransfer({ step: "hash", path: basename(path), done: done += bytes, total: reader.size });
    const { bytes, sha256 } = await hashFile(path, count, signal);
    hashed.push({ file: basename(path), bytes, sha256 });
  }
  const [first, ...others] = hashed;
  const hashes = (index === undefined ? hashed : others).map(({ sha256 }) => sha256);
  return { identity: await identityOf(hashes, part), files: [first, ...others] };
}

async function identityOf(hashes: readonly string[], part: string | undefined): Promise<string> {
  if (hashes.length === 1 && part === undefined) return hashes[0];
  const text = new TextEncoder().encode(`${hashes.join("\n")}\n${part ?? ""}`);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", text));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The result of an earlier run. */
async function findResult(output: string, identity: string): Promise<{ tensors: number; bytes: number } | undefined> {
  let reader;
  try {
    reader = await openFileReader(output);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(`${(error as { code?: string }).code}`)) return undefined;
    throw exists(output);
  }
  try {
    const { metadata, tensors } = await openSafetensors(output, reader);
    if (metadata.get(SOURCE_HASH) === identity) return { tensors: tensors.size, bytes: reader.size };
  } catch {
    // Something else has this name.
  } finally {
    await reader.close();
  }
  throw exists(output);
}

function exists(output: string): SvcError {
  return new SvcError("output_exists", `Cannot write ${output}: it exists and has other contents, choose another name`);
}
