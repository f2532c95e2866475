/**
 * The states of a model's chain as a tree: each is what one request made of the one before.
 *
 * @module
 */
import { SvcError } from "../../../errors/svc_error.ts";
import type { RgbFrames } from "../../../media/images/rgb_image.ts";

/** Files of states. */
export interface StateFiles {
  /** Writes a new file, and waits until it is on the disk. */
  write(name: string, bytes: Uint8Array): Promise<void>;
  /** Undefined when there is none, or a larger one. */
  read(name: string, limit: number): Promise<Uint8Array | undefined>;
  remove(name: string): Promise<void>;
  list(): Promise<readonly string[]>;
}

/** Bytes of a state, kept as a file. */
export interface StateFile {
  readonly name: string;
  readonly bytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/** A state of a chain; the first of a chain has a file and nothing else. */
export interface ChainNode {
  readonly id: number;
  /** The state before; let go when this one has a file of its own. */
  parent?: ChainNode | undefined;
  /** What the model was asked for. */
  readonly request?: unknown;
  /** SHA-256 of the pixels of the last picture that came of it. */
  readonly pixels?: string;
  /** How long it took, in seconds. */
  readonly seconds: number;
  file?: StateFile | undefined;
}

/** A node as a journal has it. */
export interface NodeRecord {
  readonly id: number;
  readonly parent?: number;
  readonly request?: unknown;
  readonly pixels?: string;
  readonly seconds: number;
  readonly file?: StateFile;
}

/** The node, and those before it as far as they are needed to make it again, the newest first. */
export function lineOf(node: ChainNode): ChainNode[] {
  const line = [node];
  for (let at = node; !at.file && at.parent; at = at.parent) line.push(at.parent);
  return line;
}

/** The record of a node. */
export function nodeRecord({ id, parent, request, pixels, seconds, file }: ChainNode): NodeRecord {
  return {
    id,
    seconds,
    ...(parent && !file && { parent: parent.id, request, ...(pixels !== undefined && { pixels }) }),
    ...(file && { file }),
  };
}

/** SHA-256 of the pixels of the last picture. */
export async function pixelHash({ width, height, count, data }: RgbFrames): Promise<string> {
  const size = 3 * width * height;
  return await sha256(data.subarray((count - 1) * size, count * size));
}

/** SHA-256 in lower-case hexadecimal. */
export async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * The bytes of a state that has a file.
 *
 * @throws {SvcError} `state_invalid` when the file is gone or is another one.
 */
export async function readState(files: StateFiles, { file }: ChainNode): Promise<Uint8Array> {
  const bytes = file && await files.read(file.name, file.bytes);
  if (!bytes) throw stateLost("its file is gone");
  if (bytes.length !== file.bytes || await sha256(bytes) !== file.sha256) throw stateLost("its file is damaged");
  return bytes;
}

/** The error of a state that cannot be made again. */
export function stateLost(reason: string): SvcError {
  return new SvcError("state_invalid", `Cannot restore the state of a world: ${reason}, continue from its last image`);
}
