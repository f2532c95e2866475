/**
 * Writes the weights of one part of a world, a few rows at a time; an interrupted run resumes where it stopped.
 *
 * @module
 */
import {
  dequantize,
  f32,
  quantize,
  safetensorsHead,
  type Shape,
  toFloat32,
  toHalf,
} from "../../../compute/tensor/mod.ts";
import { optionError, type OptionSentence } from "../../../errors/option_error.ts";
import { SvcError } from "../../../errors/svc_error.ts";
import type { CheckpointTensor } from "../../../models/checkpoint/torch/state_dict.ts";
import { diskError } from "../../../platform/files/disk_error.ts";
import { freeBytes } from "../../../platform/files/find_files.ts";
import { open, readFile, rename, rm } from "../../../platform/files/file_system.ts";
import { readPart } from "../../../platform/files/read_part.ts";
import { basename, dirname } from "../../../platform/files/paths.ts";
import { checkSpace } from "../../free_space.ts";
import type { OnTransfer } from "../../download_file.ts";
import { readNumbers, type StoredForm, type StoredPart, storedParts } from "./stored_form.ts";

/** Bytes after which what was written is flushed to the disk. */
const FLUSHED = 64 * 2 ** 20;

/** A weight to write. */
export interface WeightToWrite {
  readonly name: string;
  readonly shape: Shape;
  readonly form: StoredForm;
  readonly source: CheckpointTensor;
  /** Of 8-bit floats. */
  readonly scales?: Float32Array | undefined;
}

/** What became of a weight. */
export interface WeightReport {
  readonly name: string;
  readonly type: string;
  /** Largest difference as a share of the largest number of the tensor. */
  readonly error: number;
}

/** Where it is written, and what it is made from. */
export interface WeightFile {
  /** For messages. */
  readonly from: string;
  readonly output: string;
  /** Into the file's header; a file with the same is the result of an earlier run. */
  readonly metadata: ReadonlyMap<string, string>;
}

/**
 * Writes a safetensors file. Until it is whole it is called `NAME.partial`, and `NAME.journal` beside it says which
 * weights are in it; the journal stays for the caller, which removes it when the reports are safe.
 *
 * @throws {SvcError} `disk_full`, `write_failed`, `checkpoint_refused` for numbers that the type cannot hold.
 * @throws the reason of `signal`; what was written stays for the next run.
 */
export async function convertWeights(
  { from, output, metadata }: WeightFile,
  weights: readonly WeightToWrite[],
  onTransfer: OnTransfer,
  signal: AbortSignal,
): Promise<readonly WeightReport[]> {
  const parts = weights.flatMap(({ name, shape, form }) => storedParts(name, shape, form));
  const { bytes: head, order } = safetensorsHead(parts, metadata);
  const places = new Map<string, number>();
  let size = head.length;
  for (const part of order) places.set(part.name, (size += part.byteLength) - part.byteLength);
  const partial = `${output}.partial`;
  const journal = `${output}.journal`;
  const known = await readJournal(partial, journal, head);
  if (known.size === 0) checkSpace(`convert ${from}`, size, await freeBytes(dirname(output)), "another output");
  const file = await open(partial, known.size === 0 ? "w+" : "r+");
  const log = await open(journal, known.size === 0 ? "w" : "a");
  const pending: WeightReport[] = [];
  let [unflushed, refused] = [0, false];
  // The journal names what is on the disk, never more.
  const flush = async (): Promise<void> => {
    if (pending.length === 0) return;
    await file.datasync();
    await log.writeFile(pending.splice(0).map((report) => `${JSON.stringify(report)}\n`).join(""));
    unflushed = 0;
  };
  try {
    await writeAll(file, head, 0);
    let done = 0;
    for (const weight of weights) {
      const bytes = storedParts(weight.name, weight.shape, weight.form).reduce((sum, p) => sum + p.byteLength, 0);
      if (!known.has(weight.name)) {
        const report = await writeWeight(from, weight, file, places, signal);
        pending.push(report);
        known.set(weight.name, report);
        if ((unflushed += bytes) >= FLUSHED) await flush();
      }
      onTransfer({ step: "convert", path: basename(output), done: done += bytes, total: size - head.length });
    }
    await flush();
    await file.sync();
  } catch (error) {
    await flush().catch(() => {});
    refused = error instanceof SvcError;
    throw diskError(error, `Cannot convert ${from}`, "; the next run resumes here");
  } finally {
    await file.close();
    await log.close();
    // Another run would be refused for the same numbers.
    if (refused) { for (const path of [partial, journal]) await rm(path, { force: true }); }
  }
  await rename(partial, output);
  return weights.map(({ name }) => known.get(name)!);
}

/** What an interrupted run has written, where its file has the same header. */
async function readJournal(partial: string, journal: string, head: Uint8Array): Promise<Map<string, WeightReport>> {
  const found = await readPart(partial, 0, head.length).catch(() => new Uint8Array());
  if (found.length < head.length || found.some((byte, i) => byte !== head[i])) return new Map();
  return await readReports(journal);
}

async function readReports(journal: string): Promise<Map<string, WeightReport>> {
  const known = new Map<string, WeightReport>();
  for (const line of (await readText(journal)).split("\n")) {
    try {
      const report = JSON.parse(line) as WeightReport;
      known.set(report.name, report);
    } catch {
      // The last line may have been cut off.
    }
  }
  return known;
}

async function readText(path: string): Promise<string> {
  return await readFile(path).then((bytes) => new TextDecoder().decode(bytes), () => "");
}

/** How every file begins that {@linkcode convertWeights} writes, after the length of its header. */
const HEAD = '{"__metadata__":{"format":"pt","source_sha256":"';
const JOURNAL = '{"name":"';

/**
 * What a run that was killed left beside a file: the reports of its weights where they are whole, and paths that no
 * conversion made, which none replaces.
 */
export async function findUnfinished(
  output: string,
): Promise<{ readonly reports: readonly WeightReport[]; readonly foreign: readonly string[] }> {
  const [partial, journal] = [`${output}.partial`, `${output}.journal`];
  const head = await readPart(partial, 0, 8 + HEAD.length).catch(() => undefined);
  const lines = await readText(journal);
  const isOwn = (text: string, start: string) => start.startsWith(text) || text.startsWith(start);
  const isOwnHead = head === undefined || head.length === 0 ||
    (head.length > 8 && isOwn(new TextDecoder().decode(head.subarray(8)), HEAD));
  const foreign = [
    ...isOwnHead ? [] : [partial],
    ...isOwn(lines.slice(0, JOURNAL.length), JOURNAL) ? [] : [journal],
  ];
  // A journal without weights that are being written is of those that are whole.
  const isWhole = head === undefined && foreign.length === 0;
  return { foreign, reports: isWhole ? [...(await readReports(journal)).values()] : [] };
}

/** Removes what {@linkcode convertWeights} and runs that were killed have left beside weights that are whole. */
export async function removeUnfinished(output: string): Promise<void> {
  const { foreign } = await findUnfinished(output);
  for (const path of [`${output}.partial`, `${output}.journal`]) {
    if (!foreign.includes(path)) await rm(path, { force: true });
  }
}

type OpenFile = Awaited<ReturnType<typeof open>>;

/** A disk that fills up takes a part of what is written first, without an error. */
async function writeAll(file: OpenFile, bytes: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    at += (await file.write(bytes, at, bytes.length - at, position + at)).bytesWritten;
  }
}

async function writeWeight(
  from: string,
  { name, shape, form, source, scales }: WeightToWrite,
  file: OpenFile,
  places: ReadonlyMap<string, number>,
  signal: AbortSignal,
): Promise<WeightReport> {
  const cursors = new Map(
    storedParts(name, shape, form).map((part: StoredPart) => [part.name, places.get(part.name)!]),
  );
  const write = async (part: string, data: ArrayBufferView): Promise<void> => {
    const bytes = new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength);
    await writeAll(file, bytes, cursors.get(part)!);
    cursors.set(part, cursors.get(part)! + bytes.length);
  };
  const width = shape.at(-1) ?? 1;
  let [largest, difference] = [0, 0];
  for await (const numbers of readNumbers(from, source, scales)) {
    signal.throwIfAborted();
    for (const x of numbers) {
      if (!Number.isFinite(x)) throw refuse(from, name, `${x}`, "finite numbers");
      largest = Math.max(largest, Math.abs(x));
    }
    let kept: Float32Array = numbers;
    if (form.kind === "quantised") {
      const rows = numbers.length / width;
      const matrix = quantize(f32([rows, width], numbers), form);
      await write(`${name}.q${form.bits}`, matrix.values.data);
      await write(`${name}.scales`, toFloat32(matrix.scales));
      kept = dequantize(matrix).data;
    } else if (form.dtype === "F16") {
      const half = toHalf(f32([numbers.length], numbers));
      await write(name, half.data);
      kept = toFloat32(half);
      if (!kept.every(Number.isFinite)) {
        throw refuse(from, name, "numbers above 65504", (option) => `${option("dtype")} f32 for its part`);
      }
    } else await write(name, numbers);
    for (let i = 0; i < numbers.length; i++) difference = Math.max(difference, Math.abs(kept[i] - numbers[i]));
  }
  const type = form.kind === "quantised" ? `q${form.bits}` : form.dtype.toLowerCase();
  return { name, type, error: largest === 0 ? 0 : difference / largest };
}

/** @param expected What is right instead, in words that may name options. */
function refuse(source: string, name: string, found: string, expected: string | OptionSentence): SvcError {
  const refused = (message: string) => new SvcError("checkpoint_refused", message);
  const start = `Cannot convert ${source}: ${name} has ${found}, expected`;
  if (typeof expected === "string") return refused(`${start} ${expected}`);
  return optionError((option) => `${start} ${expected(option)}`, refused);
}
