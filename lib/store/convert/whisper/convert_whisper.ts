/**
 * Turns a Whisper model for CTranslate2, as faster-whisper uses them, into ONNX graphs in the layout of Hugging Face.
 *
 * @module
 */
import type { OnnxModel } from "../../../compute/onnx/model_builder.ts";
import { SvcError } from "../../../errors/svc_error.ts";
import { copyFile, mkdir, open, writeFile } from "../../../platform/files/file_system.ts";
import { freeBytes } from "../../../platform/files/find_files.ts";
import { join } from "../../../platform/files/paths.ts";
import { openFileReader, readPart } from "../../../platform/files/read_part.ts";
import type { OnTransfer } from "../../download_file.ts";
import { checkSpace } from "../../free_space.ts";
import { type ModelSource, openModelFolder } from "../../model_folder.ts";
import { whisperConfigs } from "./whisper_configs.ts";
import { whisperDecoder, whisperEncoder } from "./whisper_graphs.ts";
import { WhisperVariables } from "./whisper_variables.ts";

/** The file of weights. */
const WEIGHTS = "model.bin";

/** Files beside it, which no other format has. */
const BESIDE = /^((shared_|source_|target_)?vocabulary(_\d+)?\.(json|txt)|vmap\.txt)$/;

/** Weights of other formats. */
const OTHERS = /\.(onnx|ort|gguf|safetensors)$/i;

/**
 * The model for CTranslate2 in a folder or in one below it; undefined where there is none, several, or weights of other
 * formats.
 */
export async function findCTranslate2({ folder, paths }: ModelSource): Promise<ModelSource | undefined> {
  if (paths.some((path) => OTHERS.test(path))) return undefined;
  const found = paths.filter((path) => path.slice(path.lastIndexOf("/") + 1) === WEIGHTS);
  if (found.length !== 1) return undefined;
  const place = found[0].slice(0, -WEIGHTS.length);
  const inside = paths.filter((path) => path.startsWith(place)).map((path) => path.slice(place.length));
  const source = { folder: join(folder, ...place.split("/").filter(Boolean)), paths: inside };
  if (inside.some((path) => BESIDE.test(path))) return source;
  // The version, a name with its length before it and a zero after it; checkpoints of PyTorch begin otherwise.
  const head = await readPart(join(source.folder, WEIGHTS), 0, 64);
  const name = String.fromCharCode(...head.subarray(6, 5 + head[4]));
  return head[2] === 0 && head[3] === 0 && /^\w+Spec$/.test(name) ? source : undefined;
}

/**
 * Converts the model; its files are complete when this returns.
 *
 * @param target An empty folder.
 * @throws {SvcError} `unsuitable_files` when `model.bin` is damaged or not of Whisper, `disk_full`.
 * @throws {Error} naming another file that is missing or cannot be used.
 * @throws the reason of `signal`.
 */
export async function convertWhisper(
  { folder, paths }: ModelSource,
  target: string,
  onTransfer: OnTransfer,
  signal: AbortSignal,
): Promise<ModelSource> {
  const path = join(folder, WEIGHTS);
  const reader = await openFileReader(path);
  const written: string[] = [];
  try {
    const variables = await WhisperVariables.open(reader, path);
    const configs = await whisperConfigs(openModelFolder(folder, paths), variables.sizes);
    for (const [name, content] of Object.entries(configs)) {
      await writeFile(join(target, name), JSON.stringify(content));
      written.push(name);
    }
    for (const name of paths.filter((one) => /^(LICEN[CS]E|NOTICE)[^/]*$/i.test(one))) {
      await copyFile(join(folder, name), join(target, name));
      written.push(name);
    }
    await mkdir(join(target, "onnx"));
    for (const [side, make] of [["encoder", whisperEncoder], ["decoder", whisperDecoder]] as const) {
      signal.throwIfAborted();
      await variables.load(side);
      const name = side === "encoder" ? "encoder_model.onnx" : "decoder_model_merged.onnx";
      const model = make(variables, `${name}_data`);
      written.push(...await writeGraph(target, `onnx/${name}`, model, onTransfer, signal));
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new SvcError("unsuitable_files", `Cannot convert ${path}: ${error.message}`, { cause: error });
  } finally {
    await reader.close();
  }
  return { folder: target, paths: written };
}

/** Writes a graph and the file of its weights; returns their names. */
async function writeGraph(
  folder: string,
  name: string,
  { bytes, weights, weightBytes }: OnnxModel,
  onTransfer: OnTransfer,
  signal: AbortSignal,
): Promise<string[]> {
  checkSpace(`convert ${name}`, weightBytes, await freeBytes(folder));
  await writeFile(join(folder, name), bytes);
  if (weights.length === 0) return [name];
  const total = weights.reduce((sum, { data }) => sum + data.length, 0);
  const file = await open(join(folder, `${name}_data`), "wx");
  try {
    let done = 0;
    for (const { offset, data } of weights) {
      signal.throwIfAborted();
      for (let at = 0; at < data.length;) {
        at += (await file.write(data, at, data.length - at, offset + at)).bytesWritten;
      }
      onTransfer({ step: "convert", path: name, done: done += data.length, total });
    }
  } finally {
    await file.close();
  }
  return [name, `${name}_data`];
}
