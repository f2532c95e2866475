/**
 * The header of a safetensors file: validated completely before any tensor is read.
 * A file is an unsigned 64-bit little-endian length, that many bytes of JSON, then the elements of all tensors without
 * gaps. See the format section of https://github.com/huggingface/safetensors.
 *
 * @module
 */
import { isObject, jsonExtent, repeatedJsonKey } from "../../json/json_text.ts";
import { formatShape, type Shape } from "./shape.ts";

/** Largest header that is parsed, in bytes: the format's own limit. */
const MAX_HEADER_BYTES = 100_000_000;

// Far more than any model has; the bounds limit the cost of a hostile shape and of a hostile header.
const MAX_AXES = 64;
const MAX_VALUES = 4_000_000;

/** The header, an entry, its shape. */
const LEVELS = 3;

/** Location and type of a stored tensor. */
export interface StoredTensor {
  /** Its name. */
  readonly name: string;
  /** Type as written in the file, such as `F16`. */
  readonly dtype:
    | ("BOOL" | "U8" | "I8" | "F8_E5M2" | "F8_E4M3" | "I16" | "U16" | "F16" | "BF16")
    | ("I32" | "U32" | "F32" | "F64" | "I64" | "U64");
  /** Length of each dimension. */
  readonly shape: Shape;
  /** First byte, counted from the start of the file. */
  readonly offset: number;
  /** Length in bytes. */
  readonly byteLength: number;
}

/** Element types of the format. Only some of them can be read as a tensor. */
export type StoredDType = StoredTensor["dtype"];

const storedBytes = {
  BOOL: 1,
  U8: 1,
  I8: 1,
  F8_E5M2: 1,
  F8_E4M3: 1,
  I16: 2,
  U16: 2,
  F16: 2,
  BF16: 2,
  I32: 4,
  U32: 4,
  F32: 4,
  F64: 8,
  I64: 8,
  U64: 8,
} as const satisfies Record<StoredDType, number>;

/** Bytes that one element occupies in a file. */
export function bytesPerStored(dtype: StoredDType): number {
  return storedBytes[dtype];
}

/** The contents of a header. */
interface SafetensorsHeader {
  /** Text pairs of `__metadata__`. */
  readonly metadata: ReadonlyMap<string, string>;
  /** By name, in the order of their bytes in the file. */
  readonly tensors: ReadonlyMap<string, StoredTensor>;
}

/** Names that no tensor may have: they could reach the prototype of a plain object. */
export const forbiddenNames: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** How other files begin that are given the name of one, what they are, and what helps. */
const otherFormats = [
  ["version ", "a pointer of Git LFS", ': run "git lfs pull"'],
  ["GGUF", "a GGUF file", ": svc model convert makes one of it"],
  ["PK\x03\x04", "a torch checkpoint or another zip archive", ": svc model convert makes one of a checkpoint"],
  ["<", "a web page or XML", ": download it again"],
] as const;

/**
 * Length in bytes of the JSON part, from the first eight bytes of a file of `fileSize` bytes.
 *
 * @throws {SafetensorsError} when the length is impossible.
 */
export function safetensorsHeaderLength(file: string, prefix: Uint8Array, fileSize: number): number {
  if (prefix.length < 8) fail(file, `the file has ${prefix.length} bytes, expected at least 8 for the header length`);
  const length = new DataView(prefix.buffer, prefix.byteOffset, 8).getBigUint64(0, true);
  if (length > BigInt(Math.min(MAX_HEADER_BYTES, fileSize - 8))) {
    const start = new TextDecoder("latin1").decode(prefix.subarray(0, 8));
    const other = otherFormats.find(([begin]) => start.startsWith(begin));
    if (other) fail(file, `it is ${other[1]}, expected a safetensors file${other[2]}`);
  }
  if (length > BigInt(MAX_HEADER_BYTES)) {
    fail(file, `the header length is ${length} bytes, expected at most ${MAX_HEADER_BYTES}`);
  }
  if (length > BigInt(fileSize - 8)) {
    fail(file, `the header length is ${length} bytes, the file has only ${fileSize - 8} bytes after it`);
  }
  return Number(length);
}

/**
 * Parses the JSON part and checks every entry against the size of the file.
 *
 * @param file Name for error sentences.
 * @param json The bytes of the JSON part.
 * @param fileSize Size of the whole file in bytes.
 * @throws {SafetensorsError} when anything is malformed, overlaps, leaves a hole or lies outside the file.
 */
export function parseSafetensorsHeader(file: string, json: Uint8Array, fileSize: number): SafetensorsHeader {
  const root = parseJson(file, json);
  const dataStart = 8 + json.length;
  const stored: StoredTensor[] = [];
  let metadata: ReadonlyMap<string, string> = new Map();
  for (const [name, entry] of Object.entries(root)) {
    if (forbiddenNames.has(name)) fail(file, `the tensor name "${name}" is not allowed`);
    if (name === "__metadata__") metadata = parseMetadata(file, entry);
    else stored.push(parseEntry(file, name, entry, dataStart, fileSize - dataStart));
  }
  stored.sort((a, b) => a.offset - b.offset || a.byteLength - b.byteLength);
  let end = dataStart;
  for (const t of stored) {
    if (t.offset !== end) {
      const what = t.offset < end ? "overlaps the tensor before it" : "leaves a gap after the tensor before it";
      failTensor(file, t.name, `it ${what}: it starts at byte ${t.offset - dataStart}, expected ${end - dataStart}`);
    }
    end += t.byteLength;
  }
  if (end !== fileSize) {
    fail(file, `the tensors end at byte ${end}, the file has ${fileSize} bytes, expected no bytes outside the tensors`);
  }
  return { metadata, tensors: new Map(stored.map((t) => [t.name, t])) };
}

function parseJson(file: string, json: Uint8Array): Record<string, unknown> {
  let root: unknown;
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(json);
  } catch (cause) {
    throw notJson(file, cause);
  }
  const { values, depth } = jsonExtent(text, { values: MAX_VALUES, depth: LEVELS });
  if (depth > LEVELS) fail(file, `the header has more than ${LEVELS} levels, expected an object of tensors`);
  if (values > MAX_VALUES) fail(file, `the header has more than ${MAX_VALUES} values, expected fewer`);
  try {
    root = JSON.parse(text);
  } catch (cause) {
    throw notJson(file, cause);
  }
  if (!isObject(root)) fail(file, `the header is ${describe(root)}, expected an object of tensors`);
  const repeated = repeatedJsonKey(text);
  if (repeated !== undefined) fail(file, `the header has the key "${shorten(repeated)}" twice in one object`);
  return root;
}

function notJson(file: string, cause: unknown): SafetensorsError {
  return new SafetensorsError(`Cannot read ${file}: the header is not JSON in UTF-8, the file is damaged`, { cause });
}

function parseMetadata(file: string, entry: unknown): Map<string, string> {
  if (!isObject(entry)) fail(file, `"__metadata__" is ${describe(entry)}, expected an object of strings`);
  const metadata = new Map<string, string>();
  for (const [key, value] of Object.entries(entry)) {
    if (forbiddenNames.has(key)) fail(file, `the metadata name "${shorten(key)}" is not allowed`);
    if (typeof value !== "string") {
      fail(file, `the metadata "${shorten(key)}" is ${describe(value)}, expected a string`);
    }
    metadata.set(key, value);
  }
  return metadata;
}

function parseEntry(file: string, name: string, entry: unknown, dataStart: number, dataSize: number): StoredTensor {
  if (!isObject(entry)) failTensor(file, name, `its entry is ${describe(entry)}, expected an object`);
  const { dtype, shape, data_offsets: offsets } = entry;
  if (typeof dtype !== "string" || !Object.hasOwn(storedBytes, dtype)) {
    failTensor(file, name, `its dtype is ${describe(dtype)}, expected one of ${Object.keys(storedBytes).join(", ")}`);
  }
  if (!Array.isArray(shape) || !shape.every(isCount)) {
    failTensor(file, name, `its shape is ${describe(shape)}, expected a list of whole numbers`);
  }
  if (shape.length > MAX_AXES) failTensor(file, name, `it has ${shape.length} axes, expected at most ${MAX_AXES}`);
  if (!Array.isArray(offsets) || offsets.length !== 2 || !offsets.every(isCount)) {
    failTensor(file, name, `its data_offsets are ${describe(offsets)}, expected two whole numbers`);
  }
  const [begin, end] = offsets as [number, number];
  if (begin > end || end > dataSize) {
    failTensor(file, name, `its bytes are ${begin} to ${end}, expected a range inside the ${dataSize} bytes of data`);
  }
  // BigInt, since the product of a hostile shape would lose digits or become infinite as a number.
  const expected = shape.reduce((n: bigint, d: number) => n * BigInt(d), BigInt(storedBytes[dtype as StoredDType]));
  if (expected !== BigInt(end - begin)) {
    const given = `it has ${end - begin} bytes`;
    failTensor(
      file,
      name,
      `${given}, expected ${shorten(String(expected))} for ${dtype} ${shorten(formatShape(shape))}`,
    );
  }
  return { name, dtype: dtype as StoredDType, shape, offset: dataStart + begin, byteLength: end - begin };
}

function isCount(x: unknown): boolean {
  return Number.isSafeInteger(x) && (x as number) >= 0;
}

function describe(x: unknown): string {
  return x === undefined ? "missing" : shorten(JSON.stringify(x));
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function fail(file: string, reason: string): never {
  throw new SafetensorsError(`Cannot read ${file}: ${reason}`);
}

function failTensor(file: string, name: string, reason: string): never {
  fail(file, `tensor "${shorten(name)}" is invalid, ${reason}`);
}

/** A safetensors file is damaged, hostile or lacks what was requested; names the file and the tensor. */
export class SafetensorsError extends Error {
  /** Name of the class. */
  override name = "SafetensorsError";
}
