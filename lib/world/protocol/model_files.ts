/**
 * The folders of a world model on disk, inspected without loading anything: what all kinds of models share.
 *
 * @module
 */
import * as v from "valibot";
import { MAX_FPS } from "./requests/move_fields.ts";
import { modelUnavailable, notFound, type SvcError } from "../../errors/svc_error.ts";
import { isObject } from "../../json/json_text.ts";

/** The defaults that a model's configuration names. */
export interface ModelDefaults {
  /** Width of the frames, in pixels. */
  readonly width?: number;
  /** Height of the frames, in pixels. */
  readonly height?: number;
  /** Frames per second. */
  readonly fps?: number;
  /** Denoising steps, if the model allows choosing them. */
  readonly steps?: number;
}

/** What is known of a model before it is loaded. */
export interface ModelRoots {
  /** Its id. */
  readonly id: string;
  /** Folder of the weights. */
  readonly path: string;
  /** Folder of the text encoder, the VAE and the tokenizer, if separate. */
  readonly basePath?: string;
  /** What its configuration names. */
  readonly defaults: ModelDefaults;
}

/** The location of a model, and how to read it. */
export interface ModelFolder {
  readonly id: string;
  readonly path: string;
  /** The remedy for missing files, after "to continue, ". */
  readonly remedy: string;
  /** Text of a file below a root; undefined if it does not exist. */
  readText(root: string, name: string): Promise<string | undefined>;
  /** Whether a file exists. */
  exists(root: string, name: string): Promise<boolean>;
}

/** The default start of a walk: an image that comes with the model, and its prompt. */
export interface ModelStart {
  /** A PNG file. */
  readonly image: Uint8Array;
  /** Describes the image as in the training data. */
  readonly prompt: string;
  /** Other places to start at, if the model comes with any. */
  readonly places?: readonly ModelPlace[];
}

/** A place that comes with a model. */
export interface ModelPlace {
  /** Describes it as in the training data. */
  readonly prompt: string;
  /**
   * Reads its picture, a PNG file.
   *
   * @throws {SvcError} `start_not_found` when it is missing.
   */
  read(): Promise<Uint8Array>;
}

/** What `config.json` of a root says of the places to start at. */
const startConfig = v.object({
  default_prompt: v.string(),
  places: v.optional(v.array(v.object({
    prompt: v.string(),
    // A file below the root and nothing else.
    image: v.pipe(v.string(), v.regex(/^[\w-]+(?:\/[\w-]+)*\.png$/)),
  }))),
});

/**
 * The default start of a walk and the other places of a model: `source.png` of its root, and `default_prompt` and
 * `places` of its `config.json`.
 *
 * @param read Reads a file of the root; undefined if it does not exist.
 * @throws {SvcError} `start_not_found` when picture or prompt of the default are missing.
 */
export async function readStart(
  id: string,
  root: string,
  read: (name: string) => Promise<Uint8Array | undefined>,
): Promise<ModelStart> {
  const [image, text] = await Promise.all([read("source.png"), read("config.json")]);
  const parsed = v.safeParse(startConfig, text && parseObject(`${root}/config.json`, new TextDecoder().decode(text)));
  const missing = (what: string): SvcError =>
    notFound(
      "start_not_found",
      `Cannot start a walk in ${id}: there is no ${what} in ${root}, give a source image and a prompt`,
    );
  if (!image) throw missing("source.png");
  if (!parsed.success) throw missing('"default_prompt" in config.json');
  const { default_prompt: prompt, places } = parsed.output;
  return {
    image,
    prompt,
    ...(places && {
      places: places.map(({ prompt, image }) => ({
        prompt,
        read: async () => {
          const bytes = await read(image);
          if (!bytes) throw missing(image);
          return bytes;
        },
      })),
    }),
  };
}

/** The sizes that a model supports, in pixels. */
interface SizeBounds {
  readonly unit: number;
  readonly width: number;
  readonly height: number;
}

/** Largest number of denoising steps that a configuration may name. */
const MAX_STEPS = 1000;

/** Returns the paths of missing files. */
export async function missingFiles(folder: ModelFolder, root: string, names: readonly string[]): Promise<string[]> {
  const found = await Promise.all(names.map((name) => folder.exists(root, name)));
  return names.filter((_, i) => !found[i]).map((name) => `${root}/${name}`);
}

/** Returns the paths of missing weights: one file, or all that its index names. */
export async function missingWeights(folder: ModelFolder, root: string, name: string): Promise<string[]> {
  if (await folder.exists(root, name)) return [];
  const index = `${name}.index.json`;
  const text = await folder.readText(root, index);
  if (text === undefined) return [`${root}/${name}`];
  const { weight_map = {} } = parseObject(`${root}/${index}`, text) as { weight_map?: Record<string, string> };
  const prefix = name.slice(0, name.lastIndexOf("/") + 1);
  return await missingFiles(folder, root, [...new Set(Object.values(weight_map))].map((shard) => prefix + shard));
}

/**
 * Throws when files are missing.
 *
 * @throws {SvcError} `model_unavailable` that names all of them.
 */
export function requireAll({ id, remedy }: ModelFolder, missing: readonly string[]): void {
  if (missing.length === 0) return;
  throw modelUnavailable(
    "model_unavailable",
    `Cannot prepare ${id}: ${missing.length === 1 ? "a file is" : `${missing.length} files are`} missing ` +
      `(${missing.join(", ")}); ${remedy}`,
  );
}

/**
 * The defaults that `config.json` of a root names.
 *
 * @throws {SvcError} `model_invalid_config` when it names what cannot be.
 */
export async function readDefaults(folder: ModelFolder, root: string, bounds: SizeBounds): Promise<ModelDefaults> {
  const name = `${root}/config.json`;
  const { unit, width, height } = bounds;
  const side = (limit: number) => v.pipe(v.number(), v.minValue(unit), v.maxValue(limit), v.multipleOf(unit));
  const count = (limit: number) => v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(limit));
  const schema = v.object({
    default_width: v.optional(side(width)),
    default_height: v.optional(side(height)),
    default_fps: v.optional(count(MAX_FPS)),
    default_steps: v.optional(count(MAX_STEPS)),
  });
  const result = v.safeParse(schema, parseObject(name, await folder.readText(root, "config.json") ?? ""));
  if (!result.success) {
    const [issue] = result.issues;
    throw modelUnavailable(
      "model_invalid_config",
      `Cannot use ${name}: "${v.getDotPath(issue)}" is ${issue.received}, expected multiples of ${unit} up to ` +
        `${width} x ${height}, 1 to ${MAX_FPS} fps and 1 to ${MAX_STEPS} steps`,
    );
  }
  const { default_width, default_height, default_fps, default_steps } = result.output;
  return {
    ...(default_width && { width: default_width }),
    ...(default_height && { height: default_height }),
    ...(default_fps && { fps: default_fps }),
    ...(default_steps && { steps: default_steps }),
  };
}

/** What a model was made for: `what` of `knows` in `config.json` of a root; undefined where it does not say. */
export async function readMadeFor(folder: Pick<ModelFolder, "readText">, root: string): Promise<string | undefined> {
  const text = await folder.readText(root, "config.json");
  const parsed = v.safeParse(madeForConfig, text && parseObject(`${root}/config.json`, text));
  return parsed.success ? parsed.output.knows.what : undefined;
}

const madeForConfig = v.object({ knows: v.object({ what: v.pipe(v.string(), v.minLength(1), v.maxLength(200)) }) });

function parseObject(name: string, text: string): object {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw modelUnavailable("model_invalid_config", `Cannot read ${name}: it is not JSON`);
  }
  if (isObject(json)) return json;
  throw modelUnavailable("model_invalid_config", `Cannot use ${name}: it is not a JSON object`);
}
