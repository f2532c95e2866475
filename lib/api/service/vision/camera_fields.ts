/**
 * Cameras that clients send.
 *
 * @module
 */
import * as v from "valibot";
import { otherMembers, refusing } from "../../../errors/declared_members.ts";
import { describeIssue, type FieldRefusal } from "../../../errors/field_refusal.ts";
import { parseBoundedJson } from "../../../json/json_text.ts";
import { invalidField, unsupportedParameter } from "../../../errors/svc_error.ts";
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

/** What other formats say of cameras: poses by other axes or units, and lenses that bend. */
const otherCameras: readonly FieldRefusal[] = [
  {
    field: /^(coordinate_?system|convention|axes|camera_?convention)$/i,
    neutral: ["world-from-cameras-x-right-y-down-z-forward"],
    remedy: "expected poses by x right, y down and z forward",
  },
  { field: /^(scale|units?|unit_?scale)$/i, neutral: [1, "meters", "relative"], remedy: "expected no such field" },
  { field: /^(skew|k[1-6]|p[12])$/i, neutral: [0], remedy: "expected 0: lenses are pinholes" },
  { field: /distortion|^(radial|tangential)$/i, neutral: [[], 0], remedy: "expected none: lenses are pinholes" },
  { field: /^(camera_?)?model$/i, neutral: ["PINHOLE", "pinhole"], remedy: 'expected "PINHOLE"' },
  {
    field: /^(quaternion|qvec|tvec|(camera_?to_?world|world_?to_?camera|pose|transform)(_?matrix)?)$/i,
    remedy: "use extrinsics",
  },
];

const known = refusing(
  v.object({
    schemaVersion: version,
    cameras: v.array(
      refusing(
        v.object({
          intrinsics: refusing(
            v.object({
              imageWidth: pixels,
              imageHeight: pixels,
              normalizedFX: number,
              normalizedFY: number,
              normalizedCX: number,
              normalizedCY: number,
            }, "expected an object"),
            otherCameras,
          ),
          extrinsics: refusing(
            v.object({ rotation: list(9), translation: list(3) }, "expected an object"),
            otherCameras,
          ),
        }, "expected an object"),
        otherCameras,
      ),
      "expected a list",
    ),
  }, "expected an object"),
  otherCameras,
);

const poses = refusing(
  v.object({
    schemaVersion: version,
    cameras: v.array(list(16), "expected a list"),
  }, "expected an object"),
  otherCameras,
);

/** Cameras, and a sentence for each member of their file that has no effect. */
export interface ReadCameras<Camera> {
  readonly cameras: readonly Camera[];
  readonly warnings: readonly string[];
}

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
): Promise<ReadCameras<KnownCamera> | undefined> {
  const text = await camerasText(action, form, files);
  if (text === undefined) return undefined;
  const { value: { cameras }, warnings } = parse(action, text, known);
  checkCount(action, cameras.length, images.length);
  const inPixels = cameras.map(({ intrinsics: k, extrinsics }, i) => {
    const { width, height } = images[i];
    const intrinsics = {
      fx: k.normalizedFX * width,
      fy: k.normalizedFY * height,
      cx: k.normalizedCX * width,
      cy: k.normalizedCY * height,
    };
    return { intrinsics, extrinsics };
  });
  return { cameras: inPixels, warnings };
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
): Promise<ReadCameras<readonly number[]> | undefined> {
  const text = await camerasText(action, form, files);
  if (text === undefined) return undefined;
  const { value: { cameras }, warnings } = parse(action, text, poses);
  checkCount(action, cameras.length, views);
  return { cameras, warnings };
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

function parse<T>(
  action: string,
  text: string,
  schema: v.GenericSchema<unknown, T>,
): { readonly value: T; readonly warnings: readonly string[] } {
  let value: unknown;
  try {
    value = parseBoundedJson(text);
  } catch {
    throw invalidField(FIELD, `Cannot ${action}: "cameras" is not JSON, expected an object with a list of cameras`);
  }
  const form = v.object({ [FIELD]: schema });
  const read = v.safeParse(form, { [FIELD]: value });
  if (!read.success) {
    const { message, param } = describeIssue(action, { [FIELD]: value }, read.issues);
    throw invalidField(param, message);
  }
  const { refused, warnings } = otherMembers(form, { [FIELD]: value });
  if (refused) throw unsupportedParameter(`Cannot ${action}: ${refused.reason}`, refused.path);
  return { value: read.output[FIELD], warnings };
}

function checkCount(action: string, cameras: number, views: number): void {
  if (cameras === views) return;
  throw invalidField(FIELD, `Cannot ${action}: there are ${cameras} cameras for ${views} views, expected one per view`);
}
