/**
 * The folders of a world model on disk, looked at without loading anything.
 *
 * @module
 */
import * as v from "valibot";
import { MAX_FPS, MAX_GEOMETRY } from "./move_fields.ts";
import { WorldError } from "./world_error.ts";

/** What can be known of a model before it is loaded. */
export interface ModelRoots {
  readonly id: string;
  /** Folder of the causal weights. */
  readonly path: string;
  /** Folder of the text encoder, the VAE and the tokenizer. */
  readonly basePath: string;
  /** What the base root's configuration names as its own defaults. */
  readonly defaults: { readonly width?: number; readonly height?: number; readonly fps?: number };
}

/** Where the roots of a model are, and how to read there. */
export interface ModelLocation {
  readonly id: string;
  readonly path: string;
  readonly basePath: string;
  /** What to do when files are missing, after "to go on, ". */
  readonly remedy: string;
  /** Text of a file below a root; undefined when there is none. */
  readText(root: string, name: string): Promise<string | undefined>;
  /** Whether a file is there. */
  exists(root: string, name: string): Promise<boolean>;
}

const BASE_FILES = ["config.json", "tokenizer.json", "t5_encoder.safetensors", "vae.safetensors"];
const side = (limit: number) => v.pipe(v.number(), v.minValue(32), v.maxValue(limit), v.multipleOf(32));
const defaultsSchema = v.object({
  default_width: v.optional(side(MAX_GEOMETRY.width)),
  default_height: v.optional(side(MAX_GEOMETRY.height)),
  default_fps: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_FPS))),
});

/**
 * Finds out whether a model can be loaded and what its defaults are.
 *
 * @throws {WorldError} `model_unavailable` that names every missing file, or `model_invalid_config`.
 */
export async function inspectModelRoots(location: ModelLocation): Promise<ModelRoots> {
  const { id, path, basePath } = location;
  const missing: string[] = [];
  for (const name of BASE_FILES) if (!await location.exists(basePath, name)) missing.push(`${basePath}/${name}`);
  if (!await location.exists(path, "config.json")) missing.push(`${path}/config.json`);
  const weights = ["model.safetensors", "model.safetensors.index.json"];
  const found = await Promise.all(weights.map((name) => location.exists(path, name)));
  if (!found.includes(true)) missing.push(`${path}/model.safetensors`);
  if (missing.length > 0) {
    throw unavailable(
      "model_unavailable",
      `Cannot prepare ${id}: ${missing.length === 1 ? "a file is" : `${missing.length} files are`} missing ` +
        `(${missing.join(", ")}); ${location.remedy}`,
    );
  }
  const config = parseConfig(`${basePath}/config.json`, await location.readText(basePath, "config.json") ?? "");
  return {
    id,
    path,
    basePath,
    defaults: {
      ...(config.default_width && { width: config.default_width }),
      ...(config.default_height && { height: config.default_height }),
      ...(config.default_fps && { fps: config.default_fps }),
    },
  };
}

function parseConfig(name: string, text: string): v.InferOutput<typeof defaultsSchema> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw unavailable("model_invalid_config", `Cannot read ${name}: it is no JSON`);
  }
  if (Array.isArray(json)) throw unavailable("model_invalid_config", `Cannot use ${name}: it is no JSON object`);
  const result = v.safeParse(defaultsSchema, json);
  if (result.success) return result.output;
  const [issue] = result.issues;
  const field = v.getDotPath(issue);
  throw unavailable(
    "model_invalid_config",
    field
      ? `Cannot use ${name}: "${field}" is ${issue.received}, expected multiples of 32 up to 1280 x 704 and 1 to 240 fps`
      : `Cannot use ${name}: it is no JSON object`,
  );
}

function unavailable(code: string, message: string): WorldError {
  return new WorldError("model_unavailable_error", code, message);
}
