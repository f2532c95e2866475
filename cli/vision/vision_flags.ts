/**
 * The options of the vision commands.
 *
 * @module
 */
import type { VisionRoute } from "../../lib/api/service/mod.ts";
import { flagsHelp, type FlagTable, readFlagsAndWords, UsageError } from "../../lib/platform/terminal/flags.ts";
import { REFERENCE_STRATEGIES } from "../../lib/models/depth_anything3/reference_view.ts";

/** The words after `svc vision`. */
export type VisionWord = "geometry" | "multiview" | "image-to-3d" | "depth-video";

const MAX_COUNT = 2 ** 31 - 1;
const MAX_NUMBER = 1e15;

const common = {
  output: { kind: "string", value: "DIR", short: "o", help: "folder for the result, which must be empty or missing" },
  device: { kind: "choice", choices: ["auto", "cpu", "webgpu"], default: "auto", help: "where the model runs" },
  adapter: { kind: "string", value: "NAME|N", help: "GPU to use: a part of its name, or its number in svc doctor" },
  threads: { kind: "integer", value: "N", min: 1, max: 256, help: "threads of the model on the CPU" },
  url: { kind: "string", value: "URL", help: "server to use (default: one on this machine, else run the model here)" },
  "api-key": { kind: "string", value: "KEY", help: "the server's key (default: SVC_API_KEY)" },
  json: { kind: "boolean", help: "print the answer of the API as JSON" },
  help: { kind: "boolean", help: "show this help" },
} as const satisfies FlagTable;

const cameras = { kind: "string", value: "FILE", help: "known cameras as JSON, one per view" } as const;
const maxPoints = { kind: "integer", value: "N", min: 1, max: MAX_COUNT, help: "maximum number of points" } as const;

/** What a command takes, apart from the common options; names are those of the API's fields with hyphens. */
const own = {
  "geometry": {
    "resolution-level": { kind: "integer", value: "0..9", min: 0, max: 9, help: "level of detail of the image" },
    "token-count": { kind: "integer", value: "N", min: 1, max: 3600, help: "number of patches, instead of the level" },
    "max-points": maxPoints,
  },
  "multiview": {
    "process-resolution": { kind: "integer", value: "N", min: 14, max: 1008, help: "pixels on the longest side" },
    "reference-view": { kind: "choice", choices: REFERENCE_STRATEGIES, help: "view that the others are placed around" },
    "confidence-percentile": { kind: "number", value: "P", min: 0, max: 100, help: "share of points to leave out" },
    "max-points": maxPoints,
    cameras,
  },
  "image-to-3d": {
    "resolution": { kind: "integer", value: "N", min: 2, max: 512, help: "resolution of the mesh" },
    "density-threshold": {
      ...{ kind: "number", value: "D", min: -MAX_NUMBER, max: MAX_NUMBER },
      help: "density on the surface (one image)",
    },
    "foreground-ratio": { kind: "number", value: "R", min: 0, max: 1, help: "share that the object fills (one image)" },
    "already-framed": { kind: "boolean", help: "the image is framed and needs no transparency (one image)" },
    "no-vertex-colors": { kind: "boolean", help: "omit colours" },
    cameras,
  },
  "depth-video": {
    "metric": { kind: "boolean", help: "depth in metres, with the metric model" },
    "input-size": {
      kind: "integer",
      value: "N",
      min: 14,
      max: 1008,
      help: "pixels on the shorter side of the network",
    },
    "max-frames": { kind: "integer", value: "N", min: 1, max: 2400, help: "maximum number of frames" },
  },
} as const satisfies Readonly<Record<VisionWord, FlagTable>>;

const about: Readonly<Record<VisionWord, readonly [usage: string, text: string]>> = {
  "geometry": ["IMAGE", "Depth, normals, points and the camera of an image, in metres (vision-geometry-moge2-small)."],
  "multiview": ["IMAGE…", "Depth, cameras and points of 1 to 16 views of a scene (vision-geometry-da3-small)."],
  "image-to-3d": [
    "IMAGE…",
    "A mesh of the object in one image with a transparent background (image-3d-triposr), or in four or six square views\n" +
    "of it (image-3d-instantmesh-base).",
  ],
  "depth-video": ["VIDEO", "The depth of every frame of a video (vision-depth-vda-small)."],
};

/** A command that is ready to run. */
export interface VisionCommand {
  readonly route: VisionRoute;
  /** Fields of the form. */
  readonly texts: ReadonlyMap<string, readonly [string]>;
  /** Name of the field that the files are for. */
  readonly field: "image" | "video";
  readonly files: readonly string[];
  readonly cameras: string | undefined;
  readonly output: string;
  readonly device: "auto" | "cpu" | "webgpu";
  readonly adapter: string | undefined;
  readonly threads: number | undefined;
  /** The server to use. */
  readonly url: string | undefined;
  readonly apiKey: string | undefined;
  readonly json: boolean;
}

/**
 * Reads the arguments of a command; undefined when they ask for help.
 *
 * @param environmentKey The key from the environment; `--api-key` wins over it.
 * @throws {UsageError}
 */
export function readVisionCommand(
  word: VisionWord,
  args: readonly string[],
  environmentKey?: string,
): VisionCommand | undefined {
  const name = `svc vision ${word}`;
  const { flags, words: files } = readFlagsAndWords(name, args, { ...own[word], ...common } as FlagTable);
  const { output, device, adapter, threads, url, "api-key": apiKey, json, help, ...rest } = flags as Record<
    string,
    string | number | boolean
  >;
  if (help) return undefined;
  if (url !== undefined && !/^https?:\/\//.test(String(url))) {
    const found = `--url is ${JSON.stringify(url)}, expected an address such as http://127.0.0.1:8080`;
    throw new UsageError(`Cannot run ${name}: ${found}`);
  }
  if (typeof output !== "string" || output === "") throw new UsageError(`Cannot run ${name}: expected -o DIR`);
  if (files.length === 0) throw new UsageError(`Cannot run ${name}: no file is named, expected ${about[word][0]}`);
  const texts = new Map<string, readonly [string]>();
  for (const [flag, value] of Object.entries(rest)) {
    if (value === undefined || value === false || flag === "cameras") continue;
    if (flag === "metric") texts.set("model", ["vision-depth-vda-small-metric"]);
    else if (flag === "no-vertex-colors") texts.set("vertex_colors", ["false"]);
    else texts.set(flag.replaceAll("-", "_"), [String(value)]);
  }
  return {
    route: routeOf(word, files.length, texts, name),
    texts,
    field: word === "depth-video" ? "video" : "image",
    files,
    cameras: rest.cameras as string | undefined,
    output,
    device: device as VisionCommand["device"],
    adapter: adapter as string | undefined,
    threads: threads as number | undefined,
    url: url as string | undefined,
    apiKey: (apiKey as string | undefined)?.trim() || environmentKey,
    json: json === true,
  };
}

function routeOf(word: VisionWord, files: number, texts: ReadonlyMap<string, unknown>, name: string): VisionRoute {
  const many = word === "multiview" || word === "image-to-3d";
  if (files > 1 && !many) throw new UsageError(`Cannot run ${name}: ${files} files are named, expected one`);
  if (word === "depth-video") return "depthVideo";
  if (word !== "image-to-3d") return word;
  if (files === 1) return "imageTo3d";
  const single = ["density_threshold", "foreground_ratio", "already_framed"].find((field) => texts.has(field));
  if (single === undefined) return "viewsTo3d";
  const flag = `--${single.replaceAll("_", "-")}`;
  throw new UsageError(`Cannot run ${name}: ${flag} is for one image, ${files} are named; leave it out`);
}

/** The help of a command. */
export function visionHelp(word: VisionWord): string {
  const [usage, text] = about[word];
  return `${text}

Usage: svc vision ${word} ${usage} -o DIR [options]

Writes all files of the result to DIR, and an index.html that shows them without a network.

Options:
${flagsHelp({ ...own[word], ...common } as FlagTable)}`;
}
