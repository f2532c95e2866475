/**
 * Converts one part of a world: a checkpoint under one of its known names becomes one file.
 *
 * @module
 */
import { formatShape, sameShape, type Shape, sizeOf } from "../../../compute/tensor/mod.ts";
import { SvcError } from "../../../errors/svc_error.ts";
import type { TensorShapes } from "../../../models/checkpoint/weights.ts";
import type { CheckpointTensor } from "../../../models/checkpoint/torch/state_dict.ts";
import { openFileReader } from "../../../platform/files/read_part.ts";
import { diskReason } from "../../../platform/files/disk_reason.ts";
import { makeFolder } from "../../../platform/files/work_folder.ts";
import { FolderLockedError } from "../../../errors/option_error.ts";
import { lockFolder } from "../../../platform/locks/lock_file.ts";
import { dirname, join, resolve } from "../../../platform/files/paths.ts";
import type { OnTransfer } from "../../download_file.ts";
import { hashSources, type SourceFile } from "../convert_tensors.ts";
import { openCheckpoint, type OpenedCheckpoint } from "../open_checkpoint.ts";
import { checkConfig, openRecord, removeDeadWrites, saveRecord, writeConfig, writeCopy } from "./conversion_record.ts";
import { type GivenConfig, readBeside, type ShapeOf } from "./infer_configs.ts";
import { convertWeights, removeUnfinished, type WeightReport, type WeightToWrite } from "./convert_weights.ts";
import { earlierReports, isFinished, refuseForeign } from "./earlier_result.ts";
import { type Dialect, findDialect, type WorldPart } from "./dialects.ts";
import { isEightBit, readNumbers, storedForm, type WeightType } from "./stored_form.ts";

/** One part: where it comes from, and what it becomes. */
export interface PartToConvert {
  readonly part: WorldPart;
  /** A file, an index of shards, or a folder. */
  readonly source: string;
  readonly type: WeightType;
}

/** What became of a part. */
export interface ConvertedPart {
  readonly part: WorldPart;
  readonly file: string;
  readonly source: string;
  /** Of the source file: of an index where there is one. */
  readonly source_sha256: string;
  /** Every file of the source, the index before its shards. */
  readonly sources: readonly SourceFile[];
  readonly dialect: string;
  readonly dtype: WeightType;
  readonly bytes: number;
  /** Largest errors first. */
  readonly weights: readonly WeightReport[];
  /** Whether it was there already, made from the same source in the same way. */
  readonly found: boolean;
  /** Tensors of the source that no world needs. */
  readonly unused: number;
  /** Fields and files that a user has edited and that stay so, such as `default_fps of base/config.json`. */
  readonly kept: readonly string[];
}

/** What a world makes of a part. */
export interface PartForm {
  /** The folder of the world. */
  readonly output: string;
  /** Path of the weights below it; the part's `config.json` is next to them. */
  readonly file: string;
  /** Files that are taken as they are, by their paths below it. */
  readonly copied?: ReadonlyMap<string, Uint8Array> | undefined;
  /** Every file that conversions of this kind write besides weights: what killed runs left of them is removed. */
  readonly files: readonly string[];
  /**
   * The part's configuration and its weights, by the names that the dialects start from.
   *
   * @param beside `config.json` beside the source, an empty object without one.
   */
  describe(shapeOf: ShapeOf, beside: GivenConfig): { readonly config?: GivenConfig; readonly shapes: TensorShapes };
  /** The name of a weight in the file; the same by default. */
  readonly written?: ((name: string) => string) | undefined;
}

/**
 * Writes the weights, the configuration beside them, and what became of them into `conversion.json`. One process at a
 * time does it in a folder.
 *
 * @throws {SvcError} `checkpoint_refused`, `unsuitable_files`, `output_exists`, `disk_full`.
 */
export async function convertPart(
  part: PartToConvert,
  form: PartForm,
  onTransfer: OnTransfer,
  signal: AbortSignal,
): Promise<ConvertedPart> {
  const { source } = part;
  const checkpoint = await openCheckpoint(source);
  try {
    return await inOutput(source, form.output, async () => {
      await removeDeadWrites(form.output, form.files);
      return await writePart(part, checkpoint, form, onTransfer, signal);
    });
  } finally {
    await checkpoint.close();
  }
}

/** Runs `work` while no other conversion writes into the folder, and names what the system refuses. */
async function inOutput<T>(source: string, output: string, work: () => Promise<T>): Promise<T> {
  try {
    await makeFolder(output);
    const lock = await lockFolder(output).catch((cause) => {
      if (!(cause instanceof FolderLockedError)) throw cause;
      const problem = `another conversion writes there, wait for its end and try again, or choose another output`;
      throw new SvcError("unsuitable_files", `Cannot convert ${source} into ${output}: ${problem}`, { cause });
    });
    try {
      return await work();
    } finally {
      await lock.release();
    }
  } catch (error) {
    const { code, path = output } = error as { readonly code?: unknown; readonly path?: string };
    if (error instanceof SvcError || typeof code !== "string") throw error;
    const reason = diskReason(error);
    if (code === "ENOSPC" || code === "EDQUOT") {
      throw new SvcError("disk_full", `Cannot convert ${source}: ${reason}; the next run resumes here`);
    }
    const problem = `${path} cannot be written (${code}), ${reason ?? "choose another output"}`;
    throw new SvcError("unsuitable_files", `Cannot convert ${source}: ${problem}`, { cause: error });
  }
}

async function writePart(
  { part, source, type }: PartToConvert,
  checkpoint: OpenedCheckpoint,
  form: PartForm,
  onTransfer: OnTransfer,
  signal: AbortSignal,
): Promise<ConvertedPart> {
  const { output, written = same, copied = new Map<string, Uint8Array>() } = form;
  const file = join(output, form.file);
  if (checkpoint.files.some((path) => resolve(path) === resolve(file))) {
    const problem = `Cannot convert ${source}: the result would take its place, choose another output`;
    throw new SvcError("unsuitable_files", problem);
  }
  await makeFolder(dirname(file));
  const record = await openRecord(output);
  const configPath = `${dirname(form.file)}/config.json`;
  await checkConfig(record, configPath);
  const tensors = new Map(checkpoint.tensors.map((tensor) => [tensor.name, tensor]));
  const shared = tensors.get("encoder.embed_tokens.weight"); // the same table under its other name
  if (shared && !tensors.has("shared.weight")) tensors.set("shared.weight", shared);
  const dialect = findDialect(part, source, new Set(tensors.keys()));
  const shapeOf: ShapeOf = (name) => tensors.get(dialect.of(name))?.shape;
  const { config, shapes } = form.describe(shapeOf, await readBeside(source, "config.json"));
  const weights = await weightsOf(source, tensors, dialect, shapes, type, written);
  const { identity, files } = await hashSources(checkpoint, undefined, onTransfer, signal);
  const metadata = new Map([["format", "pt"], ["source_sha256", identity], ["svc_type", type]]);
  const found = await isFinished(file, metadata);
  if (!found) await refuseForeign(record, form.file);
  const reports = found
    ? await earlierReports(record, part, file)
    : await convertWeights({ from: source, output: file, metadata }, weights, onTransfer, signal);
  if (config) await writeConfig(record, configPath, config);
  for (const [path, bytes] of copied) await writeCopy(record, path, bytes);
  const reader = await openFileReader(file);
  await reader.close();
  const converted: ConvertedPart = {
    ...{ part, file: form.file, source, source_sha256: files[0].sha256, sources: files },
    ...{ dialect: dialect.name, dtype: type, found, kept: record.kept },
    bytes: reader.size,
    weights: [...reports].sort((a, b) => b.error - a.error),
    unused: checkpoint.tensors.length - weights.length - weights.filter(({ scales }) => scales).length,
  };
  record.parts[part] = converted;
  await saveRecord(record);
  await removeUnfinished(file);
  return converted;
}

/** Every weight with its tensor, all shapes checked before anything is written. */
async function weightsOf(
  source: string,
  tensors: ReadonlyMap<string, CheckpointTensor>,
  dialect: Dialect,
  shapes: TensorShapes,
  type: WeightType,
  written: (name: string) => string,
): Promise<WeightToWrite[]> {
  const problems: string[] = [];
  const weights: WeightToWrite[] = [];
  for (const [name, shape] of shapes) {
    const theirs = dialect.of(name);
    const tensor = tensors.get(theirs);
    if (!tensor) {
      problems.push(`${theirs} is missing`);
      continue;
    }
    if (!fits(tensor.shape, shape)) {
      problems.push(`${theirs} has the shape ${formatShape(tensor.shape)}, not ${formatShape(shape)}`);
      continue;
    }
    const scales = isEightBit(tensor) ? await scalesOf(source, tensors, theirs, shape[0]) : undefined;
    if (!scales && tensor.dtype === "I8") {
      problems.push(`${theirs} has 8-bit integers without ${theirs}_scale`);
      continue;
    }
    weights.push({
      ...{ name: written(name), shape, form: storedForm(name, shape, type), scales },
      source: { ...tensor, shape }, // its rows, whatever axes the file says
    });
  }
  if (problems.length === 0) return weights;
  const shown = problems.slice(0, 8).join("; ");
  const more = problems.length > 8 ? ` and ${problems.length - 8} more` : "";
  throw new SvcError("checkpoint_refused", `Cannot convert ${source} with names of ${dialect.name}: ${shown}${more}`);
}

/** Tools keep the scale of an 8-bit weight under one of these names; a float without one is what it says. */
const SCALES = ["scale_weight", "weight_scale", "weight_scale_inv"];

/** The scales of an 8-bit weight: one, or one per row. */
async function scalesOf(
  source: string,
  tensors: ReadonlyMap<string, CheckpointTensor>,
  name: string,
  rows: number,
): Promise<Float32Array | undefined> {
  const stem = name.replace(/\.weight$/, "");
  const names = [...SCALES.map((scale) => `${stem}.${scale}`), `${name}_scale`];
  const tensor = names.map((each) => tensors.get(each)).find((each) => each !== undefined);
  if (!tensor) return undefined;
  const count = sizeOf(tensor.shape);
  if (count !== 1 && (count !== rows || tensor.shape[0] !== rows)) {
    const found = `${tensor.name} has the shape ${formatShape(tensor.shape)}, not one scale or one per row, ${rows}`;
    throw new SvcError("checkpoint_refused", `Cannot convert ${source}: ${found}`);
  }
  const all = new Float32Array(count);
  let at = 0;
  for await (const numbers of readNumbers(source, tensor)) all.set(numbers, (at += numbers.length) - numbers.length);
  return all;
}

/** The same shape, or what is left of it where a format or a tool drops axes of length 1 or joins neighbours of five. */
function fits(found: Shape, expected: Shape): boolean {
  const [theirs, ours] = [found, expected].map((shape) => shape.filter((length) => length !== 1));
  if (sameShape(theirs, ours)) return true;
  if (expected.length <= 4 || found.length >= expected.length) return false;
  let at = 0;
  const areJoined = theirs.every((length) => {
    let joined = 1;
    while (joined < length && at < ours.length) joined *= ours[at++];
    return joined === length;
  });
  return areJoined && at === ours.length;
}

function same(name: string): string {
  return name;
}
