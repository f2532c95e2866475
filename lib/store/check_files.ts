/**
 * Checks that the files of a model are what their names say, and whole, before anything is copied.
 *
 * @module
 */
import { isObject } from "../json/json_text.ts";
import { openSafetensors } from "../compute/tensor/safetensors_reader.ts";
import { SafetensorsError } from "../compute/tensor/safetensors_header.ts";
import { protoText, readProto } from "../compute/onnx/proto.ts";
import type { ModelFiles } from "../engines/contract/engine_entry.ts";
import { readModelJson } from "../engines/files/model_json.ts";
import { readGgufTensors } from "../engines/gguf_text/gguf_metadata.ts";
import { readOnnxFile } from "../engines/onnx_sessions/onnx_file.ts";
import { SvcError } from "../errors/svc_error.ts";
import { stat } from "../platform/files/file_system.ts";
import { openFileReader } from "../platform/files/read_part.ts";
import { lackOf } from "./explain_files.ts";
import { blockTypes } from "./convert/gguf_source.ts";

/** How files begin that Git LFS has not fetched. */
const GIT_LFS = "version https://git-lfs.github.com/spec/";

/** Bytes in which other files than the right ones are recognised. */
const HEAD = 512;

/** What the hub answers in place of a file. */
const HUB_ERRORS =
  /^(Entry not found|Repository not found|Invalid username or password|Access to \S+ .* is restricted)/;

/**
 * Refuses placeholders for a file: pointers of Git LFS, web pages and error messages that were saved under its name,
 * and parts that an index names and that do not exist.
 *
 * @param what The folder, for the error sentence.
 * @throws {SvcError} `unsuitable_files`.
 */
export async function checkStandIns(files: ModelFiles, what: string): Promise<void> {
  const refuse = (problem: string, expected: string) =>
    new SvcError("unsuitable_files", `Cannot use ${what}: ${problem}, ${expected}`);
  const pointers: string[] = [];
  for (const name of files.names) {
    const head = new TextDecoder().decode(await files.readPart(name, 0, HEAD));
    if (head.startsWith(GIT_LFS)) pointers.push(name);
    const isText = /\.(txt|jinja)$|(^|\/)(LICEN[CS]E|NOTICE|README)[^/]*$/i.test(name);
    if (!isText && (/^\s*<(!doctype html|html)/i.test(head) || HUB_ERRORS.test(head))) {
      throw refuse(`${name} is a web page that was saved under this name`, "expected the file: download it again");
    }
  }
  if (pointers.length > 0) {
    const others = pointers.length === 1 ? "" : ` (and ${pointers.length - 1} more)`;
    const found = `${pointers[0]}${others} is a pointer of Git LFS, not the file itself`;
    throw refuse(found, 'expected the file: run "git lfs install" and "git lfs pull" in the folder');
  }
  const index = missingIndex(files.names);
  if (index !== undefined) {
    const { problem, expected } = lackOf([index]);
    throw refuse(`${problem}, which says where the tensors are`, expected);
  }
  for (const name of files.names.filter((name) => name.endsWith(".safetensors.index.json"))) {
    const missing = files.names.includes(name.slice(0, -".index.json".length)) ? [] : await missingShards(files, name);
    if (missing.length === 0) continue;
    const { problem, expected } = lackOf(missing);
    throw refuse(`${problem}, which ${name} names`, expected);
  }
}

/** The index that shards are without, where they are not one file either. */
function missingIndex(names: readonly string[]): string | undefined {
  for (const name of names) {
    const [, whole] = /^(.*)-\d{5}-of-\d{5}\.safetensors$/.exec(name) ?? [];
    if (whole === undefined || names.includes(`${whole}.safetensors`)) continue;
    if (!names.includes(`${whole}.safetensors.index.json`)) return `${whole}.safetensors.index.json`;
  }
  return undefined;
}

/** The shards of an index that do not exist, such as `model-00002-of-00003.safetensors (shard 2 of 3)`. */
async function missingShards(files: ModelFiles, index: string): Promise<string[]> {
  const map = (await readModelJson(files, index))?.weight_map;
  if (!isObject(map)) return [];
  const folder = index.slice(0, index.lastIndexOf("/") + 1);
  const shards = [...new Set(Object.values(map).map((shard) => `${folder}${shard}`))].sort();
  const missing = shards.filter((shard) => !files.names.includes(shard));
  const shown = missing.slice(0, 5).map((shard) => `${shard} (shard ${shards.indexOf(shard) + 1} of ${shards.length})`);
  return missing.length > shown.length ? [...shown, `${missing.length - shown.length} others`] : shown;
}

/**
 * Refuses weights that are damaged or end early. Only headers are read.
 *
 * @throws {SvcError} `unsuitable_files`.
 * @throws {Error} naming the file of ONNX or GGUF that cannot be read.
 */
export async function checkWholeWeights(files: ModelFiles): Promise<void> {
  await checkTensorFiles(files);
  for (const name of files.names) {
    if (/\.gguf$/i.test(name)) await checkGguf(files, name);
    if (name.endsWith(".onnx")) await checkOnnx(files, name);
  }
}

/**
 * Reads the headers of all safetensors files: a damaged or hostile one is refused before anything is copied.
 *
 * @throws {SvcError} `unsuitable_files`.
 */
export async function checkTensorFiles(files: ModelFiles): Promise<void> {
  for (const name of files.names.filter((name) => name.endsWith(".safetensors"))) {
    const reader = await openFileReader(files.path(name));
    try {
      await openSafetensors(name, reader);
    } catch (error) {
      if (error instanceof SafetensorsError) throw new SvcError("unsuitable_files", error.message, { cause: error });
      throw error;
    } finally {
      await reader.close();
    }
  }
}

function endsEarly(name: string, size: number, needed: number, format: string): SvcError {
  return new SvcError(
    "unsuitable_files",
    `Cannot read ${name}: it ends after ${size} bytes of at least ${needed}, expected a whole ${format} file: ` +
      "download it again",
  );
}

async function checkGguf(files: ModelFiles, name: string): Promise<void> {
  const { size } = await stat(files.path(name));
  for (const { shape, type, offset } of await readGgufTensors(files, name)) {
    const block = blockTypes[type];
    const count = shape.reduce((product, length) => product * length, 1);
    // Of types that are not known here only where they begin.
    const end = offset + (block ? Math.ceil(count / block.numbers) * block.bytes : 0);
    if (end > size) throw endsEarly(name, size, end, "GGUF");
  }
}

/** Fields of `onnx.proto`. */
const EXTERNAL_DATA = 13;

/** Reads the graph, which must be whole, and whose weights may be in other files. */
async function checkOnnx(files: ModelFiles, name: string): Promise<void> {
  const { weights } = await readOnnxFile(files, name);
  const folder = name.slice(0, name.lastIndexOf("/") + 1);
  const ends = new Map<string, number>();
  for (const weight of weights.values()) {
    const external = new Map<string, string>();
    for (const { field, bytes } of readProto(weight)) {
      if (field !== EXTERNAL_DATA) continue;
      const entry = [...readProto(bytes)].map((part) => [part.field, protoText(part)] as const);
      const [key, value] = [1, 2].map((wanted) => entry.find(([found]) => found === wanted)?.[1] ?? "");
      external.set(key, value);
    }
    const file = folder + external.get("location");
    if (file === name || !files.names.includes(file)) continue;
    const end = Number(external.get("offset") ?? 0) + Number(external.get("length") ?? 0);
    ends.set(file, Math.max(ends.get(file) ?? 0, end));
  }
  for (const [file, end] of ends) {
    const { size } = await stat(files.path(file));
    if (end > size) throw endsEarly(file, size, end, "ONNX data");
  }
}
