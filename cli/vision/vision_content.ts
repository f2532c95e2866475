/**
 * What the page of a result shows.
 *
 * @module
 */
import type { VisionAnswer, VisionRoute } from "../../lib/api/service/mod.ts";
import { thinPoints, type ViewerContent, type ViewerPicture } from "./viewer_page.ts";
import { TEST_PREFIX } from "../../lib/store/catalog/test_model.ts";

const titles: Readonly<Record<VisionRoute, string>> = {
  geometry: "Geometry of an image",
  multiview: "Geometry of several views",
  imageTo3d: "Object of one image",
  viewsTo3d: "Object of several views",
  depthVideo: "Depth of a video",
};

/** Frames of a video that are shown one by one besides the review. */
const SHOWN_FRAMES = 12;

/** Arranges an answer and its files for the page. */
export async function visionContent(
  route: VisionRoute,
  sources: readonly string[],
  answer: VisionAnswer,
  files: readonly string[],
  read: (path: string) => Promise<Uint8Array>,
): Promise<ViewerContent> {
  const cloud = files.find((path) => path.endsWith(".ply"));
  const ply = cloud === undefined ? undefined : thinPoints(await read(cloud));
  const isMesh = route === "imageTo3d" || route === "viewsTo3d";
  return {
    title: `${titles[route]}: ${shortened(sources.join(", "))}`,
    summary: summaryOf(answer),
    kind: ply === undefined ? "none" : isMesh ? "mesh" : "points",
    ply,
    upsideDown: !isMesh,
    pictures: picturesOf(files),
    files,
    facts: factsOf(answer),
  };
}

function summaryOf(answer: VisionAnswer): string {
  const count = (key: string, noun: string) =>
    typeof answer[key] === "number" ? [`${Number(answer[key]).toLocaleString("en")} ${noun}`] : [];
  return [
    `Made by ${answer.model}${String(answer.model).startsWith(TEST_PREFIX) ? ", a test model: this is noise" : ""}`,
    ...count("point_count", "points"),
    ...count("triangle_count", "triangles"),
    ...count("frame_count", "frames"),
    ...typeof answer.units === "string" ? [`units: ${answer.units}`] : [],
  ].join(" · ");
}

/** The review first, then the pictures in the order of their names; of a video the first frames. */
function picturesOf(files: readonly string[]): ViewerPicture[] {
  const picture = (path: string): ViewerPicture => ({ path, caption: captionOf(path), video: path.endsWith(".mp4") });
  const videos = files.filter((path) => path.endsWith(".mp4"));
  const frames = files.filter((path) => /^frames\/.*\.png$/.test(path));
  const others = files.filter((path) => path.endsWith(".png") && !frames.includes(path));
  const step = Math.max(1, Math.ceil(frames.length / SHOWN_FRAMES));
  return [...videos, ...others, ...frames.filter((_, i) => i % step === 0)].map(picture);
}

function captionOf(path: string): string {
  const [, number, name = path] = /^(?:\w+\/)?(?:(\d+)-)?(.*)\.\w+$/.exec(path) ?? [];
  const words: Readonly<Record<string, string>> = {
    "geometry-depth": "Depth: near is light",
    "geometry-normal": "Normals",
    "geometry-validity": "Where there is geometry",
    "depth-review": "Depth of the whole video: near is light",
    depth: "Depth",
    rgb: "View as it was looked at",
  };
  const text = words[name] ?? name;
  return number === undefined ? text : `${path.startsWith("frames/") ? "Frame" : "View"} ${Number(number)}: ${text}`;
}

const HIDDEN = new Set(["object", "created", "status", "artifacts", "manifest", "mesh_manifest", "review", "cameras"]);

/** Plain facts of the answer, one level deep. */
function factsOf(answer: VisionAnswer): [string, string][] {
  return Object.entries(answer).flatMap(([name, value]): [string, string][] => {
    if (HIDDEN.has(name) || name.endsWith("_url")) return [];
    if (typeof value !== "object" || value === null) return [[label(name), show(value)]];
    if (Array.isArray(value)) return [];
    const inner = Object.entries(value).filter(([, one]) => typeof one !== "object");
    return inner.map(([key, one]) => [`${label(name)}: ${label(key)}`, show(one)]);
  });
}

function label(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, "$1 $2").replaceAll("_", " ").toLowerCase();
}

function show(value: unknown): string {
  return typeof value === "number" && !Number.isInteger(value) ? String(Number(value.toPrecision(6))) : String(value);
}

function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
