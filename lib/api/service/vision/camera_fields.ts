/**
 * Cameras that clients send.
 *
 * @module
 */
import * as v from "valibot";
import { describeIssue } from "../../../errors/field_refusal.ts";
import { parseBoundedJson } from "../../../json/json_text.ts";
import { invalidField } from "../../../errors/svc_error.ts";
import type { KnownCamera } from "../../../engines/vision/vision_operations.ts";
import type { PixelSize, UploadInspector, VisionForm } from "./vision_files.ts";

/** Most bytes of a camera file: 16 cameras take some 6,000. */
const MAX_BYTES: number = 256 * 1024;

const FIELD = "cameras";
const number = v.pipe(v.number("expected a number"), v.finite("expected a finite number"));
const pixels = v.pipe(
  v.number("expected a number"),
  v.integer("expected an integer"),
  v.minValue(1, "expected 1 or more"),
);
const list = (length: number) => {
  const expected = `expected ${length} numbers`;
  return v.pipe(v.array(number, expected), v.length(length, expected));
};
const version = v.literal(1, "expected 1");

const known = v.object({
  schemaVersion: version,
  cameras: v.array(
    v.object({
      intrinsics: v.object({
        imageWidth: pixels,
        imageHeight: pixels,
        normalizedFX: number,
        normalizedFY: number,
        normalizedCX: number,
        normalizedCY: number,
      }, "expected an object"),
      extrinsics: v.object({ rotation: list(9), translation: list(3) }, "expected an object"),
    }, "expected an object"),
    "expected a list",
  ),
}, "expected an object");

const poses = v.object({
  schemaVersion: version,
  cameras: v.array(list(16), "expected a list"),
}, "expected an object");

/**
 * Cameras of views, by their own shares of the image, in pixels of the images that were sent.
 *
 * @throws {SvcError} `invalid_cameras`.
 */
export async function readKnownCameras(
  action: string,
  form: VisionForm,
  images: readonly PixelSize[],
  files: Pick<UploadInspector, "readText">,
): Promise<readonly KnownCamera[] | undefined> {
  const text = await camerasText(action, form, files);
  if (text === undefined) return undefined;
  const { cameras } = parse(action, text, known);
  checkCount(action, cameras.length, images.length);
  return cameras.map(({ intrinsics: k, extrinsics }, i) => {
    const { width, height } = images[i];
    const intrinsics = {
      fx: k.normalizedFX * width,
      fy: k.normalizedFY * height,
      cx: k.normalizedCX * width,
      cy: k.normalizedCY * height,
    };
    return { intrinsics, extrinsics };
  });
}

/**
 * Sixteen numbers a view.
 *
 * @throws {SvcError} `invalid_cameras`.
 */
export async function readPoses(
  action: string,
  form: VisionForm,
  views: number,
  files: Pick<UploadInspector, "readText">,
): Promise<readonly (readonly number[])[] | undefined> {
  const text = await camerasText(action, form, files);
  if (text === undefined) return undefined;
  const { cameras } = parse(action, text, poses);
  checkCount(action, cameras.length, views);
  return cameras;
}

async function camerasText(
  action: string,
  { texts, files }: VisionForm,
  inspector: Pick<UploadInspector, "readText">,
): Promise<string | undefined> {
  const file = files.find(({ field }) => field === FIELD);
  const inline = texts.get(FIELD)?.[0];
  if (!file) {
    if (inline === undefined || inline.trim() === "") return undefined;
    if (inline.length <= MAX_BYTES) return inline;
  }
  const text = file && await inspector.readText(file.path, MAX_BYTES);
  if (text !== undefined) return text;
  throw invalidField(
    FIELD,
    `Cannot ${action}: "cameras" is longer than ${MAX_BYTES} bytes or not UTF-8, expected JSON of cameras`,
  );
}

function parse<T>(action: string, text: string, schema: v.GenericSchema<unknown, T>): T {
  let value: unknown;
  try {
    value = parseBoundedJson(text);
  } catch {
    throw invalidField(FIELD, `Cannot ${action}: "cameras" is not JSON, expected an object with a list of cameras`);
  }
  const read = v.safeParse(v.object({ [FIELD]: schema }), { [FIELD]: value });
  if (read.success) return read.output[FIELD];
  const { message, param } = describeIssue(action, { [FIELD]: value }, read.issues);
  throw invalidField(param, message);
}

function checkCount(action: string, cameras: number, views: number): void {
  if (cameras === views) return;
  throw invalidField(FIELD, `Cannot ${action}: there are ${cameras} cameras for ${views} views, expected one per view`);
}
