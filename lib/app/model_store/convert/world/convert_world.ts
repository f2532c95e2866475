/**
 * Turns published checkpoints into the two folders of an arworld.
 *
 * @module
 */
import { formatShape, openSafetensors, sameShape, type Shape, sizeOf } from "../../../../compute/tensor/mod.ts";
import { SvcError } from "../../../../errors/svc_error.ts";
import { parseArworldConfig } from "../../../../models/arworld/parse_config.ts";
import type { ArworldConfig } from "../../../../models/arworld/config.ts";
import { textEncoderShapes, transformerShapes } from "../../../../models/arworld/tensor_shapes.ts";
import type { TensorShapes } from "../../../../models/checkpoint/tensor_shapes.ts";
import type { CheckpointTensor } from "../../../../models/checkpoint/torch/tensor_source.ts";
import { vaeShapes } from "../../../../models/video_vae/vae_shapes.ts";
import { replaceFile } from "../../../../platform/files/atomic_write.ts";
import { openFileReader } from "../../../../platform/files/file_reader.ts";
import { mkdir, readFile } from "../../../../platform/files/file_system.ts";
import { join } from "../../../../platform/files/paths.ts";
import type { OnTransfer } from "../../transfer_progress.ts";
import { hashSources } from "../convert_tensors.ts";
import { openCheckpoint } from "../open_checkpoint.ts";
import { readBeside } from "./beside.ts";
import { convertWeights, type WeightReport, type WeightToWrite } from "./convert_weights.ts";
import { type Dialect, findDialect, type WorldPart } from "./dialects.ts";
import { causalConfig, type GivenConfig, type ShapeOf, textConfig, vaeConfig } from "./infer_configs.ts";
import { isEightBit, readNumbers } from "./read_numbers.ts";
import { storedForm, type WeightType } from "./stored_form.ts";

/** One part: where it comes from, and what it becomes. */
export interface PartToConvert {
  readonly part: WorldPart;
  /** A file, an index of shards, or a folder. */
  readonly source: string;
  readonly type: WeightType;
}

/** What to convert. */
export interface ConvertWorldOptions {
  readonly parts: readonly PartToConvert[];
  /** The folder for `base/` and `causal/`. */
  readonly output: string;
  /** `tokenizer.json`, where it does not lie beside the text encoder. */
  readonly tokenizer?: string | undefined;
}

/** What became of a part. */
export interface ConvertedPart {
  readonly part: WorldPart;
  readonly file: string;
  readonly source: string;
  readonly source_sha256: string;
  readonly dialect: string;
  readonly dtype: WeightType;
  readonly bytes: number;
  /** Largest errors first. */
  readonly weights: readonly WeightReport[];
  /** Whether it was there already, made from the same source in the same way. */
  readonly found: boolean;
  /** Tensors of the source that no world needs. */
  readonly unused: number;
}

const FILES: Readonly<Record<WorldPart, readonly [folder: string, file: string]>> = {
  "text encoder": ["base", "t5_encoder.safetensors"],
  vae: ["base", "vae.safetensors"],
  causal: ["causal", "model.safetensors"],
};

/**
 * Converts any of the three parts; folders fill up with each run.
 *
 * @throws {SvcError} `checkpoint_refused`, `unsuitable_files`, `disk_full`.
 */
export async function convertWorld(
  { parts, output, tokenizer }: ConvertWorldOptions,
  onTransfer: OnTransfer,
  signal: AbortSignal,
): Promise<readonly ConvertedPart[]> {
  const converted: ConvertedPart[] = [];
  for (const each of parts) {
    const [folder] = FILES[each.part];
    await mkdir(join(output, folder), { recursive: true });
    const made = await convertPart(each, output, onTransfer, signal);
    converted.push(made);
    if (each.part === "text encoder") await copyTokenizer(tokenizer, each.source, join(output, "base"));
    await mergeJson(join(output, "conversion.json"), { [each.part]: made });
  }
  return converted;
}

async function convertPart(
  { part, source, type }: PartToConvert,
  output: string,
  onTransfer: OnTransfer,
  signal: AbortSignal,
): Promise<ConvertedPart> {
  const [folder, name] = FILES[part];
  const file = join(output, folder, name);
  const checkpoint = await openCheckpoint(source);
  try {
    const tensors = new Map(checkpoint.tensors.map((tensor) => [tensor.name, tensor]));
    const shared = tensors.get("encoder.embed_tokens.weight"); // the same table under its other name
    if (shared && !tensors.has("shared.weight")) tensors.set("shared.weight", shared);
    const dialect = findDialect(part, source, new Set(tensors.keys()));
    const shapeOf: ShapeOf = (wan) => tensors.get(dialect.of(wan))?.shape;
    const config = configOf(part, shapeOf, await readBeside(source, "config.json"));
    const shapes = shapesOf(part, source, config);
    const weights = await weightsOf(source, tensors, dialect, shapes, type);
    const sha256 = await hashSources(checkpoint, undefined, onTransfer, signal);
    const metadata = new Map([["format", "pt"], ["source_sha256", sha256], ["svc_type", type]]);
    const found = await isFinished(file, metadata);
    const reports = found
      ? []
      : await convertWeights({ from: source, output: file, metadata }, weights, onTransfer, signal);
    await mergeJson(join(output, folder, "config.json"), config);
    const earlier = found ? await earlierReports(output, part) : [];
    const reader = await openFileReader(file);
    await reader.close();
    return {
      ...{ part, file: `${folder}/${name}`, source, source_sha256: sha256, dialect: dialect.name, dtype: type, found },
      bytes: reader.size,
      weights: [...reports, ...earlier].sort((a, b) => b.error - a.error),
      unused: checkpoint.tensors.length - weights.length,
    };
  } finally {
    await checkpoint.close();
  }
}

function configOf(part: WorldPart, shapeOf: ShapeOf, beside: GivenConfig): GivenConfig {
  if (part === "text encoder") return textConfig(shapeOf);
  return part === "vae" ? vaeConfig(shapeOf, beside) : causalConfig(shapeOf, beside);
}

/** The shapes that the whole part must have; the other parts are filled in with ones that fit. */
function shapesOf(part: WorldPart, source: string, config: GivenConfig): TensorShapes {
  const one = {
    z_dim: 4,
    dim: 4,
    dec_dim: 4,
    dim_mult: [1, 1, 1, 1],
    num_res_blocks: 1,
    temperal_downsample: [false, true, true],
  };
  const text = { vocab: 8, dim: 8, dim_attn: 8, dim_ffn: 8, num_heads: 1, num_layers: 1, num_buckets: 8 };
  const own = { ...{ dim: 16, ffn_dim: 8, num_heads: 2, num_layers: 1, freq_dim: 8, text_len: 8, attn_compress: 2 } };
  const { z_dim = 4 } = (config.vae ?? (part === "causal" ? { z_dim: config.in_dim } : {})) as { z_dim?: number };
  const channels = Array.from({ length: Number.isInteger(z_dim) && z_dim < 4096 ? z_dim : 4 }, () => 1);
  const textDim = part === "causal" ? config.text_dim : (config.t5 as { dim?: number } | undefined)?.dim ?? text.dim;
  const base = {
    vae: part === "vae" ? config.vae : { ...one, z_dim },
    t5: part === "text encoder" ? config.t5 : { ...text, dim: textDim },
    latents_mean: config.latents_mean ?? channels,
    latents_std: config.latents_std ?? channels,
  };
  const causal = part === "causal" ? config : { ...own, in_dim: z_dim, text_dim: textDim };
  let parsed: ArworldConfig;
  try {
    parsed = parseArworldConfig(base, causal);
  } catch (error) {
    const problems = error instanceof SvcError ? error.problems.join("; ") : String(error);
    throw new SvcError(
      "checkpoint_refused",
      `Cannot convert ${source} as ${part}: its shapes do not make one (${problems}); ` +
        "put the model's config.json beside it if it has one",
    );
  }
  if (part === "text encoder") return textEncoderShapes(parsed.textEncoder);
  return part === "vae" ? vaeShapes(parsed.vae) : transformerShapes(parsed.transformer);
}

/** Every weight with its tensor, all shapes checked before anything is written. */
async function weightsOf(
  source: string,
  tensors: ReadonlyMap<string, CheckpointTensor>,
  dialect: Dialect,
  shapes: TensorShapes,
  type: WeightType,
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
    const scales = isEightBit(tensor) ? await scalesOf(source, tensors, theirs) : undefined;
    weights.push({ name, shape, form: storedForm(name, shape, type), source: tensor, scales });
  }
  if (problems.length === 0) return weights;
  const shown = problems.slice(0, 8).join("; ");
  const more = problems.length > 8 ? ` and ${problems.length - 8} more` : "";
  throw new SvcError("checkpoint_refused", `Cannot convert ${source} with names of ${dialect.name}: ${shown}${more}`);
}

/** Tools keep the scale of an 8-bit weight under one of these names; without one it counts as 1. */
async function scalesOf(
  source: string,
  tensors: ReadonlyMap<string, CheckpointTensor>,
  name: string,
): Promise<Float32Array | undefined> {
  const stem = name.replace(/\.weight$/, "");
  const tensor = tensors.get(`${stem}.scale_weight`) ?? tensors.get(`${stem}.weight_scale`);
  if (!tensor) return undefined;
  const all: number[] = [];
  for await (const numbers of readNumbers(source, tensor)) all.push(...numbers);
  return Float32Array.from(all);
}

/** The same shape, or what is left of it where a format or a tool drops axes of length 1 or joins the last ones. */
function fits(found: Shape, expected: Shape): boolean {
  if (sizeOf(found) !== sizeOf(expected)) return false;
  return sameShape(squeezed(found), squeezed(expected)) ||
    (expected.length > 4 && found.length < expected.length && found[0] === expected[0]);
}

function squeezed(shape: Shape): Shape {
  return shape.slice(1).every((length) => length === 1) ? shape.slice(0, 1) : shape;
}

async function isFinished(file: string, metadata: ReadonlyMap<string, string>): Promise<boolean> {
  const reader = await openFileReader(file).catch(() => undefined);
  if (!reader) return false;
  try {
    const { metadata: there } = await openSafetensors(file, reader);
    return [...metadata].every(([key, value]) => there.get(key) === value);
  } catch {
    return false; // damaged: it is made again
  } finally {
    await reader.close();
  }
}

async function earlierReports(output: string, part: WorldPart): Promise<readonly WeightReport[]> {
  const known = await readJsonFile(join(output, "conversion.json")) as Record<string, { weights?: WeightReport[] }>;
  return known[part]?.weights ?? [];
}

async function copyTokenizer(given: string | undefined, source: string, base: string): Promise<void> {
  const found = given === undefined
    ? await readBeside(source, "tokenizer.json", "google/umt5-xxl/tokenizer.json", "../tokenizer/tokenizer.json")
    : await readJsonFile(given);
  if (Object.keys(found).length > 0) {
    return await replaceFile(join(base, "tokenizer.json"), new TextEncoder().encode(JSON.stringify(found)));
  }
  if (given === undefined) return;
  throw new SvcError("unsuitable_files", `Cannot convert: ${given} is not a tokenizer.json, expected a JSON object`);
}

async function mergeJson(file: string, more: Readonly<Record<string, unknown>>): Promise<void> {
  const merged = { ...await readJsonFile(file), ...more };
  await replaceFile(file, new TextEncoder().encode(`${JSON.stringify(merged, undefined, 2)}\n`));
}

async function readJsonFile(file: string): Promise<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(await readFile(file)));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value as Record<string, unknown> : {};
  } catch {
    return {};
  }
}
