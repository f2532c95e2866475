/**
 * The fields of vision requests. Unknown ones were refused when the form was read.
 *
 * @module
 */
import * as v from "valibot";
import { REFERENCE_STRATEGIES, type ReferenceStrategy } from "../../../engines/vision/vision_operations.ts";
import { readFields } from "../../../errors/read_fields.ts";
import { type FormFieldKind, formFields } from "../form_fields.ts";
import type { VisionForm } from "./vision_files.ts";

/** A vision route. */
export type VisionRoute = "geometry" | "multiview" | "imageTo3d" | "viewsTo3d" | "depthVideo";

/** What follows "Cannot" in errors of each route. */
export const visionActions: Readonly<Record<VisionRoute, string>> = {
  geometry: "find the geometry",
  multiview: "relate the views",
  imageTo3d: "make the object",
  viewsTo3d: "reconstruct the object",
  depthVideo: "find the depth of the video",
};

/** Where each route is. */
export const visionPaths: Readonly<Record<VisionRoute, string>> = {
  geometry: "/v1/vision/geometry",
  multiview: "/v1/vision/geometry/multiview",
  imageTo3d: "/v1/vision/image-to-3d",
  viewsTo3d: "/v1/vision/image-to-3d-multiview",
  depthVideo: "/v1/vision/depth-video",
};

/** Fields of `POST /v1/vision/geometry`. */
export interface GeometryFields {
  readonly model: string;
  readonly resolution_level: number;
  readonly token_count?: number | undefined;
  readonly max_points?: number | undefined;
}

/** Fields of `POST /v1/vision/geometry/multiview`; cameras are read for themselves. */
export interface MultiViewFields {
  readonly model: string;
  readonly process_resolution: number;
  readonly reference_view: ReferenceStrategy;
  readonly confidence_percentile: number;
  readonly max_points: number;
}

/** Fields of `POST /v1/vision/image-to-3d`. */
export interface ImageTo3dFields {
  readonly model: string;
  readonly resolution: number;
  readonly density_threshold: number;
  readonly foreground_ratio: number;
  readonly already_framed: boolean;
  readonly vertex_colors: boolean;
}

/** Fields of `POST /v1/vision/image-to-3d-multiview`; cameras are read for themselves. */
export interface ViewsTo3dFields {
  readonly model: string;
  readonly resolution: number;
  readonly vertex_colors: boolean;
}

/** Fields of `POST /v1/vision/depth-video`. */
export interface DepthVideoFields {
  readonly model: string;
  readonly input_size: number;
  readonly max_frames: number;
}

const MAX_COUNT = 2 ** 31 - 1;

function integer(min: number, max: number) {
  const expected = `expected an integer from ${min} to ${max}`;
  return v.pipe(v.number(expected), v.integer(expected), v.minValue(min, expected), v.maxValue(max, expected));
}

function finite(rule: (value: number) => boolean, expected: string) {
  return v.pipe(v.number(expected), v.finite(expected), v.check(rule, expected));
}

const flag = v.boolean("expected true or false");
const model = v.optional(v.string(), "");

const geometryFields = v.object({
  model,
  resolution_level: v.optional(integer(0, 9), 9),
  token_count: v.optional(integer(1, 3600)),
  max_points: v.optional(integer(1, MAX_COUNT)),
});

const multiviewFields = v.object({
  model,
  process_resolution: v.optional(integer(14, 1008), 504),
  reference_view: v.optional(
    v.picklist(REFERENCE_STRATEGIES, `expected one of ${REFERENCE_STRATEGIES.join(", ")}`),
    "saddle-balanced",
  ),
  confidence_percentile: v.optional(finite((p) => p >= 0 && p <= 100, "expected a number from 0 to 100"), 40),
  max_points: v.optional(integer(1, MAX_COUNT), 1_000_000),
});

const imageTo3dFields = v.object({
  model,
  resolution: v.optional(integer(2, 512), 256),
  density_threshold: v.optional(finite(() => true, "expected a finite number"), 25),
  foreground_ratio: v.optional(finite((r) => r > 0 && r <= 1, "expected a number above 0 and up to 1"), 0.85),
  already_framed: v.optional(flag, false),
  vertex_colors: v.optional(flag, true),
});

const viewsTo3dFields = v.object({
  model,
  resolution: v.optional(integer(2, 256), 128),
  vertex_colors: v.optional(flag, true),
});

const depthVideoFields = v.object({
  model,
  input_size: v.optional(integer(14, 1008), 518),
  max_frames: v.optional(integer(1, 2400), 240),
});

const texts = new Set(["model", "reference_view", "cameras"]);
const flags = new Set(["already_framed", "vertex_colors"]);

/** The fields of a geometry request. Throws a 400 with the field in `param`, as do all of these. */
export function readGeometryFields(form: VisionForm): GeometryFields {
  return read("geometry", form, geometryFields);
}

/** The fields of a request for the geometry of views. */
export function readMultiViewFields(form: VisionForm): MultiViewFields {
  return read("multiview", form, multiviewFields);
}

/** The fields of a request for the object of an image. */
export function readImageTo3dFields(form: VisionForm): ImageTo3dFields {
  return read("imageTo3d", form, imageTo3dFields);
}

/** The fields of a request for the object of views. */
export function readViewsTo3dFields(form: VisionForm): ViewsTo3dFields {
  return read("viewsTo3d", form, viewsTo3dFields);
}

/** The fields of a request for the depth of a video. */
export function readDepthVideoFields(form: VisionForm): DepthVideoFields {
  return read("depthVideo", form, depthVideoFields);
}

function read<T>(
  route: VisionRoute,
  form: VisionForm,
  schema: v.GenericSchema<unknown, T> & { readonly entries: v.ObjectEntries },
): T {
  const names = Object.keys(schema.entries);
  const kindOf = (name: string): FormFieldKind => texts.has(name) ? "text" : flags.has(name) ? "boolean" : "number";
  const given = new Map([...form.texts].filter(([name]) => names.includes(name)));
  const body = formFields(given, Object.fromEntries(names.map((name) => [name, kindOf(name)])));
  return readFields(body, { action: visionActions[route], fields: schema, refusals: [] }).fields;
}
