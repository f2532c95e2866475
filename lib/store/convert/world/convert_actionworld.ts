/**
 * Turns a published actionworld into one with smaller weights, in the same layout.
 *
 * @module
 */
import { SvcError } from "../../../errors/svc_error.ts";
import { parseActionworldConfig, type ParsedActionworld } from "../../../models/actionworld/parse_config.ts";
import { actionTransformerShapes, visionShapes } from "../../../models/actionworld/config.ts";
import type { TensorShapes } from "../../../models/checkpoint/weights.ts";
import { diffusersVaeName, vaeShapes } from "../../../models/video_vae/vae_config.ts";
import { readFile, stat } from "../../../platform/files/file_system.ts";
import { dirname, join } from "../../../platform/files/paths.ts";
import type { OnTransfer } from "../../download_file.ts";
import { readBeside } from "./infer_configs.ts";
import { type ConvertedPart, convertPart } from "./convert_part.ts";
import type { WeightType } from "./stored_form.ts";

/** The parts of an actionworld that have weights. */
export type ActionworldPart = "vae" | "transformer" | "vision encoder";

/** What to convert. */
export interface ConvertActionworldOptions {
  /** A snapshot: a folder with `transformer/`, `vae/`, `vision_encoder/`, `scheduler/` and a tokenizer. */
  readonly source: string;
  /** The folder to write, of the same layout. */
  readonly output: string;
  readonly types: Readonly<Record<ActionworldPart, WeightType>>;
  /** The parts to convert; all by default. */
  readonly parts?: readonly ActionworldPart[] | undefined;
}

const FILES: Readonly<Record<ActionworldPart, string>> = {
  vae: "vae/diffusion_pytorch_model.safetensors",
  transformer: "transformer/diffusion_pytorch_model.safetensors",
  "vision encoder": "vision_encoder/model.safetensors",
};

/** Files that are taken as they are: at least one of each line. */
const REQUIRED = [
  ["config.json"],
  ["transformer/config.json"],
  ["vae/config.json"],
  ["scheduler/scheduler_config.json"],
  ["text_tokenizer/tokenizer.json", "tokenizer.json"],
] as const;
const OPTIONAL = ["chat_template.jinja", "text_tokenizer/chat_template.jinja", "model_index.json", "LICENSE", "NOTICE"];

/** Largest file that is copied, in bytes. */
const MAX_BYTES = 64 * 2 ** 20;

/**
 * Converts all parts. An interrupted run resumes where it stopped.
 *
 * @throws {SvcError} `checkpoint_refused`, `unsuitable_files`, `disk_full`.
 */
export async function convertActionworld(
  { source, output, types, parts = ["vae", "transformer", "vision encoder"] }: ConvertActionworldOptions,
  onTransfer: OnTransfer,
  signal: AbortSignal,
): Promise<readonly ConvertedPart[]> {
  const paths = await filesToCopy(source);
  const config = await configOf(source);
  const copied = new Map(
    await Promise.all(paths.map(async (path) => [path, await readFile(join(source, path))] as const)),
  );
  const converted: ConvertedPart[] = [];
  for (const part of parts) {
    const describe = () => ({ shapes: shapesOf(part, config) });
    const written = part === "vae" ? diffusersVaeName : undefined;
    const from = { part, source: join(source, dirname(FILES[part])), type: types[part] };
    const form = { output, file: FILES[part], files: [...REQUIRED.flat(), ...OPTIONAL], copied, describe, written };
    converted.push(await convertPart(from, form, onTransfer, signal));
  }
  return converted;
}

function shapesOf(part: ActionworldPart, { config, vision }: ParsedActionworld): TensorShapes {
  if (part === "vae") return vaeShapes(config.vae);
  return part === "transformer" ? actionTransformerShapes(config.transformer) : visionShapes(vision);
}

async function filesToCopy(source: string): Promise<string[]> {
  const isCopied = async (path: string): Promise<boolean> => {
    const info = await stat(join(source, path)).catch(() => undefined);
    return info?.isFile() === true && info.size <= MAX_BYTES;
  };
  const copied: string[] = [];
  for (const path of [...REQUIRED.flat(), ...OPTIONAL]) if (await isCopied(path)) copied.push(path);
  const missing = REQUIRED.filter((choices) => !choices.some((path) => copied.includes(path)));
  if (missing.length === 0) return copied;
  throw new SvcError(
    "unsuitable_files",
    `Cannot convert ${source}: it has no ${missing.map((choices) => choices.join(" or ")).join(", no ")}, ` +
      "expected a whole snapshot of an actionworld",
  );
}

async function configOf(source: string): Promise<ParsedActionworld> {
  const read = (path: string) => readBeside(source, path);
  try {
    return parseActionworldConfig({
      root: await read("config.json"),
      transformer: await read("transformer/config.json"),
      vae: await read("vae/config.json"),
    });
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    const problems = error.problems.join("; ");
    throw new SvcError("checkpoint_refused", `Cannot convert ${source}: it is not an actionworld (${problems})`);
  }
}
