/**
 * Reads image requests, and the files that come with them.
 *
 * @module
 */
import { invalidRequest } from "../../../errors/svc_error.ts";
import {
  imageFieldNames,
  type ImageFields,
  imageFields,
  imageFieldWarnings,
  imageRefusals,
} from "../../../protocol/images/image_fields.ts";
import { readFields } from "../../../errors/read_fields.ts";
import { formFields } from "../form_fields.ts";

/** A request with what it carries. */
export interface ImageRequest extends ImageFields {
  /** The input of an edit first, then its references; none for a generation. */
  readonly pictures: readonly ImageUpload[];
  readonly mask: ImageUpload | undefined;
  readonly warnings: readonly string[];
}

const GENERATE = "make an image";
const EDIT = "edit the image";

/** Fields of an edit's form whose texts stand for numbers, switches or words. */
const kinds = {
  size: "word",
  response_format: "word",
  n: "number",
  strength: "number",
  seed: "number",
  steps: "number",
  guidance_scale: "number",
  stream: "boolean",
  partial_images: "number",
  output_compression: "number",
} as const;

/** Text fields of an edit's form; the route refuses others. */
export const editTextFields: readonly string[] = [
  ...imageFieldNames,
  "strength",
  "background",
  "output_format",
  "output_compression",
  "input_fidelity",
];

const maskWarning =
  "Accepted the mask without an effect: the model edits the whole image, say in the prompt what stays";

/**
 * Reads the body of a generation.
 *
 * @throws {SvcError} 400 with the field in `param`.
 */
export function readGeneration(body: unknown): ImageRequest {
  const refusals = [...imageRefusals, { field: "strength", remedy: "expected no such field: use /v1/images/edits" }];
  const rules = { action: GENERATE, fields: imageFields, refusals };
  const { fields, warnings } = readFields(body, rules);
  const own = imageFieldWarnings(body as Readonly<Record<string, unknown>>);
  return { ...fields, pictures: [], mask: undefined, warnings: [...warnings, ...own] };
}

/**
 * Reads the form of an edit.
 *
 * @throws {SvcError} 400 with the field in `param`.
 */
export function readEdit({ texts, files }: ImageForm): ImageRequest {
  const body = formFields(texts, kinds);
  const rules = { action: EDIT, fields: imageFields, refusals: imageRefusals };
  const { fields, warnings } = readFields(body, rules);
  const of = (field: string): ImageUpload[] => files.filter((file) => file.field === field);
  const pictures = [...of("image"), ...of("image[]")];
  if (pictures.length === 0) {
    throw invalidRequest("missing_field", `Cannot ${EDIT}: "image" is missing`, "image");
  }
  const [mask] = of("mask");
  const own = [...imageFieldWarnings(body), ...mask ? [maskWarning] : []];
  return { ...fields, pictures, mask, warnings: [...warnings, ...own] };
}

/** An uploaded picture. */
interface ImageUpload {
  /** Name of its field. */
  readonly field: string;
  readonly path: string;
  readonly filename?: string | undefined;
}

/** A form of an edit. */
export interface ImageForm {
  readonly texts: ReadonlyMap<string, readonly string[]>;
  /** In the order of the body. */
  readonly files: readonly ImageUpload[];
}

/** What the service needs of files. */
export interface ImageFiles {
  /**
   * Size of a picture as it is shown, by its header.
   *
   * @throws {SvcError} `image_unsupported`, `image_too_large`, `image_damaged`.
   */
  size(path: string): Promise<{ readonly width: number; readonly height: number }>;
  /** Keeps a finished image for an hour and returns its `file://` URL. */
  keep(png: Uint8Array): Promise<string>;
}
