/**
 * Finds the one model in a folder or file, and says what it is.
 *
 * @module
 */
import type { ModelFiles } from "../engines/contract/engine_entry.ts";
import { checkTextFiles } from "../engines/files/tokenizer_files.ts";
import { SvcError } from "../errors/svc_error.ts";
import { brokenLinks } from "../platform/files/find_files.ts";
import { readdir } from "../platform/files/file_system.ts";
import { basename, dirname, join, resolve } from "../platform/files/paths.ts";
import { chooseFiles, ggufModels } from "./catalog/choose_files.ts";
import { type DetectedModel, detectModel } from "./catalog/detect_model.ts";
import type { ModelTask } from "./catalog/installed_model.ts";
import { explainFiles } from "./explain_files.ts";
import { checkStandIns, checkWholeWeights } from "./check_files.ts";
import { blobFiles, isGgufBlob, type ModelSource, openModelFolder, readModelSource } from "./model_folder.ts";
import { profileReaders } from "./profile_readers.ts";

/** What is looked for. */
export interface WantedModel {
  /** Detected from the files by default. */
  readonly task?: ModelTask | undefined;
  /** The best for a CPU by default. */
  readonly quantization?: string | undefined;
  /** Whether to leave out the tokenizer, the template and the ends of weights. */
  readonly quick?: boolean | undefined;
}

/** A model on disk. */
export interface InspectedModel {
  readonly files: ModelFiles;
  /** The folder of its files; undefined for a blob of another program. */
  readonly folder: string | undefined;
  readonly detected: DetectedModel;
}

/**
 * Reads the headers of a model's files, in a folder, as one file, or as a blob.
 *
 * @param verb What is to be done with it, for the error sentence.
 * @throws {SvcError} `unsuitable_files` when nothing there, or more than one thing, is a model that an engine serves.
 * @throws {Error} naming the file that is missing or cannot be used.
 */
export async function inspectPath(path: string, verb: string, wanted: WantedModel = {}): Promise<InspectedModel> {
  if (!await isGgufBlob(path)) return await inspectSource(await readModelSource(path, verb), path, wanted);
  const files = await blobFiles(resolve(path));
  return { files, folder: undefined, detected: await detect(files, path, wanted) };
}

/** As {@linkcode inspectPath}, for files that are known: in the folder itself, or in the one below it that is a model. */
export async function inspectSource(source: ModelSource, what: string, wanted: WantedModel): Promise<InspectedModel> {
  const places = modelFolders(source.paths);
  if (places.length === 0 || places[0] === "") {
    const whole = await inspectFolder(source, what, wanted).catch((error: unknown) => error);
    if (!(whole instanceof Error)) return whole as InspectedModel;
    if (places.length <= 1) throw await withHint(source, whole);
    return await inspectBelow(source, places.slice(1), what, wanted, whole);
  }
  return await inspectBelow(source, places, what, wanted, undefined);
}

/** The most folders below one that are looked into. */
const MAX_PLACES = 100;

/** Files at the top level of a model. */
const TOP =
  /^(config\.json|model_index\.json|voices\.json|vocab\.txt|[^/]+\.(gguf|onnx|ort)|model[^/]*\.safetensors)$/i;

/** Folders with such files, outer ones first. */
export function modelFolders(paths: readonly string[]): string[] {
  const found = new Set<string>();
  for (const path of paths) {
    const at = path.lastIndexOf("/") + 1;
    if (TOP.test(path.slice(at))) found.add(path.slice(0, at).replace(/(^|\/)onnx\/$/, "$1"));
    const [, pipeline] = /^(.*\/|)(?:transformer|unet|vae)\/[^/]+\.safetensors$/.exec(path) ?? [];
    if (pipeline !== undefined) found.add(pipeline);
  }
  const depth = (folder: string) => folder.split("/").length;
  return [...found].sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1));
}

async function inspectBelow(
  source: ModelSource,
  places: readonly string[],
  what: string,
  wanted: WantedModel,
  refusal: Error | undefined,
): Promise<InspectedModel> {
  const found: [place: string, model: InspectedModel][] = [];
  const refusals: Error[] = refusal ? [refusal] : [];
  for (const place of places.slice(0, MAX_PLACES)) {
    if (found.some(([outer]) => place.startsWith(outer))) continue;
    const paths = source.paths.filter((path) => path.startsWith(place)).map((path) => path.slice(place.length));
    const below = { folder: join(source.folder, ...place.split("/").filter(Boolean)), paths };
    try {
      found.push([place, await inspectFolder(below, `${what} (in ${place.slice(0, -1)})`, wanted)]);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      refusals.push(error);
    }
  }
  if (found.length === 1) return found[0][1];
  if (found.length === 0) throw await withHint(source, refusals[0]);
  const shown = found.slice(0, 8).map(([place]) => place.slice(0, -1)).join(", ");
  const more = found.length > 8 ? ` and ${found.length - 8} more` : "";
  throw new SvcError(
    "unsuitable_files",
    `Cannot use ${what}: it holds ${found.length} models (${shown}${more}), expected one: name the folder of one of them`,
  );
}

async function inspectFolder(
  { folder, paths }: ModelSource,
  what: string,
  wanted: WantedModel,
): Promise<InspectedModel> {
  const chosen = chooseFiles(paths, wanted.quantization, what).paths;
  const models = /\.gguf$/i.test(chosen[0] ?? "") ? ggufModels(paths) : [];
  if (models.length > 1) {
    const shown = models.slice(0, 8).join(", ") + (models.length > 8 ? ` and ${models.length - 8} more` : "");
    throw new SvcError(
      "unsuitable_files",
      `Cannot use ${what}: it holds ${models.length} models (${shown}), expected one: name the file of one of them`,
    );
  }
  const files = openModelFolder(folder, chosen);
  return { files, folder, detected: await detect(files, what, wanted) };
}

async function detect(files: ModelFiles, what: string, { task, quick }: WantedModel): Promise<DetectedModel> {
  await checkStandIns(files, what);
  const detected = await detectModel(files, task, profileReaders, what, explainFiles);
  if (quick) return detected;
  await checkTextFiles(files, detected.profile);
  await checkWholeWeights(files);
  return detected;
}

/** A missing file may be a link of a cache whose target is gone, or are in the folder above that of the graphs. */
async function withHint({ folder }: ModelSource, error: Error): Promise<Error> {
  const broken = await brokenLinks(folder);
  const shown = broken.slice(0, 3).join(", ") + (broken.length > 3 ? ` and ${broken.length - 3} more` : "");
  const above = dirname(folder);
  const isInside = basename(folder) === "onnx" &&
    (await readdir(above).catch(() => [] as string[])).includes("config.json");
  const hint = broken.length > 0
    ? `links of the folder lead to files that are gone: ${shown}`
    : isInside
    ? `name the folder above: ${above}`
    : undefined;
  if (hint === undefined) return error;
  const message = `${error.message}; ${hint}`;
  return error instanceof SvcError ? new SvcError(error.code, message, { cause: error }) : new Error(message);
}
