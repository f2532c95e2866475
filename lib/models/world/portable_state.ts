/**
 * The state of a chain as bytes, to be taken up again by another process.
 *
 * @module
 */
import { SvcError } from "../../errors/svc_error.ts";
import type { Geometry } from "./world_model.ts";
import { joinBytes } from "../../media/images/bytes.ts";

/** What bytes of a state are made of: a description, then numbers of 32 bits each or pixels. */
export interface PortableState {
  /** Plain JSON. */
  readonly head: Readonly<Record<string, unknown>>;
  readonly parts: readonly Uint8Array[];
}

/** Bytes of the longest description. */
const MAX_HEAD = 4 * 2 ** 20;

/** Bytes of the length in front of the description. */
const LENGTH = 4;

/** The description, and after it all parts without gaps. */
export function encodeState({ head, parts }: PortableState): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(JSON.stringify({ ...head, parts: parts.map((part) => part.length) }));
  const length = new Uint8Array(LENGTH);
  new DataView(length.buffer).setUint32(0, text.length, true);
  return joinBytes([length, text, ...parts]);
}

/**
 * What {@linkcode encodeState} was given; the parts are copies.
 *
 * @throws {SvcError} `state_invalid`.
 */
export function decodeState(bytes: Uint8Array): PortableState {
  const { head, sizes, first } = describedState(bytes);
  let at = first;
  return { head, parts: sizes.map((size) => bytes.slice(at, at += size)) };
}

/**
 * The description alone, without copies of the parts.
 *
 * @throws {SvcError} `state_invalid`.
 */
export function stateHead(bytes: Uint8Array): PortableState["head"] {
  return describedState(bytes).head;
}

interface DescribedState {
  readonly head: PortableState["head"];
  /** Bytes of each part. */
  readonly sizes: readonly number[];
  /** Where the first one begins. */
  readonly first: number;
}

function describedState(bytes: Uint8Array): DescribedState {
  const length = bytes.length < LENGTH ? Infinity : new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  if (length > MAX_HEAD || LENGTH + length > bytes.length) throw invalidState("it is cut off");
  const head = parsed(new TextDecoder().decode(bytes.subarray(LENGTH, LENGTH + length)));
  const sizes = head?.["parts"];
  if (!Array.isArray(sizes) || !sizes.every((size) => Number.isSafeInteger(size) && size >= 0)) {
    throw invalidState("invalid description");
  }
  const first = LENGTH + length;
  if (sizes.reduce((sum, size) => sum + size, first) !== bytes.length) {
    throw invalidState("its parts have another length");
  }
  return { head: head!, sizes, first };
}

/** The numbers of a part; a copy made by {@linkcode decodeState} is aligned. */
export function floatsOf(part: Uint8Array): Float32Array {
  if (part.length % 4 !== 0) throw invalidState("its numbers are cut off");
  return new Float32Array(part.buffer, part.byteOffset, part.length / 4);
}

/** Numbers as bytes, without a copy. */
export function bytesOf(numbers: Float32Array | Float64Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

/**
 * Refuses a state of frames that are larger.
 *
 * @throws {SvcError} `state_invalid`.
 */
export function checkLargest({ width, height }: Geometry, largest: Geometry = { width, height }): void {
  if (width > largest.width || height > largest.height) throw invalidState("its frames are too large");
}

/** An error about bytes that are not the state of a chain of this model. */
export function invalidState(reason: string): SvcError {
  return new SvcError("state_invalid", `Cannot restore the state of a world: ${reason}, continue from its last image`);
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value as Record<string, unknown> : undefined;
  } catch {
    return undefined;
  }
}
